package org.starling.compute.access;

import org.jspecify.annotations.Nullable;

/** Knows tokens. Any thread. */
@FunctionalInterface
public interface AccessGate {
    /**
     * Who somebody is that shows a header {@code Authorization}.
     *
     * @param header as it came; null for none
     * @throws org.starling.compute.cluster.ClusterException if that can't be told now, because the
     *     directory does not answer
     */
    Admission admit(@Nullable String header);
}
