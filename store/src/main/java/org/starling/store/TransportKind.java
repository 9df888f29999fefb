package org.starling.store;

/** By what the nodes of a cluster of several processes talk to each other. */
public enum TransportKind {
    /** TCP sockets. */
    ETHERNET,
    /** UCX: InfiniBand where the machine has it. */
    INFINIBAND
}
