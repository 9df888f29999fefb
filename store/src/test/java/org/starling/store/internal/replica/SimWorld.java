package org.starling.store.internal.replica;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.starling.net.Message;
import org.starling.net.Request;
import org.starling.store.internal.chunk.LocalChunks;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;

/**
 * A cluster on one thread: the real owner's, backup's and recovery code over a network, a clock,
 * disks and threads that are all lists of things that may happen next, chosen by a seed. Messages
 * of one node to another arrive in order, unless they are lost, with which their connection breaks:
 * what was sent before may then come after what is sent later. Answers are lost as well. A paused
 * node does nothing until it goes on, in the middle of whatever it was doing.
 */
@SuppressWarnings("NullAway") // what is missing where it is looked up fails the test by itself
final class SimWorld implements AutoCloseable {
    /** What is wrong with the world; each must be noticed. */
    enum Fault {
        NONE(0),
        /** Backups acknowledge what is still on its way to them. */
        EARLY_ACKNOWLEDGEMENT(1),
        /** Fencing has no effect. */
        NO_FENCE(261),
        /** The stream does not go to nodes that are being copied to. */
        COPY_WITHOUT_STREAM(4),
        /** Tails are not sent to shorter sources, which say that they have them. */
        UNEQUAL_TAILS(10),
        /** Owners do not know operations again. */
        NO_TAGS(1),
        /** The directory does not hear of the first confirmation, and says that it has. */
        UNHEARD_CONFIRMATION(1),
        /** Owners do not wait for their backups. */
        NO_WAITING(2),
        /** Backups say that their disks have what they have in memory. */
        FALSE_DISKS(3),
        /** A copy takes the place of the log before it is whole. */
        COPY_OVER_THE_LOG(6),
        /** Nobody notices that a disk hangs. */
        HANG_UNNOTICED(14),
        /** Several recover a zone under the same epoch. */
        TWO_RECOVERIES(3),
        /** A zone is dropped that has chunks. */
        EARLY_DROP(8),
        /** The directory hears that a zone is handed over while its owner still serves it. */
        EARLY_YIELD(38);

        /** The first with which it is noticed. */
        final long seed;

        /** That zones are to have. */
        final int backups;

        Fault(long seed) {
            this(seed, BACKUPS);
        }

        Fault(long seed, int backups) {
            this.seed = seed;
            this.backups = backups;
        }
    }

    /** One node. */
    final class SimNode {
        final int id;
        final LocalChunks chunks;
        final MemoryLogs logs;
        final SimDirectory directory;
        final BackupService backups;
        final OwnedZones zones;
        final ZoneRecovery recovery;
        boolean isDead;
        boolean isPaused;

        /** Another node has its disk. */
        boolean isReplaced;

        /** Its lease is over; set before any of its zones is switched. */
        boolean isLeaseOver;

        SimNode(int id) {
            this(
                    id,
                    new MemoryLogs(
                            task -> later(id, task),
                            SimWorld.this::violated,
                            fault == Fault.COPY_OVER_THE_LOG));
        }

        SimNode(int id, MemoryLogs logs) {
            this.id = id;
            this.logs = logs;
            chunks = new LocalChunks(id, 1 << 20);
            directory = new SimDirectory(id);
            backups = new BackupService(id, logs, directory, () -> nanos);
            SimWire wire = new SimWire(id);
            zones =
                    new OwnedZones(
                            new ReplicationContext(
                                    id,
                                    chunks,
                                    wire,
                                    directory,
                                    config,
                                    task -> later(id, task),
                                    () -> nanos,
                                    pool,
                                    new AvoidedNodes(() -> nanos)));
            recovery =
                    new ZoneRecovery(id, backups, zones, chunks, wire, task -> later(id, task), 1);
        }

        boolean isUp() {
            return !isDead && !isPaused;
        }

        void collectLogs() {
            CompletableFuture<?> _ = backups.collectGarbage(task -> later(id, task));
            recovery.forgetPrepared(nanos);
        }

        boolean isHung() {
            return logs.isHung();
        }
    }

    private record Task(int node, Runnable run) {}

    private record Asked(int source, int target, CompletableFuture<?> future) {}

    static final int SUPERPEER = 0;
    static final int BACKUPS = 3;
    private static final long STEP_NANOS = 1_000_000;

    /** A hung disk is noticed after so many steps. */
    private static final int HANG_STEPS = 800;

    /** With more of them a zone could not get all its backups. */
    private static final int MAX_HUNG = 2;

