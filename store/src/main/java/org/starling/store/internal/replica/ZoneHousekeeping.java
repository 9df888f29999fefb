package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * What the owner of a zone tells the directory: that it works under the present epoch, and which
 * backups have failed. Owned by {@link ZoneReplicator}; called in rounds by one thread, and works
 * out from the state what is due.
 */
final class ZoneHousekeeping {
    private static final Logger LOGGER = LogManager.getLogger(ZoneHousekeeping.class);
    private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ReplicationContext context;
    private final ZoneState state;
    private final Consumer<ZoneInfo> news;

    // guarded by the lock of the zone
    private long confirmAskedEpoch = ZoneState.NEVER;
    private long confirmAskedNanos;

    ZoneHousekeeping(ReplicationContext context, ZoneState state, Consumer<ZoneInfo> news) {
        this.context = context;
        this.state = state;
        this.news = news;
    }

    /** One round. */
    void doWork(long nowNanos) {
        confirmIfDue(nowNanos);
        retireBroken(nowNanos);
        retireSurplus(nowNanos);
    }

    /**
     * Confirms the epoch: after that the directory forgets who is no backup any more. Unless that
     * fails, the same one is not confirmed again before a while.
     */
    private void confirmIfDue(long nowNanos) {
        long confirmed;
        state.lock.lock();
        try {
            boolean wasAsked =
                    confirmAskedEpoch == state.epoch
                            && nowNanos - confirmAskedNanos <= ASK_AGAIN_NANOS;
            if (wasAsked || !state.mayConfirm()) {
                return;
            }
            confirmed = state.epoch;
            confirmAskedEpoch = confirmed;
            confirmAskedNanos = nowNanos;
        } finally {
            state.lock.unlock();
        }
        CompletableFuture<?> _ =
                context.directory()
                        .apply(new Command.ConfirmZone(state.zone, confirmed, context.self()))
                        .whenComplete((result, failure) -> confirmed(confirmed, result, failure));
    }

    private void confirmed(long confirmed, @Nullable Result result, @Nullable Throwable failure) {
        List<CompletableFuture<Void>> due = new ArrayList<>();
        state.lock.lock();
        try {
            if (failure != null && confirmAskedEpoch == confirmed) {
                confirmAskedEpoch = ZoneState.NEVER;
            }
            boolean isConfirmed =
                    failure == null
                            && result instanceof Result.Zone now
                            && now.info().epoch() == confirmed;
            if (isConfirmed && !state.isClosed) {
                state.confirmedEpoch = Math.max(state.confirmedEpoch, confirmed);
                state.advance(due);
            }
        } finally {
            state.lock.unlock();
        }
        due.forEach(each -> each.complete(null));
        if (result != null) {
            told(result);
        }
    }

    private void retireBroken(long nowNanos) {
        List<Command.RetireBackup> broken = new ArrayList<>();
        state.lock.lock();
        try {
            for (BackupChannel channel : state.channels.values()) {
                if (mayGo(channel)
                        && channel.isListed
                        && (channel.retireAskedNanos == 0
                                || nowNanos - channel.retireAskedNanos > ASK_AGAIN_NANOS)) {
                    channel.retireAskedNanos = nowNanos;
                    broken.add(
                            new Command.RetireBackup(
                                    state.zone, state.epoch, channel.node, !channel.isEmpty));
                }
            }
        } finally {
            state.lock.unlock();
        }
        for (Command.RetireBackup each : broken) {
            LOGGER.warn(
                    "node {} has lost its copy of zone {} or does not answer; another backup takes"
                            + " its place",
                    each.node(),
                    Long.toHexString(state.zone));
            CompletableFuture<?> _ = context.directory().apply(each).thenAccept(this::told);
        }
    }

    /** One more than are wanted: a copy that was made for a handover that came to nothing. */
    private void retireSurplus(long nowNanos) {
        Command.RetireBackup surplus = null;
        state.lock.lock();
        try {
            for (BackupChannel channel : state.channels.values()) {
                channel.isSurplus &=
                        !channel.isListed || state.liveBackups() > context.config().backups();
                if (channel.isSurplus
                        && channel.isGood()
                        && (channel.retireAskedNanos == 0
                                || nowNanos - channel.retireAskedNanos > ASK_AGAIN_NANOS)) {
                    channel.retireAskedNanos = nowNanos;
                    surplus = new Command.RetireBackup(state.zone, state.epoch, channel.node, true);
                }
            }
        } finally {
            state.lock.unlock();
        }
        if (surplus != null) {
            CompletableFuture<?> _ = context.directory().apply(surplus).thenAccept(this::told);
        }
    }

    /**
     * One that is merely silent, or whose log can still be read, has all that was acknowledged: it
     * is not the last to go.
     */
    private boolean mayGo(BackupChannel channel) {
        if (!channel.isBroken) {
            return channel.isSilent && state.liveBackups() > 0;
        }
        boolean isLast = true;
        for (BackupChannel other : state.channels.values()) {
            isLast &=
                    other == channel
                            || !other.isListed
                            || other.isEmpty
                            || other.retireAskedNanos != 0;
        }
        return channel.isEmpty || !isLast;
    }

    private void told(Result result) {
        if (result instanceof Result.Zone now) {
            news.accept(now.info());
        }
    }
}
