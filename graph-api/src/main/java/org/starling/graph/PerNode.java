package org.starling.graph;

/**
 * An object that the workers of a node share.
 *
 * @param <T> its type
 */
public interface PerNode<T> {
    /**
     * The object; built now if no worker of this node has asked before. Not to be called while
     * declaring.
     */
    T get();
}
