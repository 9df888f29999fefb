package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.replica.SimWorld.Fault;
import org.starling.store.internal.replica.SimWorld.SimNode;

/**
 * Short lives of a small cluster: writers and readers while nodes are killed and paused and
 * messages get lost. A seed that failed is given back by {@code -Dstarling.seed=N}.
 */
@Timeout(60)
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
class ReplicationScheduleTest {
    private static final int PEERS = 6;
    private static final int SCHEDULES = Integer.getInteger("starling.schedules", 300);
    private static final int TWIN_SCHEDULES = 3_000;
    private static final int BUSY_STEPS = 1500;
    private static final int CALM_STEPS = 40_000;

    /** A strike comes after so many in which something is being copied. */
    private static final int COPIED_STEPS = 10;

    /** So long zones go on to be handed over after the last fault. */
    private static final int CALM_HANDOVERS = 3000;

    /** Found a promise broken once. */
    private static final long[] FORMER = {529_862_938, 763_846_110, 1_359_969_639};

    /** The same where no more than one backup is wanted. */
    private static final long[] FORMER_WITH_ONE_BACKUP = {1_031_053_414};

    @Test
    void keepsItsPromisesInSchedulesThatFailedBefore() {
        for (long seed : FORMER) {
            live(seed, SimWorld.BACKUPS, Fault.NONE);
        }
        for (long seed : FORMER_WITH_ONE_BACKUP) {
            live(seed, 1, Fault.NONE);
        }
    }

    /** One half of the seeds is the same in every build, the other half is new. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void keepsItsPromisesInEverySchedule() {
        Long only = Long.getLong("starling.seed");
        long fresh = new Random().nextLong(SCHEDULES, Integer.MAX_VALUE);
        LongStream seeds =
                only != null
                        ? LongStream.of(only)
                        : LongStream.concat(
                                LongStream.rangeClosed(1, SCHEDULES / 2),
                                LongStream.range(fresh, fresh + SCHEDULES / 2));

        Life all =
                seeds.mapToObj(seed -> live(seed, SimWorld.BACKUPS, Fault.NONE))
                        .reduce(Life.NONE, Life::and);

        assertThat(all.acknowledged).isGreaterThan(only == null ? 10L * SCHEDULES : 0);
        assertThat(all.dropped).isGreaterThan(only == null ? SCHEDULES / 5 : -1);
        assertThat(all.handedOver).isGreaterThan(only == null ? SCHEDULES / 20 : -1);
        assertThat(all.prepared).isGreaterThan(only == null ? SCHEDULES / 40 : -1);
        assertThat(all.leftWhole).isGreaterThan(only == null ? SCHEDULES / 100 : -1);
    }

    /** A tenth as many schedules in which no more than one backup is wanted. */
    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void keepsItsPromisesWithOneBackupInEverySchedule() {
        long fresh = new Random().nextLong(SCHEDULES, Integer.MAX_VALUE);
        Long only = Long.getLong("starling.seed");

        LongStream seeds =
                only != null
                        ? LongStream.of(only)
                        : LongStream.range(fresh, fresh + SCHEDULES / 10);

        Life all = seeds.mapToObj(seed -> live(seed, 1, Fault.NONE)).reduce(Life.NONE, Life::and);

        assertThat(all.acknowledged).isPositive();
    }

    /** With the seed that the search found first. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void noticesWhatIsWrong(Fault fault) {
        assertThatThrownBy(() -> live(fault.seed, fault.backups, fault))
                .isInstanceOf(SimFailure.class);
    }

    @Tag("slow")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void findsWhatIsWrong(Fault fault) {
        long first =
                LongStream.rangeClosed(1, TWIN_SCHEDULES)
                        .filter(seed -> isNoticed(seed, fault))
                        .findFirst()
                        .orElse(0);

        assertThat(first)
                .as("the first seed with which %s is noticed", fault)
                .isEqualTo(fault.seed);
    }

    private static boolean isNoticed(long seed, Fault fault) {
        try {
            live(seed, fault.backups, fault);
            return false;
        } catch (SimFailure e) {
            return true;
        }
    }

    /** What happened in a schedule. */
    private record Life(
            long acknowledged, long dropped, long handedOver, long prepared, long leftWhole) {
        private static final Life NONE = new Life(0, 0, 0, 0, 0);

        private Life and(Life other) {
            return new Life(
                    acknowledged + other.acknowledged,
                    dropped + other.dropped,
                    handedOver + other.handedOver,
                    prepared + other.prepared,
                    leftWhole + other.leftWhole);
        }
    }

