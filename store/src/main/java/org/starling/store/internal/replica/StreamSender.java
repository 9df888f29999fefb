package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * Sends the stream of a zone to its backups and takes their answers: for each backup one thread at
 * a time, several messages on their way. Owned by {@link ZoneReplicator}; any thread, none of which
 * holds the lock of the zone or is inside a chunk. Answers come on a receiving thread.
 */
final class StreamSender {
    private final ReplicationContext context;
    private final ZoneState state;
    private final Consumer<ZoneInfo> news;

    /** Guarded by the lock of the zone. */
    private boolean isQueued;

    StreamSender(ReplicationContext context, ZoneState state, Consumer<ZoneInfo> news) {
        this.context = context;
        this.state = state;
        this.news = news;
    }

    /** Lets another thread send; under the lock of the zone. */
    void queue() {
        if (!isQueued) {
            isQueued = true;
            context.executor().execute(this::run);
        }
    }

    private void run() {
        state.lock.lock();
        try {
            isQueued = false;
        } finally {
            state.lock.unlock();
        }
        for (BackupChannel channel : state.targets) {
            send(channel);
        }
    }

    /** Sends what there is to all backups that take more; another thread to those in trouble. */
    void send() {
        for (BackupChannel channel : state.targets) {
            sendAtOnce(channel);
        }
    }

    private void sendAtOnce(BackupChannel channel) {
        boolean isTroubled;
        state.lock.lock();
        try {
            isTroubled = channel.isTroubled();
            if (isTroubled) {
                queue();
            }
        } finally {
            state.lock.unlock();
        }
        if (!isTroubled) {
            send(channel);
        }
    }

    private void send(BackupChannel channel) {
        BackupChannel.Slice slice = nextSlice(channel);
        while (slice != null) {
            ship(channel, slice);
            slice = nextSlice(channel);
        }
        ReplicaMessage.Force force;
        int generation;
        state.lock.lock();
        try {
            long position = state.isClosed ? -1 : channel.nextForce();
            if (position < 0) {
                return;
            }
            generation = channel.generation();
            force = new ReplicaMessage.Force(state.zone, state.epoch, position);
        } finally {
            state.lock.unlock();
        }
        CompletableFuture<?> _ =
                ask(channel.node, force)
                        .whenComplete((answer, failure) ->
                                answered(channel, generation, true, answer, failure));
    }

    private BackupChannel.@Nullable Slice nextSlice(BackupChannel channel) {
        state.lock.lock();
        try {
            return state.isClosed
                    ? null
                    : channel.nextSlice(state.stream, state.epoch, context.config().window());
        } finally {
            state.lock.unlock();
        }
    }

    private void ship(BackupChannel channel, BackupChannel.Slice slice) {
        byte[] entries = new byte[slice.bytes()];
        NativeMemory.copyToArray(slice.piece().address + slice.offset(), entries, 0, slice.bytes());
        CompletableFuture<ReplicaMessage.Backup> answer =
                ask(
                        channel.node,
                        new ReplicaMessage.Append(
                                state.zone, slice.epoch(), slice.first(), slice.count(), entries));
        state.lock.lock();
        try {
            channel.sent();
            state.stream.leave(slice.piece());
        } finally {
            state.lock.unlock();
        }
        CompletableFuture<?> _ =
                answer.whenComplete((backup, failure) ->
                        answered(channel, slice.generation(), false, backup, failure));
    }

    private CompletableFuture<ReplicaMessage.Backup> ask(int node, ReplicaMessage.Ask question) {
        try {
            return context.wire().ask(node, question);
        } catch (RuntimeException e) { // a network that is closed or full
            return CompletableFuture.failedFuture(e);
        }
    }

    /** A backup has answered, or has not. */
    private void answered(
            BackupChannel channel,
            int generation,
            boolean isForce,
            ReplicaMessage.@Nullable Backup answer,
            @Nullable Throwable failure) {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        state.lock.lock();
        try {
            if (state.isClosed || state.channels.get(channel.node) != channel) {
                return;
            }
            boolean isCurrent = channel.generation() == generation;
            if (answer == null || failure != null) {
                if (isCurrent) {
                    channel.failed(context.nanoClock().getAsLong());
                }
                return;
            }
            context.avoided().answered(channel.node);
            boolean couldConfirm = state.mayConfirm();
            take(channel, isCurrent, isForce, answer);
            state.advance(due);
            if (state.mayConfirm() && !couldConfirm) {
                state.rounds.hurry(); // writers wait for the first confirmation
            }
        } finally {
            state.rounds.stir();
            state.lock.unlock();
        }
        due.forEach(each -> each.complete(null));
        if (answer.status() == ReplicaMessage.Status.STALE) {
            CompletableFuture<?> _ = context.directory().zone(state.zone).thenAccept(news);
        } else {
            sendAtOnce(channel);
        }
    }

    private void take(
            BackupChannel channel,
            boolean isCurrent,
            boolean isForce,
            ReplicaMessage.Backup answer) {
        switch (answer.status()) {
            case OK -> {
                channel.learned(Math.min(answer.end(), state.end), answer.forcedEnd());
                if (isCurrent && isForce) {
                    channel.forceEnded();
                } else if (isCurrent) {
                    channel.taken();
                }
            }
            case GAP -> {
                channel.learned(Math.min(answer.end(), state.end), answer.forcedEnd());
                if (isCurrent) {
                    channel.rewind();
                }
            }
            case STALE -> {
                if (isCurrent) {
                    channel.failed(context.nanoClock().getAsLong());
                }
            }
            case ABSENT, FAILED, REFUSED -> {
                channel.isBroken = true;
                channel.isEmpty = answer.status() == ReplicaMessage.Status.ABSENT;
                if (!channel.isListed) { // behind a copy
                    context.avoided().refused(channel.node, state.zone, answer.status());
                }
            }
        }
    }
}
