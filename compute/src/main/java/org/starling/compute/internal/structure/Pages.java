package org.starling.compute.internal.structure;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.structure.Head.Root;
import org.starling.compute.internal.structure.Page.Entry;
import org.starling.graph.InvalidInputException;
import org.starling.store.ChunkService;
import org.starling.store.StoreException;

/**
 * All entries of a structure as one task sees them: pages by the first position that they are for.
 * Changed pages stand in memory until there are too many; then they become chunks, of which the
 * structure's head is told before they are written. Confined to the job's thread.
 */
final class Pages {
    /** Changed pages that stand in memory, in bytes. */
    private static final int MAX_CHANGED_BYTES = 32 << 20;

    /** Pages that were read and stand in memory. */
    private static final int MAX_READ = 64;

    /** Most pages of a structure. */
    private static final int MAX_PAGES = 1 << 20;

    private static final int REFERENCE = 3 * Long.BYTES + 2 * Integer.BYTES;

    /**
     * A page in the store.
     *
     * @param chunk where
     * @param token that it bears
     * @param count number of entries
     * @param bytes its length
     */
    record Reference(long chunk, long token, int count, int bytes) {
        Span span() {
            return new Span(chunk, 1, token);
        }
    }

    private final PageStore store;
    private final ChunkService chunks;

    /** Hears of chunks before they are written. */
    private final Consumer<List<Span>> announcer;

    private final Runnable check;

    /** By their first positions, which are unsigned; what a changed page was is not among them. */
    private final TreeMap<Long, Reference> stored = new TreeMap<>(Long::compareUnsigned);

    private final TreeMap<Long, Page> changed = new TreeMap<>(Long::compareUnsigned);
    private final LinkedHashMap<Long, Page> read = new LinkedHashMap<>(16, 0.75f, true);
    private final List<Span> superseded = new ArrayList<>();
    private long size;
    private long changedBytes;
    private int changes;
    private boolean isDirty;

    Pages(
            PageStore store,
            ChunkService chunks,
            Root root,
            Consumer<List<Span>> announcer,
            Runnable check) {
        this.store = store;
        this.chunks = chunks;
        this.announcer = announcer;
        this.check = check;
        this.size = root.size();
        if (root.chunk() != 0) {
            stored.putAll(references(store, root));
            superseded.add(new Span(root.chunk(), 1, root.token()));
        }
    }

    /** Pages that a root names. */
    static SortedMap<Long, Reference> references(PageStore store, Root root) {
        TreeMap<Long, Reference> found = new TreeMap<>(Long::compareUnsigned);
        if (root.chunk() == 0) {
            return found;
        }
        byte[] bytes = store.get(root.chunk());
        if (!Page.isOf(bytes, root.token())) {
            throw new StoreException("the root of a structure is not there any more");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).position(Page.HEADER - Integer.BYTES);
        int count = in.getInt();
        for (int i = 0; i < count; i++) {
            found.put(
                    in.getLong(),
                    new Reference(in.getLong(), in.getLong(), in.getInt(), in.getInt()));
        }
        return found;
    }

    long size() {
        return size;
    }

    boolean isDirty() {
        return isDirty;
    }

    byte @Nullable [] get(long position, byte[] key) {
        Long first = firstFor(position);
        return first == null ? null : page(first).get(position, key);
    }

    /** Whether the key is new. */
    boolean put(long position, byte[] key, byte[] value) {
        Long first = firstFor(position);
        Page page = first == null ? newPage() : toChange(first);
        long at = first == null ? 0 : first;
        int before = page.bytes();
        boolean isNew = page.put(position, key, value);
        changedBytes += page.bytes() - before;
        size += isNew ? 1 : 0;
        cut(at, page, position);
        changed();
        return isNew;
    }

    boolean remove(long position, byte[] key) {
        Long first = firstFor(position);
        if (first == null || page(first).get(position, key) == null) {
            return false;
        }
        Page page = toChange(first);
        int before = page.bytes();
        page.remove(position, key);
        changedBytes += page.bytes() - before;
        size--;
        changed();
        return true;
    }

    /** Shows all entries in their order. */
    void forEach(Consumer<Entry> each) {
        int before = changes;
        TreeMap<Long, Boolean> firsts = new TreeMap<>(Long::compareUnsigned);
        stored.keySet().forEach(first -> firsts.put(first, true));
        changed.keySet().forEach(first -> firsts.put(first, true));
        for (Long first : firsts.keySet()) {
            for (Entry entry : page(first).entries()) {
                each.accept(entry);
                if (changes != before) {
                    throw new IllegalStateException(
                            "a structure must not be changed while its entries are shown");
                }
            }
        }
    }