    /** One schedule. */
    private static Life live(long seed, int backups, Fault fault) {
        try (SimWorld world = new SimWorld(seed, PEERS, backups, fault)) {
            List<SimClient> clients = openZones(world);
            SimChurn churn = new SimChurn(world, clients);
            int faults = world.random.nextInt(world.hasDisks ? 10 : 4);
            for (int step = 0; step < BUSY_STEPS; step++) {
                world.step();
                churn.act(true);
                clients.get(world.random.nextInt(clients.size())).act(true);
                if (faults > 0 && isTimeToStrike(world)) {
                    faults -= strike(world, churn) ? 1 : 0;
                }
                resumeSome(world);
                world.hangSome();
                world.handOverSome();
                world.leaveSome(true);
            }
            world.loss = 0;
            world.nodes.values().forEach(node -> node.isPaused = false);
            calm(world, churn, clients);
            if (!churn.cameBack().isEmpty()) {
                throw new SimClient.Violation("zones came back: " + churn.cameBack());
            }
            clients.forEach(client -> checkEverywhere(world, client));
            return new Life(
                    clients.stream().mapToLong(SimClient::acknowledged).sum(),
                    churn.dropped(),
                    world.handedOver(),
                    world.readyRecoveries,
                    world.leftWhole());
        } catch (SimClient.Violation | AssertionError | IllegalStateException e) {
            throw new SimFailure("seed " + seed + ", " + fault + ": " + e.getMessage(), e);
        }
    }

    private static List<SimClient> openZones(SimWorld world) {
        List<SimClient> clients = new ArrayList<>();
        for (int owner = 1; owner <= 2; owner++) {
            SimNode node = world.nodes.get(owner);
            long zone = ChunkId.zoneOf(owner, 0);
            ZoneInfo info =
                    ((Result.Zone)
                                    world.directory.now(
                                            new Command.OpenZone(
                                                    zone, owner, world.config.backups())))
                            .info();
            node.zones.open(info);
            Created created = node.chunks.create(zone, new Sizes.Uniform(3, 8), WriteTag.NONE);
            CompletableFuture<Void> safe =
                    node.zones.await(
                            created.first(),
                            created.position(),
                            world.hasDisks ? Durability.POWER : Durability.PROCESS);
            while (!safe.isDone()) {
                world.step();
            }
            long first = created.first();
            for (int i = 0; i < 3; i++) {
                long removesAfter = i == 2 ? 4 : Long.MAX_VALUE;
                clients.add(new SimClient(world, 10 * owner + i, first + i, removesAfter));
            }
        }
        return clients;
    }

    /** At any time, and in the middle of copies. */
    private static boolean isTimeToStrike(SimWorld world) {
        return world.random.nextInt(BUSY_STEPS / 6) == 0
                || (world.hasDisks
                        && world.random.nextInt(COPIED_STEPS) == 0
                        && world.nodes.values().stream()
                                .anyMatch(node -> node.isUp() && node.logs.isCopying()));
    }

    /** Kills or pauses a node, unless that could take the last copy of a zone. */
    private static boolean strike(SimWorld world, SimChurn churn) {
        if (world.hasDisks && world.random.nextInt(4) == 0) {
            for (int i = world.random.nextInt(PEERS); i >= 0; i--) {
                strike(world, churn, world.any()); // several at once
            }
            return true;
        }
        return strike(world, churn, world.any());
    }

    private static boolean strike(SimWorld world, SimChurn churn, SimNode node) {
        if (!node.isUp() || !world.directory.isMember(node.id)) {
            return false;
        }
        if (!world.hasDisks && !canLose(world, churn, node)) {
            return false;
        }
        if (world.random.nextInt(3) == 0) {
            world.pause(node);
        } else {
            world.kill(node);
        }
        return true;
    }

    private static boolean canLose(SimWorld world, SimChurn churn, SimNode node) {
        long members =
                world.nodes.values().stream()
                        .filter(each -> each.isUp() && world.directory.isMember(each.id))
                        .count();
        if (members <= 3) {
            return false;
        }
        for (long zone : zones(churn)) {
            ZoneInfo info = world.directory.zoneNow(zone);
            boolean isOwned =
                    info.lastOwner() != node.id
                            && world.nodes.get(info.lastOwner()).isUp()
                            && world.directory.isMember(info.lastOwner());
            boolean isBacked =
                    info.backups().stream()
                            .anyMatch(each -> each != node.id && world.nodes.get(each).isUp());
            if (!isOwned && !isBacked) {
                return false;
            }
        }
        return true;
    }

