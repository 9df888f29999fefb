package org.starling.algorithms.sssp;

import org.jspecify.annotations.Nullable;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleAggregator;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.DoubleGlobal;
import org.starling.graph.FloatState;
import org.starling.graph.GraphInfo;
import org.starling.graph.IntMirror;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.PerNode;
import org.starling.graph.PhaseGlobal;
import org.starling.graph.Shard;
import org.starling.graph.Team;
import org.starling.graph.TeamProgram;

/**
 * Shortest paths from one vertex, over weights that are not negative.
 *
 * <p>Method: delta-stepping (Meyer, Sanders, J. Algorithms 49, 2003) as Chakaravarthy et al. shape
 * it for large machines ("Scalable single source shortest path algorithms for massively parallel
 * systems", IPDPS 2014): an epoch settles a range of distances, looking only at edges that end
 * within it; edges that lead beyond are looked at once, when the epoch is over, from whichever side
 * has fewer. Inside a node its workers go through an epoch together, in the order of distances as
 * far as that costs nothing; only offers to other nodes need another superstep.
 *
 * <p>Invariants: a label is the length of a real path; labels only shrink; when an epoch is over,
 * everything below its horizon is final and has offered all its edges. A distance is the least of
 * the sums that paths give when they are added up edge by edge in {@code float}; since such sums
 * grow with their parts, it is one number, whatever the order of work. A vertex's parent is the
 * smallest ordinal among neighbours that are nearer and whose path over them has that length. Where
 * no neighbour is nearer (edges without weight, or that vanish in rounding), {@link Rooting} finds
 * parents level by level over such edges: fewest of them first, then the smallest ordinal.
 *
 * <p>Work: O(m) and what is looked at twice within an epoch. Memory: {@link SharedSearch} and the
 * columns of a channel and a mirror. A run that loses a peer goes on from the labels of its last
 * checkpoint, at the beginning of the epoch that was under way.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
public final class SsspProgram implements TeamProgram {
    /** Name of the program. */
    public static final String NAME = "algorithms.sssp";

    /** Parameter: original id of the vertex to start from. */
    public static final String SOURCE = "source";

    /** Parameter: name of the state of distances, {@value #DISTANCE} if not given. */
    public static final String STATE = "state";

    /** Parameter: name of the state of parents; none is left if it is not given. */
    public static final String PARENTS = "parents";

    /** Parameter: range of distances to be worked at first; affects nothing but time. */
    public static final String WIDTH = "width";

    /** Name of the {@code float} state of distances. */
    public static final String DISTANCE = "distance";

    /** Name of the {@code long} state of parents, where nothing else is asked for. */
    public static final String PARENT = "parent";

    /** Aggregate: vertices reached. */
    public static final String REACHED = "reached";

    /** Aggregate: largest distance of a vertex reached. */
    public static final String MAX_DISTANCE = "maxDistance";

    /** Aggregate: sum of the distances of all vertices reached. */
    public static final String SUM_DISTANCE = "sumDistance";

    static final double DEFAULT_WIDTH = 0.1;

    private enum Phase {
        /** Labels are made. */
        SET_UP,
        /**
         * A search goes on in new instances: labels are taken out of the states, then as in RELAX.
         */
        REDO,
        /** The epoch's vertices are relaxed, until no offer is under way. */
        RELAX,
        /** Distances settled in the epoch are told to other nodes, which will look for them. */
        PUBLISH,
        /** Vertices that are not settled look for those that are. */
        PULL,
        /** Vertices settled in the epoch look at their edges beyond the horizon. */
        PUSH,
        /** States are written. */
        FINISH,
        /** Vertices without a parent wake those up that could be it. */
        WAKE,
        /** Who was woken up and has a parent calls those as far away as itself. */
        CALL,
        /** These take the first of them as their parent, and call. */
        LEVEL
    }

    private static final int MAX_VERTICES = Integer.MAX_VALUE - 16;
    private static final int UNPUBLISHED = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

    private final long source;
    private final String state;
    private final String parents;
    private final float firstWidth;
    private GraphInfo info;
    private FloatState distance;
    private @Nullable LongState parent;
    private LongChannel offers;
    private IntMirror published;
    private PhaseGlobal<Phase> phase;
    private LongGlobal epochNumber;
    private DoubleGlobal base;
    private DoubleGlobal horizon;
    private DoubleGlobal width;
    private LongGlobal reach;
    private LongGlobal settledBefore;
    private LongAggregator settledEdges;
    private LongAggregator scannedEdges;
    private DoubleAggregator nearest;
    private LongAggregator lowestBin;
    private LongAggregator partial;
    private LongAggregator rootless;
    private LongAggregator reached;
    private DoubleAggregator maxDistance;
    private DoubleAggregator sumDistance;
    private PerNode<SharedSearch> shared;
    private @Nullable Searcher searcher;
    private @Nullable Schedule schedule;
    private boolean alone;
    private int entered = -1;

    /** The superstep in which this instance began; 0 unless the search goes on in it. */
    private int begun;

    SsspProgram(Parameters parameters) {
        source = parameters.integer(SOURCE);
        state = parameters.text(STATE, DISTANCE);
        parents = parameters.text(PARENTS, "");
        firstWidth = (float) parameters.number(WIDTH, DEFAULT_WIDTH);
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        graph.needsIncomingEdges();
        info = graph.graph();
        if (info.vertices() > MAX_VERTICES) {
            throw new InvalidInputException(
                    "graph \"%s\" has %d vertices, but shortest paths take at most %d"
                            .formatted(info.name(), info.vertices(), MAX_VERTICES));
        }
        graph.startAt(source);
        distance = graph.floatState(state, Float.POSITIVE_INFINITY);
        parent = parents.isEmpty() ? null : graph.vertexState(parents);
        offers = graph.longChannel("offers", LongCombiner.MIN);
        published = graph.intMirror("published", UNPUBLISHED);
        phase = graph.phaseGlobal("phase", Phase.class);
        epochNumber = graph.longGlobal("epoch", 0);
        base = graph.doubleGlobal("base", 0);
        horizon = graph.doubleGlobal("horizon", firstWidth);
        width = graph.doubleGlobal("width", firstWidth);
        reach = graph.longGlobal("reach", 0);
        settledBefore = graph.longGlobal("settledBefore", 0);
        settledEdges = graph.longAggregator("settledEdges", LongCombiner.SUM);
        scannedEdges = graph.longAggregator("scannedEdges", LongCombiner.SUM);
        nearest = graph.doubleAggregator("nearest", DoubleCombiner.MIN);
        lowestBin = graph.longAggregator("lowestBin", LongCombiner.MIN);
        partial = graph.longAggregator("partial", LongCombiner.SUM);
        rootless = graph.longAggregator("rootless", LongCombiner.SUM);
        reached = graph.longAggregator(REACHED, LongCombiner.SUM);
        maxDistance = graph.doubleAggregator(MAX_DISTANCE, DoubleCombiner.MAX);
        sumDistance = graph.doubleAggregator(SUM_DISTANCE, DoubleCombiner.SUM);
        int vertices = (int) info.vertices();
        shared = graph.perNode("shared", () -> new SharedSearch(vertices));
    }

    @Override
    public void compute(Shard shard) {
        Searcher worker = searcher(shard.superstep());
        switch (phase()) {
            case SET_UP -> {
                shared.get().enter((int) shard.first(), (int) shard.end());
                if (phase.is(Phase.RELAX)) {
                    keepOffers(shard);
                }
            }
            case REDO -> redo(shard, worker);
            case RELAX -> {
                if (shard.superstep() == 1) {
                    start(shard, worker);
                } else {
                    receive(shard, worker);
                }
            }
            case PUBLISH -> publish(shard);
            case PULL -> worker.pull(shard, shared.get().isWhole() ? null : published);
            case PUSH -> {}
            case FINISH -> finish(shard);
            case WAKE -> rooting().wake(shard);
            case CALL -> rooting().call(shard);
            case LEVEL -> rooting().take(shard);
        }
    }

    @Override
    public void together(Team team) {
        Searcher worker = searcher(team.superstep());
        switch (phase()) {
            case SET_UP -> {
                shared.get().fill();
                partial.add(shared.get().isWhole() ? 0 : 1);
            }
            case REDO, RELAX -> worker.relax(team);
            case PUSH -> worker.push(team);
            case PULL -> {
                shared.get().settled().clear();
                worker.handOver();
            }
            case PUBLISH, FINISH, WAKE, CALL, LEVEL -> {}
        }
        settledEdges.add(worker.settledEdges());
        scannedEdges.add(worker.scannedEdges());
        nearest.add(worker.nearest());
        lowestBin.add(worker.lowestBin());
    }

    @Override
    public void afterSuperstep(Master master) {
        boolean goesOn = schedule == null && master.superstep() > 0;
        if (schedule == null) {
            alone = partial.value() == 0;
            schedule = new Schedule(info.vertices(), info.storedEdges(), firstWidth, alone);
        }
        if (goesOn) {
            schedule.goOn(epoch(), settledBefore.get());
        } else {
            schedule.report(settledEdges.value(), scannedEdges.value(), (float) nearest.value());
        }
        Phase next = goesOn ? Phase.REDO : next(master, schedule);
        if (next == null) {
            master.halt();
            return;
        }
        phase.set(next);
        Epoch epoch = schedule.epoch();
        epochNumber.set(epoch.number());
        base.set(epoch.base());
        horizon.set(epoch.horizon());
        width.set(epoch.width());
        reach.set(epoch.reach());
        settledBefore.set(schedule.settledBefore());
        master.activateAll();
    }

    /** What comes next; null if everything is done. */
    private @Nullable Phase next(Master master, Schedule plan) {
        boolean waits = master.pending() > 0;
        return switch (phase.get()) {
            case SET_UP -> Phase.RELAX;
            case REDO, RELAX -> {
                int lowest = (int) Math.min(SharedSearch.BINS, lowestBin.value());
                if (plan.reachOn(waits, lowest)) {
                    yield Phase.RELAX;
                }
                if (!plan.hasPutOffEdges()) {
                    yield plan.advance() ? Phase.RELAX : Phase.FINISH;
                }
                yield plan.pulls() ? alone ? Phase.PULL : Phase.PUBLISH : Phase.PUSH;
            }
            case PUBLISH -> Phase.PULL;
            case PULL, PUSH -> plan.advance() ? Phase.RELAX : Phase.FINISH;
            case FINISH -> rootless.value() > 0 && !parents.isEmpty() ? Phase.WAKE : null;
            case WAKE -> Phase.CALL;
            case CALL, LEVEL -> waits ? Phase.LEVEL : Phase.FINISH;
        };
    }

    private Rooting rooting() {
        return new Rooting(shared.get(), offers);
    }

    private Searcher searcher(int superstep) {
        Searcher worker = searcher;
        if (worker == null) {
            worker = new Searcher(shared.get(), offers, info.weighted());
            searcher = worker;
            begun = superstep;
        }
        if (entered != superstep) {
            entered = superstep;
            worker.enter(epoch());
        }
        return worker;
    }

    /** What is to be done; an instance in which a search goes on makes its shared part first. */
    private Phase phase() {
        return entered == begun ? Phase.SET_UP : phase.get();
    }

    private Epoch epoch() {
        return new Epoch(
                (int) epochNumber.get(),
                (float) base.get(),
                (float) horizon.get(),
                (float) width.get(),
                (int) reach.get());
    }

    @Override
    public void save(Shard shard) {
        for (long v = shard.first(); v < shard.end(); v++) {
            save(v, shared.get().label((int) v));
        }
    }

    /** Offers that were under way when a search was broken off may come from an epoch before. */
    private void keepOffers(Shard shard) {
        for (long v = offers.nextReceiver(shard.first()); v >= 0; v = offers.nextReceiver(v + 1)) {
            save(v, offers.received(v));
        }
    }

    private void save(long vertex, long label) {
        if (label < saved(vertex)) {
            distance.set(vertex, Label.distance(label));
            if (parent != null) {
                parent.set(vertex, Label.parent(label));
            }
        }
    }

    private long saved(long vertex) {
        int before = parent == null ? Label.NO_PARENT : (int) parent.get(vertex);
        return Label.of(distance.get(vertex), before);
    }

    /**
     * Everything nearer than the epoch is settled and has offered its edges; the rest is looked at
     * once more.
     */
    private void redo(Shard shard, Searcher worker) {
        float from = (float) base.get();
        for (int v = (int) shard.first(); v < shard.end(); v++) {
            long label = saved(v);
            if (Label.distance(label) < from) {
                shared.get().lower(v, Label.UNREACHED, label);
            } else {
                worker.offer(v, label);
            }
        }
        start(shard, worker);
    }

    private void start(Shard shard, Searcher worker) {
        for (int v = (int) shard.first(); v < shard.end(); v++) {
            if (shard.id(v) == source) {
                worker.offer(v, Label.of(0, v));
            }
        }
    }

    private void receive(Shard shard, Searcher worker) {
        for (long v = offers.nextReceiver(shard.first()); v >= 0; v = offers.nextReceiver(v + 1)) {
            long offered = offers.received(v);
            worker.offer((int) v, offered);
        }
    }

    private void publish(Shard shard) {
        float from = (float) base.get();
        float to = (float) horizon.get();
        for (long v = shard.first(); v < shard.end(); v++) {
            float own = Label.distance(shared.get().label((int) v));
            if (own >= from && own < to) {
                published.publish(v, Float.floatToRawIntBits(own));
            }
        }
    }

    private void finish(Shard shard) {
        SharedSearch labels = shared.get();
        long count = 0;
        long open = 0;
        double sum = 0;
        float most = 0;
        for (long v = shard.first(); v < shard.end(); v++) {
            long label = labels.label((int) v);
            float own = Label.distance(label);
            if (own < Float.POSITIVE_INFINITY) {
                distance.set(v, own);
                count++;
                sum += own;
                most = Math.max(most, own);
                int before = Label.parent(label);
                if (parent != null) {
                    parent.set(v, before);
                }
                open += before == Label.NO_PARENT ? 1 : 0;
            }
        }
        reached.add(count);
        rootless.add(open);
        sumDistance.add(sum);
        maxDistance.add(most);
    }
}