    /** A node that leaves ends after so many steps, whatever it has not handed over. */
    private static final int LEAVE_STEPS = 1200;

    /** Of members that stay. */
    private static final int LEAST_STAYING = 3;

    /**
     * Above this some nodes share hosts and racks in a quarter of the seeds, zones are handed over
     * in a third, and nodes leave in order in a sixth.
     */
    private static final long FIRST_OF_LATER = 10_000;

    final Random random;
    final Fault fault;

    /** Nodes that are lost come back with their disks, so that all may be lost at once. */
    final boolean hasDisks;

    /** Zones are made and dropped. */
    final boolean hasChurn;

    /** Disks hang, drawn apart from what else happens; null in most schedules. */
    private final @Nullable Random hangs;

    /** Zones are handed over, drawn likewise. */
    private final @Nullable Random handovers;

    /** Nodes leave in order, drawn likewise. */
    private final @Nullable Random leaves;

    /** Those that are about to, and when they end. */
    private final Map<SimNode, Long> leaving = new LinkedHashMap<>();

    private long leftWhole;

    /** When another superpeer takes the lead, who knows nothing of recoveries; drawn likewise. */
    private final Random leads;

    private long handedOver;

    final ReplicaConfig config;

    final LocalDirectory directory;
    final Map<Integer, SimNode> nodes = new TreeMap<>();

    /** By zone: the epoch under which it is being recovered. */
    final Map<Long, Long> recovering = new HashMap<>();

    /** By zone: who is prepared to take it, under which epoch; nobody else was asked under that. */
    private final Map<Long, Prepared> prepared = new HashMap<>();

    /** Recoveries by who was prepared. */
    int readyRecoveries;

    private record Prepared(long epoch, int node) {}

    private final PiecePool pool = new PiecePool(1024);
    private final List<Task> tasks = new ArrayList<>();
    private final Map<Long, ArrayDeque<Runnable>> links = new HashMap<>();

    /** How many connections from one node to another have broken, by both. */
    private final Map<Long, Long> broken = new HashMap<>();

    private final Map<Long, Long> powerEnds = new HashMap<>();
    private final List<Asked> asked = new ArrayList<>();

    /** When a hung disk is noticed. */
    private final Map<SimNode, Long> hungSince = new LinkedHashMap<>();

    private long nanos = 1;
    private @Nullable String violation;

    /** How likely a message or answer is lost. */
    double loss = 0.02;

    SimWorld(long seed, int peers, int backups, Fault fault) {
        random = new Random(seed);
        hasDisks = seed % 2 == 0;
        hasChurn = seed % 5 > 2;
        hangs = seed % 8 == 6 ? new Random(seed) : null;
        boolean isHandingOver =
                fault == Fault.EARLY_YIELD || (seed > FIRST_OF_LATER && seed % 3 == 1);
        handovers = isHandingOver ? new Random(seed) : null;
        leaves = hasDisks && seed > FIRST_OF_LATER && seed % 3 == 2 ? new Random(seed) : null;
        leads = new Random(~seed);
        this.fault = fault;
        if (fault == Fault.TWO_RECOVERIES) {
            loss = 0.15; // only where one of them has not heard of the longest log
        }
        config =
                new ReplicaConfig(
                        backups,
                        1 << 20,
                        1024,
                        2,
                        1 << 20,
                        1,
                        1 << 30,
                        Duration.ofSeconds(3),
                        Duration.ofMillis(100),
                        fault == Fault.HANG_UNNOTICED
                                ? Duration.ofHours(1)
                                : Duration.ofSeconds(1));
        boolean hasPlaces = seed > FIRST_OF_LATER && seed % 4 == 1;
        directory = new LocalDirectory(peers, task -> later(SUPERPEER, task), hasPlaces);
        directory.onApplied((command, result) -> {
            checkDisks(command, result);
            notePrepared(command, result);
        });
        for (int i = 1; i <= peers; i++) {
            nodes.put(i, new SimNode(i));
        }
    }

    /** Notes a broken promise; whoever finds it may be inside a future that swallows exceptions. */
    void violated(String what) {
        violation = violation == null ? what : violation;
    }

    // time

    void later(int node, Runnable run) {
        tasks.add(new Task(node, run));
    }

    /** Something that happens at any time from now on. */
    void late(Runnable run) {
        later(
                SUPERPEER,
                () -> {
                    if (random.nextInt(20) == 0) {
                        run.run();
                    } else {
                        late(run);
                    }
                });
    }