    /** All pages in their order, after what has changed has been written. */
    Collection<Reference> written() {
        spill();
        return stored.values();
    }

    /** Chunks of all pages. */
    static List<Span> spans(Collection<Reference> pages) {
        return pages.stream().map(Reference::span).toList();
    }

    /** Writes everything, and where it is; only if something has changed. */
    Root write() {
        spill();
        stored.values()
                .removeIf(page -> {
                    if (page.count == 0) {
                        superseded.add(page.span());
                    }
                    return page.count == 0;
                });
        if (stored.isEmpty()) {
            return Root.EMPTY;
        }
        int bytes = Page.HEADER + Math.multiplyExact(stored.size(), REFERENCE);
        Span made = store.create(chunks, new int[] {bytes}).getFirst();
        announcer.accept(List.of(made));
        ByteBuffer out = ByteBuffer.allocate(bytes);
        out.putInt(Page.MARK).putLong(made.token()).putInt(stored.size());
        stored.forEach((first, page) ->
                out.putLong(first)
                        .putLong(page.chunk)
                        .putLong(page.token)
                        .putInt(page.count)
                        .putInt(page.bytes));
        store.put(chunks, made.first(), out.array());
        return new Root(made.first(), made.token(), size);
    }

    /** Chunks that are not needed when all is as it is here. */
    List<Span> superseded() {
        return List.copyOf(superseded);
    }

    private void changed() {
        isDirty = true;
        changes++;
        if (changedBytes > MAX_CHANGED_BYTES) {
            spill();
        }
    }

    private @Nullable Long firstFor(long position) {
        Long inStore = stored.floorKey(position);
        Long inMemory = changed.floorKey(position);
        if (inStore == null || inMemory == null) {
            return inStore == null ? inMemory : inStore;
        }
        return Long.compareUnsigned(inStore, inMemory) > 0 ? inStore : inMemory;
    }

    private Page newPage() {
        Page page = new Page();
        changed.put(0L, page);
        changedBytes += page.bytes();
        return page;
    }

    private Page page(Long first) {
        Page inMemory = changed.get(first);
        if (inMemory != null) {
            return inMemory;
        }
        Page known = read.get(first);
        if (known == null) {
            check.run();
            Reference at = Objects.requireNonNull(stored.get(first));
            known = Page.read(store.get(at.chunk), at.token);
            read.put(first, known);
            if (read.size() > MAX_READ) {
                Iterator<Long> eldest = read.keySet().iterator();
                eldest.next();
                eldest.remove();
            }
        }
        return known;
    }

    private Page toChange(Long first) {
        Page page = page(first);
        if (changed.putIfAbsent(first, page) == null) {
            read.remove(first);
            superseded.add(Objects.requireNonNull(stored.remove(first)).span());
            changedBytes += page.bytes();
        }
        return page;
    }

    private void cut(long first, Page page, long position) {
        Long last = firstFor(-1L);
        boolean isLast = last != null && last == first;
        while (page.bytes() > Page.MAX_BYTES && page.count() > 1) {
            boolean atEnd = isLast && page.entries().getLast().position() == position;
            Page end = page.cut(atEnd);
            if (end == null) {
                return;
            }
            if (stored.size() + changed.size() >= MAX_PAGES) {
                throw new InvalidInputException(
                        "a structure of more than %d pages of %d KiB"
                                .formatted(MAX_PAGES, Page.MAX_BYTES >> 10));
            }
            changed.put(end.entries().getFirst().position(), end);
            if (end.bytes() <= Page.MAX_BYTES) {
                return;
            }
            page = end;
        }
    }

    private void spill() {
        if (changed.isEmpty()) {
            return;
        }
        check.run();
        List<Map.Entry<Long, Page>> pages = List.copyOf(changed.entrySet());
        int[] sizes = pages.stream().mapToInt(page -> page.getValue().bytes()).toArray();
        List<Span> spans = store.create(chunks, sizes);
        announcer.accept(spans);
        int next = 0;
        for (Span span : spans) {
            for (int i = 0; i < span.count(); i++) {
                Page page = pages.get(next).getValue();
                store.put(chunks, span.first() + i, page.write(span.token()));
                stored.put(
                        pages.get(next).getKey(),
                        new Reference(span.first() + i, span.token(), page.count(), page.bytes()));
                next++;
            }
        }
        changed.clear();
        changedBytes = 0;
    }
}
