package org.starling.store.internal.log;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starling.net.NativeMemory;

/** What a replay tells: values by index; notes a chunk that is told twice. */
final class Content implements ReplayTarget {
    final SortedMap<Integer, String> values = new TreeMap<>();
    final SortedMap<Integer, Long> positions = new TreeMap<>();
    final Set<String> tags = new TreeSet<>();
    final List<String> damages = new ArrayList<>();
    final Set<Integer> lost = new TreeSet<>();
    final List<Integer> twice = new ArrayList<>();

    static Content of(ZoneLog log) {
        return of(log, 2);
    }

    static Content of(ZoneLog log, int threads) {
        Content content = new Content();
        log.replay(content, threads);
        return content;
    }

    /** How the values differ from those that should be; empty when they do not. */
    List<String> differences(SortedMap<Integer, String> right) {
        List<String> found = new ArrayList<>();
        right.forEach((index, value) -> {
            if (!value.equals(values.get(index))) {
                found.add(index + ": " + values.get(index) + ", not " + value);
            }
        });
        values.keySet().stream()
                .filter(index -> !right.containsKey(index))
                .forEach(index -> found.add(index + ": there"));
        return found.subList(0, Math.min(20, found.size()));
    }

    static String text(byte[] value) {
        return value.length + ":" + Arrays.hashCode(value);
    }

    private synchronized void add(int index, byte[] value, long position) {
        if (values.put(index, text(value)) != null) {
            twice.add(index);
        }
        positions.put(index, position);
    }

    @Override
    public void put(int index, long position, long address, int bytes) {
        byte[] value = new byte[bytes];
        NativeMemory.copyToArray(address, value, 0, bytes);
        add(index, value, position);
    }

    @Override
    public void created(int first, int count, int each, long position) {
        for (int i = 0; i < count; i++) {
            add(first + i, new byte[each], position);
        }
    }

    @Override
    public void createdListed(int first, int count, long sizesAddress, long position) {
        for (int i = 0; i < count; i++) {
            add(first + i, new byte[NativeMemory.getInt(sizesAddress + 4L * i)], position);
        }
    }

    @Override
    public synchronized void executed(
            int client, long sequence, int first, int count, long position) {
        tags.add(client + "/" + sequence + " " + first + "+" + count + "@" + position);
    }

    @Override
    public synchronized void damaged(long first, long last) {
        damages.add(first + ".." + last);
    }

    @Override
    public synchronized void damagedChunk(int index, long position) {
        lost.add(index);
    }
}
