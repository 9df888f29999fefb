package org.starling.compute.internal.structure;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.starling.compute.internal.structure.Page.Entry;
import org.starling.graph.ElementType;
import org.starling.graph.StoredList;
import org.starling.graph.StoredMap;
import org.starling.graph.StoredTable;
import org.starling.graph.StoredValue;
import org.starling.graph.TableRow;

/** What tasks get of structures they have opened. */
final class Handles {
    private static final byte[] NO_KEY = {};

    private Handles() {}

    private static <T> T read(ElementType<T> type, byte[] bytes) {
        return type.cast(Elements.value(List.of(type), bytes, 0));
    }

    /** A map. */
    record OfMap<K, V>(Opened opened, ElementType<K> keys, ElementType<V> values)
            implements StoredMap<K, V> {
        @Override
        public Optional<V> get(K key) {
            byte[] bytes = Elements.bytes(keys, key);
            byte[] value = opened.pages().get(Elements.position(bytes), bytes);
            return value == null ? Optional.empty() : Optional.of(read(values, value));
        }

        @Override
        public boolean put(K key, V value) {
            byte[] bytes = Elements.bytes(keys, key);
            return opened.toChange()
                    .put(Elements.position(bytes), bytes, Elements.bytes(values, value));
        }

        @Override
        public boolean remove(K key) {
            byte[] bytes = Elements.bytes(keys, key);
            return opened.toChange().remove(Elements.position(bytes), bytes);
        }

        @Override
        public long size() {
            return opened.pages().size();
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super V> each) {
            opened.pages()
                    .forEach(entry ->
                            each.accept(read(keys, entry.key()), read(values, entry.value())));
        }
    }

    /** A list. */
    record OfList<V>(Opened opened, ElementType<V> values) implements StoredList<V> {
        @Override
        public V get(long index) {
            Objects.checkIndex(index, size());
            return read(values, Objects.requireNonNull(opened.pages().get(index, NO_KEY)));
        }

        @Override
        public void set(long index, V value) {
            Objects.checkIndex(index, size());
            opened.toChange().put(index, NO_KEY, Elements.bytes(values, value));
        }

        @Override
        public void add(V value) {
            byte[] bytes = Elements.bytes(values, value);
            Pages pages = opened.toChange();
            pages.put(pages.size(), NO_KEY, bytes);
        }

        @Override
        public long size() {
            return opened.pages().size();
        }

        @Override
        public void forEach(Consumer<? super V> each) {
            opened.pages().forEach(entry -> each.accept(read(values, entry.value())));
        }
    }

    /** A single value. */
    record OfValue<V>(Opened opened, ElementType<V> type) implements StoredValue<V> {
        @Override
        public Optional<V> get() {
            byte[] value = opened.pages().get(0, NO_KEY);
            return value == null ? Optional.empty() : Optional.of(read(type, value));
        }

        @Override
        public void set(V value) {
            opened.toChange().put(0, NO_KEY, Elements.bytes(type, value));
        }

        @Override
        public void clear() {
            opened.toChange().remove(0, NO_KEY);
        }
    }

    /** A table. */
    record OfTable(Opened opened) implements StoredTable {
        @Override
        public List<Column> columns() {
            return IntStream.range(0, opened.elements().size())
                    .mapToObj(i -> new Column(opened.type().names().get(i), opened.element(i)))
                    .toList();
        }

        @Override
        public void append(Object... values) {
            append(Elements.bytes(opened.elements(), values));
        }

        void append(byte[] row) {
            Pages pages = opened.toChange();
            pages.put(pages.size(), NO_KEY, row);
        }

        @Override
        public long size() {
            return opened.pages().size();
        }

        @Override
        public void forEach(Consumer<? super TableRow> each) {
            opened.pages().forEach(entry -> each.accept(new Row(opened.elements(), entry)));
        }
    }

    private record Row(List<ElementType<?>> types, Entry entry) implements TableRow {
        @Override
        public long index() {
            return entry.position();
        }

        @Override
        public <T> T get(int column, ElementType<T> type) {
            return Elements.cast(
                    type, types.get(column), Elements.value(types, entry.value(), column));
        }
    }
}
