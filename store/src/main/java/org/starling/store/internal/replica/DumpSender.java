package org.starling.store.internal.replica;

import java.util.concurrent.CompletionException;
import org.starling.store.ChunkId;
import org.starling.store.internal.log.ReplayTarget;
import org.starling.store.internal.log.ZoneLog;

/**
 * Sends the content of a log to a node whose own log is damaged, one part after the other. Called
 * by replaying threads, one at a time; guarded by itself. Used for one dump.
 */
final class DumpSender implements ReplayTarget {
    private final BackupWire wire;
    private final int target;
    private final ReplicaMessage.Dump dump;
    private final RecordBuffer buffer;
    private boolean isDamaged;

    private DumpSender(BackupWire wire, int target, ReplicaMessage.Dump dump, RecordBuffer buffer) {
        this.wire = wire;
        this.target = target;
        this.dump = dump;
        this.buffer = buffer;
    }

    /**
     * Sends everything.
     *
     * @return whether the log was whole
     * @throws RuntimeException if a part was not taken
     */
    static boolean send(
            ZoneLog log, BackupWire wire, int target, ReplicaMessage.Dump dump, int partBytes) {
        try (RecordBuffer buffer = new RecordBuffer(partBytes)) {
            DumpSender sender = new DumpSender(wire, target, dump, buffer);
            log.replay(sender, 1);
            sender.flush();
            return !sender.isDamaged;
        }
    }

    @Override
    public synchronized void put(int index, long position, long address, int bytes) {
        boolean hasRoom = buffer.put(ChunkId.ofZone(dump.zone(), index), address, bytes);
        flushUnless(hasRoom);
    }

    @Override
    public synchronized void created(int first, int count, int each, long position) {
        buffer.create(first, count, each);
        flushUnless(!buffer.isFull());
    }

    @Override
    public synchronized void createdListed(int first, int count, long sizesAddress, long position) {
        buffer.createListed(first, count, sizesAddress);
        flushUnless(!buffer.isFull());
    }

    @Override
    public synchronized void executed(
            int client, long sequence, int first, int count, long position) {
        buffer.tag(client, sequence, first, count);
        flushUnless(!buffer.isFull());
    }

    @Override
    public synchronized void damaged(long first, long last) {
        isDamaged = true;
    }

    @Override
    public synchronized void damagedChunk(int index, long position) {
        isDamaged = true;
    }

    private void flushUnless(boolean hasRoom) {
        if (!hasRoom && !isDamaged) {
            flush();
        }
    }

    private void flush() {
        if (buffer.count() == 0) {
            return;
        }
        ReplicaMessage.Backup answer =
                wire.ask(
                                target,
                                new ReplicaMessage.DumpPart(
                                        dump.zone(), dump.run(), buffer.bytes()))
                        .join();
        if (answer.status() != ReplicaMessage.Status.OK) {
            throw new CompletionException("node " + target + " took no part of a dump", null);
        }
        buffer.clear();
    }
}
