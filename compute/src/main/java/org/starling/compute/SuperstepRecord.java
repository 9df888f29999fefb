package org.starling.compute;

/**
 * What happened in one superstep, or in a few consecutive ones of a long run.
 *
 * @param first number of the first superstep, from 0
 * @param last number of the last one
 * @param frontier vertices that computed (of a shard program: 0)
 * @param direction how the broadcasts before it were delivered: {@code push}, {@code pull}, {@code
 *     both} or {@code none}
 * @param messages messages sent, before combining
 * @param bytes bytes that left for other peers, those of the delivery before it included
 * @param seconds from the master's command to the last answer
 * @param slowestShard the shard that took longest in one superstep
 * @param slowestSeconds how long it took
 */
public record SuperstepRecord(
        int first,
        int last,
        long frontier,
        String direction,
        long messages,
        long bytes,
        double seconds,
        int slowestShard,
        double slowestSeconds) {
    /** This record and the one after it as one. */
    public SuperstepRecord and(SuperstepRecord next) {
        boolean slower = next.slowestSeconds > slowestSeconds;
        return new SuperstepRecord(
                first,
                next.last,
                frontier + next.frontier,
                bothDirections(direction, next.direction),
                messages + next.messages,
                bytes + next.bytes,
                seconds + next.seconds,
                slower ? next.slowestShard : slowestShard,
                slower ? next.slowestSeconds : slowestSeconds);
    }

    /** One direction for two. */
    public static String bothDirections(String one, String other) {
        if (one.equals(other) || other.equals("none")) {
            return one;
        }
        return one.equals("none") ? other : "both";
    }
}
