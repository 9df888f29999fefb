package org.starling.store.internal.log;

import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/** Measures appending and replaying; run by hand: {@code AppendSpeed DIRECTORY [CHUNKS]}. */
final class AppendSpeed {
    private static final int BATCH = 500;

    private AppendSpeed() {}

    /** Prints figures. */
    public static void main(String[] arguments) {
        int chunks = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2_000_000;
        try (BackupLogs logs = BackupLogs.open(Path.of(arguments[0]), LogConfig.defaults());
                Records records = new Records(1 << 20)) {
            for (int round = 0; round < 4; round++) {
                append(logs.create(History.ZONE + round, 1), records, chunks);
            }
        }
        try (BackupLogs logs = BackupLogs.open(Path.of(arguments[0]), LogConfig.defaults())) {
            long start = System.nanoTime();
            ZoneLog log = History.reopened(logs);
            print("opened", chunks, System.nanoTime() - start);
            for (int round = 0; round < 3; round++) {
                start = System.nanoTime();
                LongAdder sum = new LongAdder();
                log.replay(new Summing(sum), 2);
                print("replayed (2 threads)", chunks, System.nanoTime() - start);
            }
        }
    }

    private static void append(ZoneLog log, Records records, int chunks) {
        byte[] value = new byte[64];
        long inAppend = 0;
        long start = System.nanoTime();
        for (int i = 0; i < chunks; i += BATCH) {
            for (int k = 0; k < BATCH; k++) {
                records.put(i + k, value);
            }
            long before = System.nanoTime();
            records.appendTo(log);
            inAppend += System.nanoTime() - before;
        }
        print("appended", chunks, inAppend);
        log.force(log.end()).join();
        print("encoded, appended and forced", chunks, System.nanoTime() - start);
        long commits = System.nanoTime();
        for (int i = 0; i < 500; i++) {
            records.put(i, value).appendTo(log);
            log.force(log.end()).join();
        }
        System.out.printf("commit of one: %d us%n", (System.nanoTime() - commits) / 500_000);
    }

    private static void print(String what, int chunks, long nanos) {
        System.out.printf(
                "%s: %d chunks of 64 bytes, %.2f M/s%n", what, chunks, chunks * 1e3 / nanos);
    }

    private record Summing(LongAdder sum) implements ReplayTarget {
        @Override
        public void put(int index, long position, long address, int bytes) {
            sum.add(bytes);
        }

        @Override
        public void created(int first, int count, int each, long position) {
            sum.add(count);
        }

        @Override
        public void createdListed(int first, int count, long sizesAddress, long position) {
            sum.add(count);
        }

        @Override
        public void executed(int client, long sequence, int first, int count, long position) {
            sum.increment();
        }

        @Override
        public void damaged(long first, long last) {
            throw new IllegalStateException("damaged");
        }

        @Override
        public void damagedChunk(int index, long position) {
            throw new IllegalStateException("damaged");
        }
    }
}
