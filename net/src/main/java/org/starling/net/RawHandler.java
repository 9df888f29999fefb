package org.starling.net;

/** Takes raw blocks, at once on the receiving thread and in order per connection. */
@FunctionalInterface
public interface RawHandler {

    /**
     * Handles one block.
     *
     * @param source node that sent it
     * @param address its first byte, 8-byte aligned, valid during this call only
     * @param bytes its length
     */
    void on(int source, long address, int bytes);
}