    private static void resumeSome(SimWorld world) {
        List<SimNode> lost = world.hasDisks ? world.lost() : List.of();
        if (!lost.isEmpty() && world.random.nextInt(100) == 0) {
            world.restart(lost.get(world.random.nextInt(lost.size())));
        }
        List<SimNode> paused = world.nodes.values().stream().filter(node -> node.isPaused).toList();
        if (!paused.isEmpty() && world.random.nextInt(100) == 0) {
            paused.get(world.random.nextInt(paused.size())).isPaused = false;
        }
    }

    /** Without further faults everything is answered and replicated again. */
    private static void calm(SimWorld world, SimChurn churn, List<SimClient> clients) {
        for (int step = 0; step < CALM_STEPS; step++) {
            world.step();
            if (step < CALM_HANDOVERS && world.fault == Fault.NONE) {
                world.handOverSome();
            }
            world.leaveSome(false);
            churn.act(false);
            clients.get(world.random.nextInt(clients.size())).act(false);
            if (world.hasDisks) {
                world.lost().forEach(world::restart);
            }
            if (step % 50 == 0
                    && isWhole(world, churn)
                    && clients.stream().allMatch(SimClient::isIdle)) {
                return;
            }
        }
        throw new SimClient.Violation("the cluster hangs: " + state(world, churn));
    }

    /** The two that stay and those of the churn. */
    private static List<Long> zones(SimChurn churn) {
        List<Long> zones = new ArrayList<>(churn.zones());
        zones.add(ChunkId.zoneOf(1, 0));
        zones.add(ChunkId.zoneOf(2, 0));
        return zones;
    }

    private static boolean isWhole(SimWorld world, SimChurn churn) {
        if (!churn.isSettled()) {
            return false;
        }
        for (long zone : zones(churn)) {
            ZoneInfo info = world.directory.zoneNow(zone);
            long possible =
                    world.nodes.values().stream()
                            .filter(each -> world.directory.isMember(each.id))
                            .filter(each -> each.id != info.owner() && !each.isHung())
                            .count();
            SimNode owner = world.nodes.get(info.owner());
            if (!world.directory.isMember(info.owner())
                    || !owner.zones.owns(info.zone())
                    || info.backups().size() < Math.min(world.config.backups(), possible)) {
                return false;
            }
            for (int backup : info.backups()) {
                MemoryZoneLog log = world.nodes.get(backup).logs.get(info.zone());
                if (world.nodes.get(backup).isHung()) {
                    return false;
                }
                if (world.fault == Fault.NONE && (log == null || !isLevel(world, info, log))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isLevel(SimWorld world, ZoneInfo info, MemoryZoneLog log) {
        return info.backups().stream()
                .map(node -> world.nodes.get(node).logs.get(info.zone()))
                .allMatch(other -> other != null && other.end() == log.end());
    }

    private static String state(SimWorld world, SimChurn churn) {
        StringBuilder text = new StringBuilder();
        for (long zone : zones(churn)) {
            ZoneInfo info = world.directory.zoneNow(zone);
            text.append(info)
                    .append(" member ")
                    .append(world.directory.isMember(info.owner()))
                    .append(' ');
            text.append(world.nodes.get(info.lastOwner()).zones).append('\n');
        }
        world.nodes
                .values()
                .forEach(node ->
                        text.append(node.id)
                                .append(world.directory.isMember(node.id) ? " member" : "")
                                .append(node.isDead ? " dead" : "")
                                .append(node.isPaused ? " paused" : "")
                                .append(node.isReplaced ? " replaced" : "")
                                .append(node.isHung() ? " hung" : "")
                                .append(" logs ")
                                .append(node.logs)
                                .append('\n'));
        return text.append("recovering ").append(world.recovering).toString();
    }

    /** The owner and every listed backup hold what was acknowledged. */
    private static void checkEverywhere(SimWorld world, SimClient client) {
        if (client.isGone()) {
            return;
        }
        long zone = ChunkId.zone(client.chunk());
        ZoneInfo info = world.directory.zoneNow(zone);
        client.checkFinal(
                world.nodes.get(info.owner()).chunks.getOrNull(client.chunk()),
                "owner " + info.owner());
        for (int backup : info.backups()) {
            MemoryZoneLog log = world.nodes.get(backup).logs.get(zone);
            Map<Integer, MemoryZoneLog.Value> content = log.content(new NoTags());
            MemoryZoneLog.Value value = content.get(ChunkId.index(client.chunk()));
            client.checkFinal(value == null ? null : value.bytes(), "backup " + backup);
        }
    }

    /** A schedule in which a promise was broken. */
    private static final class SimFailure extends AssertionError {
        private static final long serialVersionUID = 1L;

        private SimFailure(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