    /** Something happens. */
    void step() {
        nanos += STEP_NANOS;
        noticeHangs();
        List<Runnable> candidates = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            Task task = tasks.get(i);
            if (isUp(task.node)) {
                candidates.add(() -> {
                    tasks.remove(task);
                    task.run.run();
                });
                if (candidates.size() > 12) {
                    break;
                }
            }
        }
        links.forEach((link, queue) -> {
            int target = (int) (link & 0xFFFF);
            if (!queue.isEmpty() && isUp(target)) {
                candidates.add(() -> queue.removeFirst().run());
            }
        });
        if (!candidates.isEmpty()) {
            candidates.get(random.nextInt(candidates.size())).run();
        }
        if (random.nextInt(8) == 0) {
            SimNode node = any();
            if (node.isUp()) {
                node.zones.doWork();
            }
        }
        if (random.nextInt(16) == 0) {
            coordinate();
        }
        if (violation != null) {
            throw new SimClient.Violation(violation);
        }
    }

    SimNode any() {
        return nodes.get(1 + random.nextInt(nodes.size()));
    }

    private boolean isUp(int node) {
        return node <= SUPERPEER || nodes.get(node).isUp();
    }

    /** A write was acknowledged as being on disks. */
    void onDisks(long zone, long position) {
        powerEnds.merge(zone, position, Math::max);
    }

    /**
     * What was acknowledged as being on disks must be on two of those that the directory counts on
     * from now on (on one if no more are wanted), or on all if there are fewer.
     */
    private void checkDisks(Command command, Result result) {
        boolean isChange =
                command instanceof Command.ConfirmZone || command instanceof Command.SwitchZone;
        if (!isChange || !(result instanceof Result.Zone now) || !now.changed()) {
            return;
        }
        ZoneInfo info = now.info();
        long position = powerEnds.getOrDefault(info.zone(), 0L);
        long disks =
                info.backups().stream()
                        .map(node -> nodes.get(node).logs.get(info.zone()))
                        .filter(log -> (log == null ? 0 : log.forcedEnd()) >= position)
                        .count();
        if (disks < Math.min(config.leastBackups(), info.backups().size())) {
            violated(
                    command
                            + ": position "
                            + position
                            + " is on "
                            + disks
                            + " of "
                            + info.backups());
        }
    }

    // faults

    void kill(SimNode node) {
        node.isDead = true;
        tasks.removeIf(task -> task.node == node.id);
        breakConnections(node.id);
        declareLater(node);
    }

    /** From time to time a disk hangs, for as long as its node lives. */
    void hangSome() {
        if (hangs == null || hangs.nextInt(300) > 0) {
            return;
        }
        SimNode node = nodes.get(1 + hangs.nextInt(nodes.size()));
        long hung =
                nodes.values().stream().filter(each -> !each.isReplaced && each.isHung()).count();
        if (node.isUp() && directory.isMember(node.id) && hung < MAX_HUNG) {
            node.logs.hang();
            noticeAfter(node, HANG_STEPS);
        }
    }

    /** Now and then a node hands its largest zone over to another one. */
    void handOverSome() {
        if (handovers == null || handovers.nextInt(150) > 0) {
            return;
        }
        SimNode node = nodes.get(1 + handovers.nextInt(nodes.size()));
        int target = 1 + handovers.nextInt(nodes.size());
        if (!node.isUp() || target == node.id || !directory.isMember(target)) {
            return;
        }
        later(
                node.id,
                () -> {
                    CompletableFuture<?> _ =
                            node.zones
                                    .handOver(target, Long.MAX_VALUE)
                                    .thenAccept(gone -> handedOver += gone.bytes() > 0 ? 1 : 0);
                });
        if (fault == Fault.EARLY_YIELD) {
            late(() -> {
                for (ZoneInfo info : directory.ownedBy(node.id)) {
                    long before = directory.version();
                    directory.now(new Command.YieldZone(info.zone(), info.epoch(), node.id));
                    tell(before);
                }
            });
        }
    }

    /**
     * Now and then a node leaves in order, and hands over what it has first.
     *
     * @param more whether another one may begin to leave
     */
    void leaveSome(boolean more) {
        for (SimNode node : List.copyOf(leaving.keySet())) {
            if (node.isDead || !directory.isMember(node.id)) {
                leaving.remove(node);
            } else if (node.isUp()) {
                int left = node.zones.handOverAll(this::stays);
                if (left == 0 || nanos > leaving.get(node)) {
                    leftWhole += left == 0 ? 1 : 0;
                    leaving.remove(node);
                    declare(node); // it serves for another moment, as its lease is not over
                    later(SUPERPEER, () -> kill(node));
                }
            }
        }
        if (!more || leaves == null || leaves.nextInt(150) > 0) {
            return;
        }
        SimNode node = nodes.get(1 + leaves.nextInt(nodes.size()));
        long staying =
                nodes.keySet().stream().filter(other -> other != node.id && stays(other)).count();
        if (node.isUp() && stays(node.id) && staying >= LEAST_STAYING) {
            directory.now(new Command.NoteLeaving(node.id));
            leaving.put(node, nanos + LEAVE_STEPS * STEP_NANOS);
        }
    }

    private boolean stays(int node) {
        return directory.isMember(node) && !leaving.containsKey(nodes.get(node));
    }

    /** Nodes that had handed over everything when they ended. */
    long leftWhole() {
        return leftWhole;
    }

    /** Zones that went to others while both lived. */
    long handedOver() {
        return handedOver;
    }

    private void noticeAfter(SimNode node, int steps) {
        if (fault != Fault.HANG_UNNOTICED && !node.isDead) {
            hungSince.put(node, nanos + steps * STEP_NANOS);
        }
    }

    private void noticeHangs() {
        for (SimNode node : List.copyOf(hungSince.keySet())) {
            if (hungSince.get(node) <= nanos && node.isUp()) {
                hungSince.remove(node);
                node.logs.giveUp();
                long before = directory.version();
                directory.now(new Command.NoteDisk(node.id, true));
                tell(before);
            }
        }
    }

    /** A node that was killed, or declared lost, begins anew with what its disk has. */
    void restart(SimNode node) {
        if (!node.isDead) {
            node.isDead = true;
            tasks.removeIf(task -> task.node == node.id);
            breakConnections(node.id);
        }
        node.isReplaced = true;
        long before = directory.version();
        int id = directory.join(node.id);
        nodes.put(id, new SimNode(id, node.logs.afterCrash(task -> later(id, task))));
        recovering.clear();
        tell(before);
        nodes.values().forEach(each -> later(each.id, each.zones::nodeJoined));
    }

    /** Those that are not members and whose disks nobody has. */
    List<SimNode> lost() {
        return nodes.values().stream()
                .filter(node -> !node.isReplaced && !directory.isMember(node.id))
                .toList();
    }

    void pause(SimNode node) {
        node.isPaused = true;
        declareLater(node);
    }

    private void declareLater(SimNode node) {
        later(SUPERPEER, () -> later(SUPERPEER, () -> declare(node)));
    }

    private void declare(SimNode node) {
        long before = directory.version();
        directory.now(new Command.RemoveNode(node.id));
        recovering.clear();
        tell(before);
        breakConnections(node.id);
        nodes.values().forEach(each -> later(each.id, () -> each.zones.nodeLost(node.id)));
    }

    /** Everybody who waits for an answer of the node is told that it is lost. */
    private void breakConnections(int node) {
        for (Asked each : List.copyOf(asked)) {
            if (each.target == node || each.source == node) {
                asked.remove(each);
                fail(each);
            }
        }
    }

    private void fail(Asked each) {
        later(
                each.source,
                () ->
                        each.future.completeExceptionally(
                                new IllegalStateException("connection broken")));
    }

    // the superpeer

    void tell(long before) {
        for (ZoneInfo info : directory.changedAfter(before)) {
            nodes.values().forEach(node -> later(node.id, () -> node.zones.zoneChanged(info)));
        }
    }

    private void notePrepared(Command command, Result result) {
        if (command instanceof Command.YieldZone c
                && c.target() != Command.YieldZone.ANYBODY
                && result instanceof Result.Zone now
                && now.changed()) {
            prepared.put(c.zone(), new Prepared(now.info().epoch(), c.target()));
        }
    }

    private void coordinate() {
        if (loss > 0 && leads.nextInt(20) == 0) { // another one, which knows of nothing
            recovering.clear();
            prepared.clear();
        }
        for (ZoneInfo info : directory.orphans()) {
            boolean isHopeless = info.lost() && !info.recoverable();
            if (!isHopeless && recovering.getOrDefault(info.zone(), 0L) != info.epoch()) {
                List<Integer> sources = sources(info);
                Prepared ready = prepared.remove(info.zone());
                boolean isReady =
                        ready != null
                                && ready.epoch == info.epoch()
                                && sources.contains(ready.node);
                SimNode target =
                        nodes.get(
                                isReady ? ready.node : sources.get(random.nextInt(sources.size())));
                readyRecoveries += isReady ? 1 : 0;
                ZoneInfo begun = isReady || fault == Fault.TWO_RECOVERIES ? info : begun(info);
                recovering.put(begun.zone(), begun.epoch());
                later(target.id, () -> recover(begun, target));
                if (fault == Fault.TWO_RECOVERIES) {
                    SimNode other = nodes.get(sources.getLast());
                    later(other.id, () -> recover(begun, other));
                }
            }
        }
    }

    private ZoneInfo begun(ZoneInfo info) {
        long before = directory.version();
        directory.now(new Command.BeginRecovery(info.zone(), info.epoch()));
        tell(before);
        return directory.zoneNow(info.zone());
    }

    private static List<Integer> sources(ZoneInfo info) {
        return info.lost() ? info.returnedHolders() : info.backups();
    }

    private void recover(ZoneInfo info, SimNode target) {
        CompletableFuture<?> _ =
                target.recovery
                        .recover(info.zone(), info.epoch(), directory.sourcesNow(info.zone()))
                        .whenComplete((report, failure) ->
                                later(SUPERPEER, () -> recovered(info, target, report, failure)));
    }

    private void recovered(
            ZoneInfo info, SimNode target, RecoveryReport report, Throwable failure) {
        if (failure != null) {
            recovering.remove(info.zone(), info.epoch());
            if (info.isYielded()) {
                long before = directory.version();
                directory.now(new Command.GiveBackZone(info.zone(), info.epoch()));
                tell(before);
            }
            return;
        }
        if (!info.isYielded()) { // its owner has ceased to serve it before
            nodes.get(info.owner()).isLeaseOver = true;
        }
        later(
                SUPERPEER,
                () -> {
                    long before = directory.version();
                    directory.now(
                            new Command.SwitchZone(
                                    info.zone(),
                                    info.epoch(),
                                    target.id,
                                    report.left(),
                                    report.isDamaged()));
                    recovering.remove(info.zone(), info.epoch());
                    tell(before);
                });
    }

    // the network

    private final class SimWire implements BackupWire {
        private final int source;

        private SimWire(int source) {
            this.source = source;
        }

        @Override
        public <R extends Message> CompletableFuture<R> ask(int target, Request<R> request) {
            CompletableFuture<R> future = new CompletableFuture<>();
            Asked question = new Asked(source, target, future);
            long link = (long) source << 16 | target;
            if (nodes.get(target).isDead || isLost()) {
                broken.merge(link, 1L, Long::sum);
                fail(question);
                return future;
            }
            asked.add(question);
            links.computeIfAbsent(
                            broken.getOrDefault(link, 0L) << 32 | link, l -> new ArrayDeque<>())
                    .addLast(() -> deliver(question, request));
            if (fault == Fault.EARLY_ACKNOWLEDGEMENT
                    && request instanceof ReplicaMessage.Append append) {
                pretend(question, append.epoch(), append.first() + append.count() - 1);
            }
            return future;
        }

        @Override
        public void giveUp(int node) {
            for (Asked each : List.copyOf(asked)) {
                if (each.target == node && each.source == source) {
                    asked.remove(each);
                    fail(each);
                }
            }
        }

        private <R extends Message> void deliver(Asked question, Request<R> request) {
            SimNode target = nodes.get(question.target);
            if (request instanceof ReplicaMessage.Tail tail) {
                answer(question, CompletableFuture.completedFuture(target.backups.tail(tail)));
                return;
            }
            if (request instanceof ReplicaMessage.Dump dump) { // waits for its parts: all at once
                answer(
                        question,
                        CompletableFuture.supplyAsync(
                                () -> target.backups.dump(new DirectWire(), source, dump),
                                Runnable::run));
                return;
            }
            ReplicaMessage.Ask ask = (ReplicaMessage.Ask) request;
            if (!isSwallowed(question, ask)) {
                answer(question, target.backups.take(source, ask));
            }
        }

        private boolean isSwallowed(Asked question, ReplicaMessage.Ask request) {
            SimNode target = nodes.get(question.target);
            if (!directory.hasZone(request.zone())) {
                return false;
            }
            ZoneInfo info = directory.zoneNow(request.zone());
            MemoryZoneLog log = target.logs.get(request.zone());
            if (fault == Fault.NO_FENCE && request instanceof ReplicaMessage.Fence fence) {
                pretend(question, fence.epoch(), log == null ? 0 : log.end());
                return true;
            }
            if (fault == Fault.FALSE_DISKS
                    && log != null
                    && request instanceof ReplicaMessage.Force force
                    && log.end() >= force.position()) {
                pretend(question, force.epoch(), force.position());
                return true;
            }
            if (request instanceof ReplicaMessage.Append append) {
                boolean isJoining =
                        info.owner() == source && !info.backups().contains(question.target);
                boolean isTail = info.owner() != source;
                if ((fault == Fault.COPY_WITHOUT_STREAM && isJoining)
                        || (fault == Fault.UNEQUAL_TAILS && isTail)) {
                    pretend(question, append.epoch(), append.first() + append.count() - 1);
                    return true;
                }
            }
            if (request instanceof ReplicaMessage.Force force
                    && (fault == Fault.COPY_WITHOUT_STREAM || fault == Fault.UNEQUAL_TAILS)
                    && log != null
                    && log.end() < force.position()) {
                pretend(question, force.epoch(), force.position());
                return true;
            }
            return false;
        }

        private void pretend(Asked question, long epoch, long end) {
            answer(
                    question,
                    CompletableFuture.completedFuture(
                            new ReplicaMessage.Backup(ReplicaMessage.Status.OK, epoch, end, end)));
        }

        @SuppressWarnings("unchecked")
        private void answer(Asked question, CompletableFuture<?> answer) {
            CompletableFuture<?> _ =
                    answer.whenComplete((value, failure) -> {
                        if (!asked.remove(question)) {
                            return;
                        }
                        if (failure != null || isLost()) {
                            fail(question);
                        } else {
                            later(
                                    question.source,
                                    () ->
                                            ((CompletableFuture<Object>) question.future)
                                                    .complete(value));
                        }
                    });
        }
    }

    /** Carries parts of a dump, without a moment in between. */
    private final class DirectWire implements BackupWire {
        @Override
        @SuppressWarnings("unchecked")
        public <R extends Message> CompletableFuture<R> ask(int node, Request<R> request) {
            return (CompletableFuture<R>)
                    CompletableFuture.completedFuture(
                            nodes.get(node).backups.take((ReplicaMessage.DumpPart) request));
        }

        @Override
        public void giveUp(int node) {
            throw new AssertionError("parts of a dump have no connection of their own");
        }
    }

    boolean isLost() {
        return random.nextDouble() < loss;
    }

    // the directory as a node sees it

    final class SimDirectory implements ZoneDirectory {
        private final int node;

        private SimDirectory(int node) {
            this.node = node;
        }

        @Override
        public CompletableFuture<Result> apply(Command command) {
            long before = directory.version();
            if (fault == Fault.UNHEARD_CONFIRMATION
                    && command instanceof Command.ConfirmZone confirm
                    && confirm.epoch() == OwnedZones.FIRST_EPOCH
                    && directory.hasZone(confirm.zone())) {
                ZoneInfo info = directory.zoneNow(confirm.zone());
                return over(CompletableFuture.completedFuture(new Result.Zone(info, false)));
            }
            return over(directory.apply(command)).whenComplete((result, failure) -> tell(before));
        }

        @Override
        public CompletableFuture<ZoneInfo> zone(long zone) {
            return over(directory.zone(zone));
        }

        @Override
        public CompletableFuture<List<ZoneInfo>> zonesOf(int other) {
            return over(directory.zonesOf(other));
        }

        @Override
        public CompletableFuture<long[]> dropped(long[] zones) {
            return over(directory.dropped(zones));
        }

        @Override
        public CompletableFuture<Integer> chooseBackup(long zone, List<Integer> avoided) {
            return over(directory.chooseBackup(zone, avoided));
        }

        /** The answer comes to the node as something that happens there, or not at all. */
        private <T> CompletableFuture<T> over(CompletableFuture<T> answer) {
            CompletableFuture<T> here = new CompletableFuture<>();
            CompletableFuture<?> _ =
                    answer.whenComplete((value, failure) ->
                            later(
                                    node,
                                    () -> {
                                        if (failure != null || isLost()) {
                                            here.completeExceptionally(
                                                    new IllegalStateException("no answer"));
                                        } else {
                                            here.complete(value);
                                        }
                                    }));
            return here;
        }
    }

    @Override
    public void close() {
        for (SimNode node : nodes.values()) {
            node.zones.close();
            node.backups.close();
            node.chunks.close();
        }
        pool.close();
    }
}
