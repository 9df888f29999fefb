package org.starling.store.internal.replica;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.replica.SimWorld.Fault;
import org.starling.store.internal.replica.SimWorld.SimNode;

/**
 * The only writer of one chunk, which counts it up, one operation after the other, each tried again
 * under the same tag until it is acknowledged; and a reader of it. So after the k-th
 * acknowledgement the chunk holds k: less is a lost write, more is a write that took effect twice.
 */
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
final class SimClient {
    private final SimWorld world;
    private final int id;
    private final long chunk;
    private final long zone;

    /** After so many operations the chunk is removed. */
    private final long removesAfter;

    private long acknowledged;
    private long sequence = 1;
    private long lastTry = Long.MIN_VALUE;
    private long steps;

    /** What a later read may not be below. */
    private long floor;

    private boolean isRemoving;
    private boolean isRemoved;
    private boolean isRetired;

    SimClient(SimWorld world, int id, long chunk, long removesAfter) {
        this.world = world;
        this.id = id;
        this.chunk = chunk;
        this.zone = ChunkId.zone(chunk);
        this.removesAfter = removesAfter;
    }

    long acknowledged() {
        return acknowledged;
    }

    /** Begins, or tries again what has not been answered for some time. */
    void act(boolean isBusy) {
        steps++;
        if (isGone()) {
            return;
        }
        SimNode node = owner();
        if (node == null) {
            return;
        }
        if (world.random.nextInt(3) == 0) {
            world.later(node.id, () -> read(node));
        }
        boolean isOpen = lastTry != Long.MIN_VALUE;
        if ((isOpen && steps - lastTry > 12) || (!isOpen && isBusy && !isRemoved)) {
            if (!isOpen && acknowledged >= removesAfter) {
                isRemoving = true;
            }
            lastTry = steps;
            long number = sequence;
            world.later(node.id, () -> write(node, number));
        }
    }

    boolean isRemoved() {
        return isRemoved;
    }

    /** The id may be another chunk's from now on. */
    void retire() {
        isRetired = true;
    }

    /** Whether its zone was dropped; then the chunk was removed, whoever heard of that. */
    boolean isGone() {
        if (world.directory.hasZone(zone)) {
            return false;
        }
        violation(isRemoving, "its zone was dropped although it is there");
        isRemoved = true;
        lastTry = Long.MIN_VALUE;
        return true;
    }

    boolean isIdle() {
        return lastTry == Long.MIN_VALUE;
    }

    /** Who owns the zone; now and then who did before, so that it can show what it does then. */
    private SimNode owner() {
        SimNode node =
                world.random.nextInt(4) == 0
                        ? world.any()
                        : world.nodes.get(world.directory.zoneNow(zone).owner());
        return node != null && node.isUp() && node.zones.owns(zone) ? node : null;
    }

    private void write(SimNode node, long number) {
        if (number != sequence
                || isGone()
                || !node.zones.owns(zone)
                || node.zones.backups(zone) < world.config.leastBackups()) {
            return;
        }
        WriteTag tag = new WriteTag(id, number);
        if (world.fault == Fault.NO_TAGS) {
            tag = WriteTag.NONE;
        }
        Durability durability =
                world.fault == Fault.NO_WAITING
                        ? Durability.MEMORY
                        : number % 3 == 0 || world.hasDisks ? Durability.POWER : Durability.PROCESS;
        WriteGuard guard = node.zones.admit(zone, tag, durability);
        CompletableFuture<Void> safe;
        if (guard.isFresh()) {
            byte[] value = node.chunks.getOrNull(chunk);
            if (value == null) {
                guard.failed(new IllegalStateException("absent"));
                violation(isRemoving, "the chunk is gone at its owner " + node.id);
                return;
            }
            long position =
                    isRemoving
                            ? node.chunks.remove(chunk, tag)
                            : node.chunks.put(chunk, bytes(number(value) + 1), tag);
            guard.done(new Executed(position, chunk, 1));
            safe = node.zones.await(chunk, position, durability);
        } else {
            safe =
                    guard.first()
                            .thenCompose(
                                    first -> node.zones.await(chunk, first.position(), durability));
        }
        CompletableFuture<?> _ =
                safe.whenComplete((nothing, failure) ->
                        world.later(
                                node.id,
                                () -> {
                                    if (failure == null && !node.isLeaseOver && !world.isLost()) {
                                        if (durability == Durability.POWER) {
                                            world.onDisks(zone, guard.first().join().position());
                                        }
                                        acknowledged(number);
                                    }
                                }));
    }

    private void acknowledged(long number) {
        if (number != sequence) {
            return;
        }
        sequence++;
        lastTry = Long.MIN_VALUE;
        if (isRemoving) {
            isRemoved = true;
        } else {
            acknowledged++;
            floor = Math.max(floor, acknowledged);
        }
    }

    private void read(SimNode node) {
        if (isRetired || !node.zones.owns(zone) || node.isLeaseOver) {
            return;
        }
        byte[] value = node.chunks.getOrNull(chunk);
        long least = floor;
        boolean wasRemoved = isRemoved;
        CompletableFuture<?> _ =
                node.zones
                        .settled(chunk)
                        .whenComplete((nothing, failure) -> {
                            if (failure == null && !node.isLeaseOver) {
                                check(value, least, wasRemoved, "read at node " + node.id);
                            }
                        });
    }

    /** What somebody has read, after all that was acknowledged when the reading began. */
    void check(byte[] value, long least, boolean wasRemoved, String where) {
        if (value == null) {
            violation(isRemoving, where + " found nothing, expected " + least);
            return;
        }
        violation(!wasRemoved, where + " found a removed chunk again");
        long found = number(value);
        violation(found >= least, where + " found " + found + ", acknowledged " + least);
        violation(
                found <= acknowledged + 1,
                where + " found " + found + " after " + acknowledged + " operations and one open");
        if (!world.hasDisks) { // what was read need not be on disk yet
            floor = Math.max(floor, found);
        }
    }

    void checkFinal(byte[] value, String where) {
        check(value, acknowledged, isRemoved, where);
        violation(
                value == null || number(value) == acknowledged,
                where + " holds another number than " + acknowledged);
        violation(value == null || !isRemoved, where + " holds a removed chunk");
    }

    long chunk() {
        return chunk;
    }

    private void violation(boolean isGood, String text) {
        if (!isGood) {
            String violation = "chunk " + ChunkId.toString(chunk) + ": " + text;
            world.violated(violation);
            throw new Violation(violation);
        }
    }

    /** A promise was broken. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    static byte[] bytes(long number) {
        return ByteBuffer.allocate(8).putLong(number).array();
    }

    private static long number(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }
}
