package org.starling.store.internal.log;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Random changes of one zone, written to a log on a fake disk, and the content that the zone had
 * after each of them.
 */
final class History {
    static final long ZONE = 0x30_0008_0001L;

    final FakeDisk disk = new FakeDisk();

    /** Content after n changes. */
    final List<SortedMap<Integer, String>> states = new ArrayList<>();

    private final Random random;
    private final int chunks;
    private final int largest;

    private History(long seed, int chunks, int largest) {
        random = new Random(seed);
        this.chunks = chunks;
        this.largest = largest;
        states.add(new TreeMap<>());
    }

    /** A log on the disk, after so many changes, with a force now and then. */
    static History write(
            long seed, int changes, int chunks, int largest, LogConfig config, boolean lyingDisk)
            throws IOException {
        History history = new History(seed, chunks, largest);
        if (lyingDisk) {
            history.disk.lieAboutForces();
        }
        try (BackupLogs logs = BackupLogs.open(history.disk, config)) {
            history.append(logs.create(ZONE, 1), changes);
        }
        return history;
    }

    /** Goes on with the log, which has been closed, until there are so many changes. */
    void goOn(int changes, LogConfig config) throws IOException {
        try (BackupLogs logs = BackupLogs.open(disk, config)) {
            append(reopened(logs), changes);
        }
    }

    private void append(ZoneLog log, int changes) {
        try (Records records = new Records(1 << 20)) {
            while (log.end() < changes) {
                long epoch = 1 + log.end() / 100;
                int batch = 1 + random.nextInt(5);
                for (int i = 0; i < batch; i++) {
                    change(records);
                }
                records.appendTo(log, epoch, log.end() + 1);
                if (random.nextInt(3) > 0) {
                    long end = log.end();
                    log.force(end).thenAccept(disk::acknowledge).join();
                }
            }
            long end = log.end();
            log.force(end).thenAccept(disk::acknowledge).join();
        }
    }

    private void change(Records records) {
        SortedMap<Integer, String> state = new TreeMap<>(states.getLast());
        int index = random.nextInt(chunks);
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                int count = 1 + random.nextInt(Math.min(3, chunks - index));
                records.remove(index, count);
                for (int i = 0; i < count; i++) {
                    state.remove(index + i);
                }
            }
            case 2 -> {
                int count = 1 + random.nextInt(Math.min(6, chunks - index));
                int each = random.nextInt(100);
                records.create(index, count, each);
                for (int i = 0; i < count; i++) {
                    state.put(index + i, Content.text(new byte[each]));
                }
            }
            default -> {
                byte[] value = new byte[random.nextInt(random.nextInt(10) == 0 ? 3000 : largest)];
                random.nextBytes(value);
                records.put(index, value);
                state.put(index, Content.text(value));
            }
        }
        states.add(state);
    }

    /**
     * Opens a disk and compares what it tells with what was.
     *
     * @return null if it is the content after some number of changes that is at least what was
     *     acknowledged, else what is wrong
     */
    @Nullable String fault(FakeDisk image, long acknowledged) throws IOException {
        LogState state = open(image);
        if (state == null) {
            return acknowledged == 0 ? null : "nothing readable, acknowledged " + acknowledged;
        }
        try {
            Content content = content(state, image);
            if (!content.damages.isEmpty() || !content.lost.isEmpty()) {
                return "damage: " + content.damages + content.lost;
            }
            if (!content.twice.isEmpty()) {
                return "told twice: " + content.twice;
            }
            if (state.end() < acknowledged || state.end() >= states.size()) {
                return "ends at " + state.end() + ", acknowledged " + acknowledged;
            }
            return content.values.equals(states.get((int) state.end()))
                    ? null
                    : "wrong content at " + state.end();
        } finally {
            state.versions.close();
        }
    }

    /** The log of the zone, which is there. */
    static ZoneLog reopened(BackupLogs logs) {
        return Objects.requireNonNull(logs.get(ZONE));
    }

    /** Opens the log of the zone on a disk; null when there is nothing. */
    static @Nullable LogState open(FakeDisk image) throws IOException {
        if (image.folders().isEmpty()) {
            return null;
        }
        return new LogScan(image, image.folders().getFirst(), ZONE).open(context(image));
    }

    static Content content(LogState state, FakeDisk image) {
        Content content = new Content();
        try (LogCapture capture =
                new LogCapture(state, context(image), image.folders().getFirst())) {
            new LogReplay(state, capture, content).run(1);
        }
        return content;
    }

    private static LogContext context(FakeDisk image) {
        BlockPool pool = new BlockPool(16 << 10, 1 << 20);
        return new LogContext(
                ZoneLogTest.SMALL,
                new DiskWatch(image, Duration.ofHours(1), hang -> {}),
                pool,
                System::nanoTime,
                () -> {});
    }
}
