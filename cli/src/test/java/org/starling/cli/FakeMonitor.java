package org.starling.cli;

import java.util.List;
import java.util.Map;
import org.starling.compute.cluster.Metric;
import org.starling.compute.cluster.NodeMonitor;

/** A node with two figures, which is ready when a test says so. */
public final class FakeMonitor implements NodeMonitor {
    private volatile boolean ready = true;

    /** Whether it is ready from now on. */
    public void setReady(boolean isReady) {
        ready = isReady;
    }

    @Override
    public boolean isReady() {
        return ready;
    }

    @Override
    public List<Metric> metrics() {
        return List.of(
                new Metric(
                        "starling_net_sent_bytes_total",
                        Metric.Kind.COUNTER,
                        "Bytes that left.",
                        List.of(
                                new Metric.Sample(Map.of("other", "peer"), 1e12),
                                new Metric.Sample(Map.of("other", "superpeer"), 0))),
                new Metric(
                        "starling_node_ready",
                        Metric.Kind.GAUGE,
                        "1 while the node serves, else 0.",
                        List.of(new Metric.Sample(Map.of(), ready ? 1 : 0))));
    }
}
