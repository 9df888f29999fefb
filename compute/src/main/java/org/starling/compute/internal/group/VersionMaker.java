package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.DescriptorChunk;
import org.starling.compute.internal.graph.GoneChunk;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.Manifest;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.TopologyMessage.FindNamed;
import org.starling.compute.internal.protocol.TopologyMessage.ListStates;
import org.starling.compute.internal.protocol.TopologyMessage.MakeVersion;
import org.starling.compute.internal.protocol.TopologyMessage.PackReport;
import org.starling.compute.internal.protocol.TopologyMessage.PackVersion;
import org.starling.compute.internal.protocol.TopologyMessage.SaveDescriptor;
import org.starling.compute.internal.protocol.TopologyMessage.SendChanges;
import org.starling.compute.internal.protocol.TopologyMessage.StateList;
import org.starling.compute.internal.protocol.TopologyMessage.VersionReport;
import org.starling.compute.internal.run.Slaves;
import org.starling.compute.internal.topology.Ranks;
import org.starling.compute.internal.topology.ShardGrowth;
import org.starling.store.StoreNode;

/**
 * The master's part in changes of the topology: leads the slaves through the steps of {@link
 * org.starling.compute.internal.topology.VersionBuild}, and writes descriptors. What it makes has
 * numbers, as checkpoints have, and goes if nobody needs the number. Confined to the job's thread.
 */
final class VersionMaker {
    /** A slave answers from memory. */
    private static final Duration STATES_TIMEOUT = Duration.ofSeconds(10);

    private final StoreNode store;
    private final Group group;
    private final Checkpoints checkpoints;
    private final LongSupplier numbers;
    private final long term;

    VersionMaker(
            StoreNode store,
            Group group,
            Checkpoints checkpoints,
            LongSupplier numbers,
            long term) {
        this.store = store;
        this.group = group;
        this.checkpoints = checkpoints;
        this.numbers = numbers;
        this.term = term;
    }

    /** A packed version, and its states; null if it has none. */
    record Packed(KnownGraph graph, @Nullable StatePart states) {}

    /** All states of a graph. */
    SortedMap<String, StateType> states(String graph) {
        return states(group.all(new ListStates(term, graph)));
    }

    /**
     * The same behind a run that has failed, perhaps since it was stopped, or a slave was lost:
     * whoever answers says it. Empty if nobody does.
     */
    Optional<SortedMap<String, StateType>> statesLeft(String graph) {
        List<StateList> told =
                group.allQuietly(new ListStates(term, graph), STATES_TIMEOUT).stream()
                        .flatMap(Optional::stream)
                        .toList();
        return told.isEmpty() ? Optional.empty() : Optional.of(states(told));
    }

    private static SortedMap<String, StateType> states(List<StateList> lists) {
        TreeMap<String, StateType> states = new TreeMap<>();
        for (StateList list : lists) {
            for (int i = 0; i < list.names().size(); i++) {
                states.put(list.names().get(i), list.types().get(i));
            }
        }
        return states;
    }

    /**
     * Makes the version that a run has asked for in the last superstep.
     *
     * @param superstep the superstep to come
     */
    KnownGraph change(KnownGraph graph, long run, int superstep) {
        int[] nodes = group.slaves();
        long attempt = numbers.getAsLong();
        List<Numbers> sent = group.settled(_ -> new SendChanges(run, attempt, nodes));
        long[] forAll = chunks(sent, nodes.length);
        long[] found = {};
        if (Arrays.stream(forAll).anyMatch(chunk -> chunk != 0)) {
            found = chunks(group.settled(_ -> new FindNamed(run, attempt, forAll)), 0);
        }
        long[] ordinals = found;
        long version = numbers.getAsLong();
        List<VersionReport> reports =
                group.settled(slave ->
                        new MakeVersion(
                                run,
                                version,
                                graph.isReplicated(),
                                chunks(sent, slave),
                                forAll,
                                ordinals,
                                nodes));
        VersionReport any = reports.getFirst();
        ShardTable table =
                ShardGrowth.table(
                        graph.shards(),
                        any.firstAdded(),
                        any.ordinals(),
                        new Slaves(nodes, nodes[0]));
        long stored = reports.stream().mapToLong(VersionReport::storedEdges).sum();
        GraphDescriptor descriptor =
                describe(
                        version,
                        graph.descriptor(),
                        stored / (graph.descriptor().directed() ? 1 : 2),
                        runs(graph, any),
                        ShardGrowth.firsts(table),
                        ShardGrowth.owners(table),
                        reports);
        long goneChunk = reports.stream().mapToLong(VersionReport::goneChunk).sum();
        return save(
                graph,
                descriptor,
                new GraphVersion(version, superstep, any.firstAdded(), any.gone(), goneChunk));
    }

