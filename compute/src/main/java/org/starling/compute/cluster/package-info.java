/**
 * Clusters of processes: what one process is ({@link org.starling.compute.cluster.NodeProcess}),
 * how those of this machine are started, asked and stopped ({@link
 * org.starling.compute.cluster.LocalCluster}), and what people can ask of a running cluster ({@link
 * org.starling.compute.cluster.ClusterService}, over REST by {@link
 * org.starling.compute.cluster.ClusterClient}). Called by commands and benchmarks. Start with
 * {@code LocalCluster}.
 */
@NullMarked
package org.starling.compute.cluster;

import org.jspecify.annotations.NullMarked;
