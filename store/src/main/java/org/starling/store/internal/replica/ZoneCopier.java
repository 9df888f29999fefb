package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.net.NodeUnknownException;
import org.starling.store.ChunkId;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * Makes one node a backup of one zone: a full copy of its chunks as of position P while the stream
 * after P goes there as well; when the node has both on its disk, acknowledgements begin to wait
 * for it; when it has all that was acknowledged before that, the directory lists it. Owned by
 * {@link OwnedZones}, whose executor runs {@link #step} whenever something has happened, one at a
 * time; the next step follows from the state, not from what ran before. Sends {@value #WINDOW}
 * parts ahead.
 */
final class ZoneCopier {
    private static final Logger LOGGER = LogManager.getLogger(ZoneCopier.class);
    private static final int WINDOW = 4;

    /** Until the directory is asked again under an epoch under which it has listed nobody. */
    private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** What is to be done next; ends in DONE or FAILED. */
    enum State {
        START,
        STARTING,
        COPYING,
        ENDING,
        CATCHING_UP,
        LISTING,
        DONE,
        FAILED
    }

    private final ReplicationContext context;
    private final ZoneReplicator replicator;
    private final CopyBudget budget;
    private final BackupChannel channel;
    private final long base;
    private final long number;
    private final Consumer<ZoneInfo> news;
    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();

    // confined to the step that runs; published through wakes
    private int nextIndex;
    private long needed;
    private volatile boolean isAsked;

    /** Under which the directory was asked last, and when. */
    private long askedEpoch;

    private long askedNanos;

    private volatile State state = State.START;

    ZoneCopier(
            ReplicationContext context,
            ZoneReplicator replicator,
            CopyBudget budget,
            BackupChannel channel,
            long number,
            Consumer<ZoneInfo> news) {
        this.context = context;
        this.replicator = replicator;
        this.budget = budget;
        this.channel = channel;
        this.number = number;
        this.news = news;
        base = channel.acked();
    }

    boolean isEnded() {
        return state == State.DONE || state == State.FAILED;
    }

    /** Something may have happened; runs steps on the executor, one at a time. */
    void wake() {
        if (wakes.getAndIncrement() == 0) {
            context.executor().execute(this::run);
        }
    }

    private void run() {
        int seen;
        do {
            seen = wakes.get();
            try {
                step();
            } catch (RuntimeException e) {
                LOGGER.warn("copy of zone {} to node {} failed", text(), channel.node, e);
                state = State.FAILED;
                replicator.leave(channel);
            }
        } while (!wakes.compareAndSet(seen, 0));
    }

    private void step() {
        if (isEnded()) {
            return;
        }
        boolean isGivenUp = state == State.FAILED || !replicator.hasChannel(channel);
        if (replicator.isClosed() || (isGivenUp && state.compareTo(State.LISTING) < 0)) {
            fail("its owner or the new backup has gone");
            return;
        }
        switch (state) {
            case START -> start();
            case COPYING -> copy();
            case ENDING -> end();
            case CATCHING_UP -> catchUp();
            case LISTING -> list();
            case STARTING, DONE, FAILED -> {}
        }
    }

    private void start() {
        state = State.STARTING;
        ask(
                new ReplicaMessage.CopyStart(replicator.zone(), replicator.epoch(), base, number),
                () -> {
                    replicator.begun(channel);
                    state = State.COPYING;
                });
    }

    /** Sends parts as far as the window and the budget go. */
    private void copy() {
        if (base == 0) {
            nextIndex = -1; // nothing was logged before: everything comes with the stream
        }
        while (inFlight.get() < WINDOW && nextIndex >= 0) {
            if (!budget.tryTake(context.config().pieceBytes())) {
                return; // the next tick wakes it
            }
            try (RecordBuffer part = new RecordBuffer(context.config().pieceBytes())) {
                nextIndex = (int) context.chunks().forEach(replicator.zone(), nextIndex, part::put);
                if (nextIndex >= 0 && part.count() == 0) {
                    return; // the next chunk is just being created: the next tick wakes it
                }
                send(part(part));
            }
        }
        if (nextIndex < 0) {
            sendTags();
        }
    }

    /** The operations that have been executed go with the chunks. */
    private void sendTags() {
        List<ReplicaMessage.CopyPart> parts = new ArrayList<>();
        try (RecordBuffer buffer = new RecordBuffer(context.config().pieceBytes())) {
            replicator
                    .tags()
                    .forEach((client, sequence, executed) -> {
                        if (executed.position() <= base) {
                            int index = ChunkId.index(executed.first());
                            buffer.tag(client, sequence, index, executed.count());
                        }
                        if (buffer.isFull()) {
                            parts.add(part(buffer));
                            buffer.clear();
                        }
                    });
            parts.add(part(buffer));
        }
        parts.forEach(this::send);
        state = State.ENDING;
        end();
    }

    private void end() {
        if (inFlight.get() > 0) {
            return;
        }
        state = State.STARTING;
        ask(
                new ReplicaMessage.CopyEnd(replicator.zone(), replicator.epoch(), number),
                () -> {
                    needed = replicator.require(channel);
                    state = State.CATCHING_UP;
                });
    }

    private void catchUp() {
        if (replicator.hasForced(channel, needed)) {
            state = State.LISTING;
            list();
        }
    }

    /**
     * From here on the directory may list the node at any moment, so nothing goes on without it.
     */
    private void list() {
        if (isAsked || replicator.isListed(channel)) {
            state = replicator.isListed(channel) ? State.DONE : state;
            return;
        }
        long epoch = replicator.epoch();
        long now = context.nanoClock().getAsLong();
        if (epoch == askedEpoch && now - askedNanos < ASK_AGAIN_NANOS) {
            return;
        }
        askedEpoch = epoch;
        askedNanos = now;
        isAsked = true;
        CompletableFuture<?> _ =
                context.directory()
                        .apply(new Command.AddBackup(replicator.zone(), epoch, channel.node))
                        .whenCompleteAsync((result, failure) -> listed(result), context.executor());
    }

    private void listed(@Nullable Result result) {
        if (result instanceof Result.Zone now) {
            news.accept(now.info());
        }
        if (result instanceof Result.Refused refused) {
            fail(refused.reason());
            return;
        }
        isAsked = false; // if it is not listed yet, one of the next ticks asks again
    }

    private void fail(String reason) {
        if (state != State.FAILED) {
            LOGGER.info(
                    "node {} does not become a backup of zone {}: {}",
                    channel.node,
                    text(),
                    reason);
        }
        state = State.FAILED;
        replicator.leave(channel);
    }

    private ReplicaMessage.CopyPart part(RecordBuffer buffer) {
        return new ReplicaMessage.CopyPart(
                replicator.zone(), replicator.epoch(), number, buffer.count(), buffer.bytes());
    }

    private void send(ReplicaMessage.CopyPart part) {
        if (part.count() > 0) {
            inFlight.incrementAndGet();
            ask(part, inFlight::decrementAndGet);
        }
    }

    private void ask(ReplicaMessage.Ask question, Runnable then) {
        CompletableFuture<ReplicaMessage.Backup> answer;
        try {
            answer = context.wire().ask(channel.node, question);
        } catch (RuntimeException e) { // a network that is closed or full
            answer = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<?> _ =
                answer.whenCompleteAsync(
                        (backup, failure) -> {
                            if (failure != null && !isUnknown(failure)) {
                                context.avoided().addSilent(channel.node);
                            }
                            if (backup != null) {
                                context.avoided()
                                        .refused(channel.node, replicator.zone(), backup.status());
                            }
                            if (failure != null
                                    || backup == null
                                    || backup.status() != ReplicaMessage.Status.OK) {
                                fail(
                                        failure != null
                                                ? String.valueOf(failure.getMessage())
                                                : "it answered " + backup);
                                return;
                            }
                            then.run();
                            wake();
                        },
                        context.executor());
    }

    /**
     * A node that has just joined, of which this one hears in a moment: it was not asked at all.
     */
    private static boolean isUnknown(Throwable failure) {
        return failure instanceof NodeUnknownException
                || failure.getCause() instanceof NodeUnknownException;
    }

    @Override
    public String toString() {
        return "copy of zone " + text() + " to node " + channel.node + ": " + state;
    }

    private String text() {
        return Long.toHexString(replicator.zone());
    }
}
