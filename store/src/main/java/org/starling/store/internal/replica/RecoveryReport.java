package org.starling.store.internal.replica;

import java.util.List;

/**
 * How the recovery of a zone went.
 *
 * @param zone zone id
 * @param epoch the directory's epoch under which it was recovered: the guard of the switch
 * @param end the last position of its stream
 * @param chunks brought back
 * @param bytes of their payloads
 * @param lost chunk ids of which no good copy was found, as far as they are known
 * @param isDamaged whether chunks are lost, known or not
 * @param left sources that could not be brought to the same end: the switch leaves them out
 */
public record RecoveryReport(
        long zone,
        long epoch,
        long end,
        long chunks,
        long bytes,
        List<Long> lost,
        boolean isDamaged,
        List<Integer> left) {
    /** Copies the lists. */
    public RecoveryReport {
        lost = List.copyOf(lost);
        left = List.copyOf(left);
    }
}