    /** Makes a version without ordinals that lead to nobody. */
    Packed pack(KnownGraph graph, long run) {
        SortedMap<String, StateType> states = states(graph.name());
        long saved = numbers.getAsLong();
        long[] chunks = new long[graph.shards().count()];
        if (!states.isEmpty()) {
            chunks =
                    checkpoints.saveShards(
                            saved, graph.name(), List.copyOf(states.keySet()), chunks.length);
        }
        long[] from = chunks;
        long version = numbers.getAsLong();
        long checkpoint = numbers.getAsLong();
        List<PackReport> reports =
                group.settled(_ ->
                        new PackVersion(
                                run,
                                version,
                                checkpoint,
                                graph.isReplicated(),
                                List.copyOf(states.values()),
                                from));
        long ordinals = graph.shards().vertices();
        Bitmap gone =
                Objects.requireNonNull(GoneChunk.read(store.chunks(), graph.version(), ordinals));
        GraphDescriptor descriptor;
        try (gone;
                Ranks ranks = new Ranks(gone, ordinals)) {
            descriptor =
                    describe(
                            version,
                            graph.descriptor(),
                            graph.descriptor().edges(),
                            ranks.runs(graph.descriptor().idRuns()),
                            ranks.firsts(graph.shards()),
                            graph.descriptor().shardOwners(),
                            reports.stream().map(PackReport::rows).toList());
        }
        KnownGraph packed = save(graph, descriptor, new GraphVersion(version, 0, 0, 0, 0));
        return new Packed(
                packed,
                states.isEmpty()
                        ? null
                        : new StatePart(
                                checkpoint,
                                graph.name(),
                                states,
                                manifest(packed, checkpoint, reports)));
    }

    private Manifest manifest(KnownGraph packed, long checkpoint, List<PackReport> reports) {
        long[] chunks = new long[packed.shards().count()];
        for (PackReport report : reports) {
            int[] shards = report.rows().shards();
            for (int i = 0; i < shards.length; i++) {
                chunks[shards[i]] = report.states()[i];
            }
        }
        return checkpoints.saveManifest(checkpoint, packed.isReplicated(), chunks, new long[0]);
    }

    private KnownGraph save(KnownGraph older, GraphDescriptor descriptor, GraphVersion version) {
        int[] nodes = group.slaves();
        SaveDescriptor command =
                new SaveDescriptor(
                        version.number(), older.isReplicated(), DescriptorChunk.text(descriptor));
        long chunk = group.one(nodes[0], command).values()[0];
        return KnownGraph.version(descriptor, chunk, version);
    }

    private static GraphDescriptor describe(
            long number,
            GraphDescriptor older,
            long edges,
            long[] runs,
            long[] firsts,
            int[] owners,
            List<VersionReport> reports) {
        int shards = owners.length;
        long[] out = new long[shards];
        long[] in = new long[older.hasOwnIncomingRows() ? shards : 0];
        long[] ids = new long[shards];
        for (VersionReport report : reports) {
            for (int i = 0; i < report.shards().length; i++) {
                int shard = report.shards()[i];
                out[shard] = report.outRanges()[i];
                if (in.length > 0) {
                    in[shard] = report.inRanges()[i];
                }
                ids[shard] = report.idChunks()[i];
            }
        }
        return new GraphDescriptor(
                older.name(),
                edges,
                older.directed(),
                older.weighted(),
                older.incoming(),
                older.neighbourBytes(),
                runs,
                firsts,
                owners,
                out,
                in,
                ids,
                List.of(),
                new long[0],
                0,
                false,
                number);
    }

    /** Runs of ascending ids: what fills up the last shard is one, and what comes another. */
    private static long[] runs(KnownGraph graph, VersionReport report) {
        long[] runs = graph.descriptor().idRuns();
        long before = graph.shards().vertices();
        if (report.ordinals() == before) {
            return runs;
        }
        long[] more = Arrays.copyOf(runs, runs.length + 2);
        int count = runs.length;
        if (before < report.firstAdded()) {
            more[count++] = before;
        }
        more[count++] = report.firstAdded();
        return Arrays.copyOf(more, count);
    }

    private static long[] chunks(List<Numbers> answers, int index) {
        return answers.stream().mapToLong(answer -> answer.values()[index]).toArray();
    }
}
