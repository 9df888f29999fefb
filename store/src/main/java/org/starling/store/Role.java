package org.starling.store;

/** What a node is for. */
public enum Role {
    /** Holds the directory: nodes, names, chunk locations. */
    SUPERPEER,
    /** Holds chunks and computes. */
    PEER
}
