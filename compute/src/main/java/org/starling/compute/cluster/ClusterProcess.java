package org.starling.compute.cluster;

/**
 * One process of a {@link LocalCluster}, as it was found.
 *
 * @param name {@code superpeer-0}, {@code peer-2}, and the like; its folders and files are called
 *     so
 * @param superpeer whether it is a superpeer
 * @param index number among its kind, from 0
 * @param port where it listens on 127.0.0.1, by which its node is known in {@link ClusterView}
 * @param pid its process id, 0 if it is not running
 */
public record ClusterProcess(String name, boolean superpeer, int index, int port, long pid) {
    /** Whether it was running when it was looked at. */
    public boolean isRunning() {
        return pid != 0;
    }
}
