package org.starling.compute.cluster;

import org.starling.compute.columns.ColumnService;

/**
 * What a superpeer does for its API endpoint: all that commands ask for, and besides what goes in
 * and out in streams. Blocking; any thread.
 */
public interface ApiService extends ClusterService {
    /** Columns of the graphs that the cluster keeps, whole. */
    ColumnService columns();
}
