package org.starling.compute.cluster;

import java.util.List;
import java.util.Map;

/**
 * One figure of a node, under the name that Prometheus knows it by. Immutable.
 *
 * @param name with its unit; of counters with {@code _total}
 * @param kind how it moves
 * @param help one sentence
 * @param samples its values; of those with labels one for each, without labels one
 */
public record Metric(String name, Kind kind, String help, List<Sample> samples) {
    /** How a figure moves. */
    public enum Kind {
        /** Only up, from 0 at the start of the node. */
        COUNTER,
        /** Up and down. */
        GAUGE
    }

    /** A value with its labels, whose values are few and known beforehand. */
    public record Sample(Map<String, String> labels, double value) {
        /** Copies the labels. */
        public Sample {
            labels = Map.copyOf(labels);
        }
    }

    /** Copies the list. */
    public Metric {
        samples = List.copyOf(samples);
    }
}
