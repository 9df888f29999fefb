package org.starling.compute;

/**
 * Native memory of a run on one peer: columns, messages, copies of other peers' rows. What the
 * program keeps in objects of its own is not counted.
 *
 * @param node the peer
 * @param expectedBytes most that the run could take, known before it
 * @param availableBytes what the peer had to give before the run
 * @param takenBytes what the run had taken when it ended, in whole pages
 */
public record PeerMemory(int node, long expectedBytes, long availableBytes, long takenBytes) {}
