package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.ChangeLayout;
import org.starling.compute.internal.graph.StoredGraph;
import org.starling.graph.JobFailedException;
import org.starling.graph.Topology;

/** Changes of the topology as one instance of a program asks for them. */
final class TopologyHandle implements Topology {
    private final StoredGraph graph;
    private final ChangeList changes;
    private final long ordinals;

    TopologyHandle(StoredGraph graph, ChangeList changes) {
        this.graph = graph;
        this.changes = changes;
        this.ordinals = graph.shards().vertices();
    }

    @Override
    public void addEdge(long source, long target, float weight) {
        check(source);
        check(target);
        checkWeight(weight);
        if (source != target) {
            changes.add(ChangeLayout.ADD_EDGE, source, target, weight);
        }
    }

    @Override
    public void removeEdge(long source, long target) {
        check(source);
        check(target);
        changes.add(ChangeLayout.REMOVE_EDGE, source, target, 0);
    }

    @Override
    public void removeVertex(long ordinal) {
        check(ordinal);
        changes.add(ChangeLayout.REMOVE_VERTEX, ordinal, 0, 0);
    }

    @Override
    public void removeVertexById(long id) {
        changes.add(ChangeLayout.REMOVE_VERTEX_BY_ID, id, 0, 0);
    }

    @Override
    public void addVertex(long id) {
        changes.add(ChangeLayout.ADD_VERTEX, id, 0, 0);
    }

    @Override
    public void addEdgeById(long source, long target, float weight) {
        checkWeight(weight);
        changes.add(ChangeLayout.ADD_EDGE_BY_ID, source, target, weight);
    }

    @Override
    public void removeEdgeById(long source, long target) {
        changes.add(ChangeLayout.REMOVE_EDGE_BY_ID, source, target, 0);
    }

    @Override
    public boolean contains(long ordinal) {
        return ordinal >= 0 && ordinal < ordinals && !graph.isGone(ordinal);
    }

    @Override
    public long vertices() {
        return ordinals - graph.version().gone();
    }

    private void check(long ordinal) {
        if (ordinal < 0 || ordinal >= ordinals) {
            throw new JobFailedException(
                    "there is no vertex with ordinal %d to change; the graph has ordinals below %d"
                            .formatted(ordinal, ordinals));
        }
    }

    private static void checkWeight(float weight) {
        if (Float.isNaN(weight)) {
            throw new JobFailedException("the weight of an edge that is added is no number");
        }
    }
}
