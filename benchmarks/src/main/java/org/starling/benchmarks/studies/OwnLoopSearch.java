package org.starling.benchmarks.studies;

import java.util.Map;
import org.starling.graph.Declaration;
import org.starling.graph.IntState;
import org.starling.graph.InvalidInputException;
import org.starling.graph.LongState;
import org.starling.graph.PerNode;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Shard;
import org.starling.graph.Team;
import org.starling.graph.TeamProgram;

/**
 * Breadth-first search in one superstep, on one peer: workers go from level to level among
 * themselves, over the rows as they lie in memory, with bitmaps and a barrier of their own. What a
 * job author can get who takes all loops into his own hands, and so what the vertex program is
 * measured against. Leaves the same states: {@value #LEVEL}, and {@value #PARENT}, any one of those
 * in the level before.
 *
 * <p>Method: Beamer, Asanović, Patterson, "Direction-optimizing breadth-first search" (SC 2012),
 * with their thresholds. An instance belongs to a worker's thread.
 */
@SuppressWarnings("NullAway.Init") // fields are assigned in declare, which comes before all else
public final class OwnLoopSearch implements TeamProgram {
    /** Name of the program; its parameter is {@link #ROOT}. */
    public static final String NAME = "benchmarks.search";

    /** Ordinal of the root: to look for an id would take a part of the time of a search. */
    public static final String ROOT = "root";

    /** {@code int} state: depth, −1 if not reached. */
    public static final String LEVEL = "level";

    /** {@code long} state: ordinal of the parent, −1 if not reached. */
    public static final String PARENT = "parent";

    private final long root;
    private long edges;
    private IntState level;
    private LongState parent;
    private PerNode<Frontiers> frontiers;

    private OwnLoopSearch(long root) {
        this.root = root;
    }

    @Override
    public void declare(Declaration graph) {
        graph.needsNarrowNeighbours();
        long vertices = graph.graph().vertices();
        if (graph.graph().directed() || vertices > Integer.MAX_VALUE - Long.SIZE) {
            throw new InvalidInputException(
                    "%s takes undirected graphs of less than 2^31 vertices; graph \"%s\" is not one"
                            .formatted(NAME, graph.graph().name()));
        }
        edges = graph.graph().storedEdges();
        level = graph.intState(LEVEL, -1);
        parent = graph.vertexState(PARENT);
        frontiers = graph.perNode("frontiers", () -> new Frontiers((int) vertices));
    }

    /** The frontiers are in the memory of each node. */
    @Override
    public boolean resumes() {
        return false;
    }

    @Override
    public void compute(Shard shard) {
        if (root >= shard.first() && root < shard.end()) {
            level.set(root, 0);
            parent.set(root, root);
            frontiers.get().start((int) root, shard.adjacency().degree(root));
        }
    }

    @Override
    public void together(Team team) {
        new Walk(frontiers.get(), team, level, parent, edges).run();
    }

    /** Makes the program. */
    public static final class Provider implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of(NAME, parameters -> new OwnLoopSearch(parameters.integer(ROOT)));
        }
    }
}
