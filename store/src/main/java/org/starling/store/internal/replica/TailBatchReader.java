package org.starling.store.internal.replica;

import org.starling.store.internal.log.TailVisitor;
import org.starling.store.internal.log.ZoneLog;

/** Reads some entries of a log in the form in which they are sent. Confined to one call. */
final class TailBatchReader implements TailVisitor {
    /** Ends the reading when there is enough. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Enough() {
            super(null, null, false, false);
        }
    }

    private final long from;
    private final int limitBytes;
    private final RecordBuffer buffer;
    private long first = -1;

    private TailBatchReader(long from, int limitBytes, RecordBuffer buffer) {
        this.from = from;
        this.limitBytes = limitBytes;
        this.buffer = buffer;
    }

    /** Entries from a position on, until there are so many bytes. */
    static ReplicaMessage.TailPart read(ZoneLog log, long from, int limitBytes) {
        try (RecordBuffer buffer = new RecordBuffer(limitBytes)) {
            TailBatchReader reader = new TailBatchReader(from, limitBytes, buffer);
            if (from <= log.end()) {
                try {
                    log.readTail(from, reader);
                } catch (Enough e) {
                    return reader.part();
                }
            }
            return reader.part();
        }
    }

    @Override
    public void visit(long epoch, long firstPosition, long address, int bytes, int count) {
        if (first < 0) {
            first = firstPosition;
        }
        buffer.add(address, bytes, count);
        if (buffer.usedBytes() >= limitBytes) {
            throw new Enough();
        }
    }

    private ReplicaMessage.TailPart part() {
        return new ReplicaMessage.TailPart(
                first < 0 ? from : first, buffer.count(), buffer.bytes());
    }
}
