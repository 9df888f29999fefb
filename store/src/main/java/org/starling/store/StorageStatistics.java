package org.starling.store;

/**
 * What a peer keeps on its disk for others, and what it has brought back from the disks of others:
 * a snapshot, each figure exact, the figures not taken at one instant. Those that count began at 0
 * when the node was started.
 *
 * @param logs logs of zones that are open now
 * @param logBytes bytes of their files
 * @param writtenBytes bytes that were written to logs, what the cleaner moves included
 * @param cleanedBytes bytes of old segments that the cleaner has been through
 * @param forces times that written bytes were made safe from the loss of power
 * @param forceNanos how long that took, all together
 * @param hangs whether the disk does not answer at the moment
 * @param recoveredZones zones that this node has brought back after their owner was lost
 * @param damagedZones those of them of which chunks are lost
 * @param failedRecoveries recoveries that came to nothing; others may have taken them up
 * @param recoveredBytes payloads of the chunks that were brought back
 */
public record StorageStatistics(
        int logs,
        long logBytes,
        long writtenBytes,
        long cleanedBytes,
        long forces,
        long forceNanos,
        boolean hangs,
        long recoveredZones,
        long damagedZones,
        long failedRecoveries,
        long recoveredBytes) {}
