package org.starling.compute.internal.group;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.starling.compute.internal.protocol.StructureMessage.Rows;
import org.starling.compute.internal.protocol.StructureMessage.SweepParts;
import org.starling.compute.internal.protocol.StructureMessage.SweptParts;
import org.starling.compute.internal.structure.StructureType;
import org.starling.graph.Parameters;
import org.starling.store.ChunkService;

/**
 * Runs a program over parts of a structure on all slaves at once, each over parts that it owns as
 * far as it can be; some parts at a time, so that answers stay short. Used by the master, once.
 */
final class PartSweep {
    /** Parts of one command. */
    private static final int BATCH = 16;

    private final Group group;
    private final ChunkService store;
    private final long term;
    private final String program;
    private final Parameters parameters;
    private final List<String> jars;
    private final StructureType type;
    private final StructureType into;

    PartSweep(
            Group group,
            ChunkService store,
            long term,
            String program,
            Parameters parameters,
            List<String> jars,
            StructureType type,
            StructureType into) {
        this.group = group;
        this.store = store;
        this.term = term;
        this.program = program;
        this.parameters = parameters;
        this.jars = jars;
        this.type = type;
        this.into = into;
    }

    /** Rows of each part. */
    List<byte[]> run(long[] chunks, long[] tokens) {
        int[] slaves = group.slaves();
        List<List<Integer>> shares = new ArrayList<>();
        for (int i = 0; i < slaves.length; i++) {
            shares.add(new ArrayList<>());
        }
        for (int part = 0; part < chunks.length; part++) {
            int owner = Arrays.binarySearch(slaves, store.owner(chunks[part]));
            shares.get(owner >= 0 ? owner : part % slaves.length).add(part);
        }
        byte[][] rows = new byte[chunks.length][];
        int longest = shares.stream().mapToInt(List::size).max().orElse(0);
        String json = ParameterCodec.write(parameters);
        for (int from = 0; from == 0 || from < longest; from += BATCH) {
            List<int[]> batches = new ArrayList<>();
            for (List<Integer> share : shares) {
                batches.add(
                        share.stream().skip(from).limit(BATCH).mapToInt(part -> part).toArray());
            }
            List<SweptParts> answers =
                    group.settled(slave -> command(batches.get(slave), chunks, tokens, json));
            for (int slave = 0; slave < answers.size(); slave++) {
                List<Rows> parts = answers.get(slave).parts();
                for (int i = 0; i < parts.size(); i++) {
                    rows[batches.get(slave)[i]] = parts.get(i).bytes();
                }
            }
        }
        return Arrays.asList(rows);
    }

    private SweepParts command(int[] parts, long[] chunks, long[] tokens, String json) {
        return new SweepParts(
                term,
                program,
                json,
                jars,
                type,
                into,
                IntStream.of(parts).mapToLong(part -> chunks[part]).toArray(),
                IntStream.of(parts).mapToLong(part -> tokens[part]).toArray());
    }
}
