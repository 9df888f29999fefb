package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.registerNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Request;
import org.starling.store.ChunkId;
import org.starling.store.IndeterminateException;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.node.NodeMessage.RecoverZone;
import org.starling.store.internal.node.NodeMessage.Recovered;

/**
 * Two superpeers that both take themselves for the leader, over one directory whose commands are
 * lost, come late and come twice, in random schedules: no epoch is that of two nodes' recoveries,
 * and whoever owns the zone has an epoch that none of the fences refuses.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class RecoveryEpochsTest {
    private static final int SCHEDULES = 200;
    private static final int STEPS = 150;
    private static final Recovered SUCCESS = new Recovered("", 1, 2, 0, false, List.of());
    private static final Recovered FAILURE = new Recovered("no", 0, 0, 0, false, List.of());

    @Test
    void belongToOneNodeEachAndFenceNobodyOut() {
        int underHandovers = 0;
        int fresh = new Random().nextInt(Integer.MAX_VALUE - SCHEDULES);
        int first = Integer.getInteger("starling.seed", fresh);
        for (int seed = first; seed < first + SCHEDULES; seed++) {
            try (Schedule schedule = new Schedule(seed)) {
                underHandovers += schedule.run();
            }
        }
        assertThat(underHandovers).isGreaterThan(SCHEDULES / 2);
    }

    private static final class Schedule implements AutoCloseable {
        private final int seed;
        private final Random random;
        private final AtomicLong now = new AtomicLong(1_000);
        private final LossyDirectory directory = new LossyDirectory();
        private final List<Integer> peers = new ArrayList<>();
        private final long zone;
        private final List<MemberWatch> watches = new ArrayList<>();
        private final List<RecoveryCoordinator> leaders = new ArrayList<>();
        private final List<Runnable> late = new ArrayList<>();
        private final List<CompletableFuture<Recovered>> asked = new ArrayList<>();

        /** By epoch: who was asked to recover the zone under it. */
        private final Map<Long, Integer> recoverers = new HashMap<>();

        private long highestAsked;
        private long handedOver;
        private int underHandovers;

        Schedule(int seed) {
            this.seed = seed;
            random = new Random(seed);
            apply(new Command.FoundCluster(5, 1));
            apply(new Command.RegisterSuperpeer(0, "", 0));
            for (int i = 0; i < 4; i++) {
                join();
            }
            zone = ChunkId.zoneOf(peers.getFirst(), 0);
            apply(new Command.OpenZone(zone, peers.getFirst(), 1 + random.nextInt(3)));
            apply(new Command.ConfirmZone(zone, 1, peers.getFirst()));
            StoreConfig config = StoreConfig.defaults();
            for (int i = 0; i < 2; i++) {
                MemberWatch watch = new MemberWatch(config, now::get);
                RecoveryCoordinator leader =
                        new RecoveryCoordinator(
                                directory,
                                watch,
                                new LossBook(now::get),
                                this::ask,
                                1 << 20,
                                now::get,
                                () -> {});
                watch.takeOver(directory.read(Directory::nodes), 0);
                watches.add(watch);
                leaders.add(leader);
                directory.onApplied((command, result) -> noteYield(leader, command, result));
            }
        }

        /** How many recoveries ran under the epoch of a handover. */
        int run() {
            for (int step = 0; step < STEPS; step++) {
                act();
                check();
            }
            return underHandovers;
        }

        private void act() {
            now.addAndGet(random.nextLong(Duration.ofMillis(400).toNanos()));
            ZoneInfo info = info();
            switch (random.nextInt(16)) {
                case 0, 1 -> handOver(info);
                case 2, 3 -> takeOne(late, Runnable::run);
                case 4, 5 -> takeOne(asked, answer -> answer.complete(SUCCESS));
                case 6 -> takeOne(asked, answer -> answer.complete(FAILURE));
                case 7 ->
                        takeOne(
                                asked,
                                answer ->
                                        answer.completeExceptionally(
                                                new IllegalStateException("lost")));
                case 8 -> leaders.get(random.nextInt(2)).takeOver();
                case 9 -> changeMembers(info);
                case 10 -> apply(new Command.NoteDisk(one(peers), random.nextBoolean()));
                default -> leaders.get(random.nextInt(2)).doWork();
            }
        }

        private void handOver(ZoneInfo info) {
            int target = info.backups().isEmpty() ? -1 : one(info.backups());
            apply(
                    new Command.YieldZone(
                            zone,
                            info.epoch(),
                            info.owner(),
                            random.nextInt(4) == 0 ? Command.YieldZone.ANYBODY : target));
        }

        private void changeMembers(ZoneInfo info) {
            int node = one(peers);
            if (random.nextInt(3) > 0) {
                apply(new Command.AddBackup(zone, info.epoch(), node));
            } else if (peers.size() > 2 && info.backups().size() > 1) {
                apply(new Command.RemoveNode(node));
                peers.removeIf(each -> each == node);
                watches.forEach(watch -> watch.removed(node));
                join();
            }
        }

        private void join() {
            Result joined = apply(registerNode(Role.PEER, "", 0, 1, NodeOptions.STORES));
            int node = ((Result.NodeRegistered) joined).node();
            peers.add(node);
            watches.forEach(watch -> watch.heard(node));
        }

        private void noteYield(RecoveryCoordinator leader, Command command, Result result) {
            if (command instanceof Command.YieldZone c
                    && result instanceof Result.Zone yielded
                    && yielded.changed()) {
                handedOver = yielded.info().epoch();
                Runnable told = () -> leader.prefer(c.zone(), yielded.info().epoch(), c.target());
                if (random.nextInt(3) > 0) {
                    told.run();
                } else {
                    late.add(told);
                }
            }
        }

        private CompletableFuture<Recovered> ask(
                int node, Request<Recovered> request, Duration timeout) {
            long epoch = ((RecoverZone) request).epoch();
            Integer before = recoverers.putIfAbsent(epoch, node);
            assertThat(before == null || before == node)
                    .as("seed %d: epoch %d is that of %s and %d", seed, epoch, before, node)
                    .isTrue();
            underHandovers += epoch == handedOver ? 1 : 0;
            highestAsked = Math.max(highestAsked, epoch);
            CompletableFuture<Recovered> answer = new CompletableFuture<>();
            asked.add(answer);
            return answer;
        }

        /** Fences are at the epoch after that of the recovery. */
        private void check() {
            ZoneInfo info = info();
            if (highestAsked == 0 || !peers.contains(info.owner())) {
                return;
            }
            boolean isRecoverer =
                    info.epoch() == highestAsked + 1
                            && recoverers.getOrDefault(highestAsked, -1) == info.owner();
            assertThat(isRecoverer || info.epoch() > highestAsked + 1)
                    .as("seed %d: %s behind a recovery under %d", seed, info, highestAsked)
                    .isTrue();
        }

        private <T> T one(List<T> all) {
            return all.get(random.nextInt(all.size()));
        }

        private <T> void takeOne(List<T> all, Consumer<T> use) {
            if (!all.isEmpty()) {
                use.accept(all.remove(random.nextInt(all.size())));
            }
        }

        private ZoneInfo info() {
            return directory.read(all -> all.zone(zone)).orElseThrow();
        }

        private Result apply(Command command) {
            return directory.directory.apply(command).join();
        }

        @Override
        public void close() {
            directory.close();
        }

        private final class LossyDirectory extends InterposedDirectory {
            @Override
            public <T> T read(Function<Directory, T> query) {
                return directory.read(query);
            }

            @Override
            public CompletableFuture<Result> apply(Command command) {
                switch (random.nextInt(6)) {
                    case 0 -> {
                        return unknown();
                    }
                    case 1 -> {
                        late.add(() -> carryOut(command));
                        return unknown();
                    }
                    case 2 -> {
                        carryOut(command);
                        return unknown();
                    }
                    case 3 -> late.add(() -> carryOut(command));
                    default -> {}
                }
                return directory.apply(command);
            }

            private void carryOut(Command command) {
                CompletableFuture<?> _ = directory.apply(command);
            }

            private static CompletableFuture<Result> unknown() {
                return CompletableFuture.failedFuture(
                        new IndeterminateException("no answer", null));
            }
        }
    }
}
