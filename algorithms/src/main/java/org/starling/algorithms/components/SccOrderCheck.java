package org.starling.algorithms.components;

import org.starling.algorithms.Verdict;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphSession;
import org.starling.graph.Histogram;
import org.starling.graph.IntMirror;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.Vertex;
import org.starling.graph.VertexChannel;
import org.starling.graph.VertexProgram;

/**
 * Checks that no two components lie on one cycle: takes away components from which no edge leads to
 * another one that is still there, until all are gone (A. B. Kahn, "Topological sorting of large
 * networks", Comm. ACM 5, 1962). What can't be taken away lies on a cycle of components, or leads
 * to one.
 *
 * <p>The vertex that a component is named after keeps its number of edges to others, in the state
 * {@value #OPEN}, the lowest bit telling whether it has company. Superstep 0 publishes components;
 * 1 counts, 2 finds the first to be taken away. A vertex that goes tells those who lead to it; they
 * report to the vertex that they are named after. Components of several vertices go in two steps,
 * since the others read it from a mirror that theirs has gone.
 *
 * <p>Every edge is looked at once and carries one message. Three supersteps for each component on
 * the longest way through components; each costs what it takes away, and O(n) where a component of
 * several vertices goes.
 */
final class SccOrderCheck implements VertexProgram {
    static final String NAME = "algorithms.scc.order";

    /** State of checking: edges to other components, at the vertex that one is named after. */
    static final String OPEN = "componentOpen";

    private static final String GONE = "gone";
    private static final int COUNTS = 1;
    private static final int BEGINS = 2;

    private LongState component;
    private LongState open;
    private LongMirror components;
    private IntMirror departures;
    private LongChannel reported;
    private LongChannel gone;
    private VertexChannel company;
    private Histogram count;

    /** Components of several vertices that go in a superstep. */
    private LongAggregator parties;

    /**
     * Runs the check.
     *
     * @throws org.starling.graph.JobFailedException if there is a cycle
     */
    static void require(GraphSession session, String graph) {
        RunResult run = session.run(graph, NAME, Parameters.NONE);
        long[] gone = run.histogram(GONE);
        long left = session.info(graph).vertices() - (gone.length == 0 ? 0 : gone[0]);
        new Verdict(session, graph, SccCheck.SUBJECT, run)
                .all(
                        left == 0,
                        "%d vertices lie in, or lead to, components that should be one"
                                .formatted(left));
    }

    @Override
    public void declare(Declaration graph) {
        component = graph.existingVertexState(StronglyConnectedComponents.COMPONENT);
        open = graph.longState(OPEN, 0);
        components = graph.longMirror("components", -1);
        departures = graph.intMirror("departures", 0);
        reported = graph.longChannel("reported", LongCombiner.SUM);
        gone = graph.longChannel("gone", LongCombiner.SUM, EdgeDirection.INCOMING);
        company = graph.vertexChannel("company");
        count = graph.histogram(GONE);
        parties = graph.longAggregator("parties", LongCombiner.SUM);
    }

    @Override
    public void start(Vertex v) {
        components.publish(v, component.get(v));
    }

    @Override
    public void compute(Vertex v) {
        boolean named = component.get(v) == v.ordinal();
        if (v.superstep() == COUNTS) {
            countEdges(v, named);
        } else if (!named && departures.read(component.get(v)) == 1) {
            leave(v);
        } else if (named) {
            long edges = open.get(v) / 2 + reported.received(v) - gone.received(v);
            boolean hasCompany = (open.get(v) & 1) == 1 || company.hasReceived(v);
            open.set(v, 2 * edges + (hasCompany ? 1 : 0));
            if (edges == 0) {
                parties.add(hasCompany ? 1 : 0);
                departures.publish(v, 1);
                leave(v);
            }
        } else if (gone.hasReceived(v)) {
            reported.send(component.get(v), -gone.received(v));
        }
    }

    private void countEdges(Vertex v, boolean named) {
        long edges = 0;
        for (EdgeCursor edge = v.edges(); edge.next(); ) {
            edges += components.read(edge.target()) == component.get(v) ? 0 : 1;
        }
        if (named) {
            open.set(v, 2 * edges);
        } else {
            reported.send(component.get(v), edges);
            company.send(component.get(v), v.ordinal());
        }
    }

    private void leave(Vertex v) {
        count.add(0, 1);
        gone.broadcast(v, 1);
        v.settle();
    }

    @Override
    public void afterSuperstep(Master master) {
        if (master.superstep() < BEGINS || parties.value() > 0) {
            master.activateAll();
        }
    }
}
