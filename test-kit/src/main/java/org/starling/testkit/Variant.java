package org.starling.testkit;

/**
 * One way to run a job.
 *
 * @param peers number of peers in this process
 * @param delivery whether messages of different peers arrive in any order
 * @param lostAfter so many supersteps into the job a peer is lost; 0: none is
 */
record Variant(int peers, Delivery delivery, int lostAfter) {
    /** As many as keep a job going when one of them is lost. */
    static final int PEERS_THAT_SURVIVE = 4;

    /** In what order messages of different peers arrive. */
    enum Delivery {
        AT_ONCE,
        SHUFFLED
    }

    static Variant of(int peers) {
        return new Variant(peers, Delivery.AT_ONCE, 0);
    }

    static Variant shuffled(int peers) {
        return new Variant(peers, Delivery.SHUFFLED, 0);
    }

    static Variant losing(int superstep) {
        return new Variant(PEERS_THAT_SURVIVE, Delivery.AT_ONCE, superstep);
    }

    @Override
    public String toString() {
        String on = peers == 1 ? "1 peer" : peers + " peers";
        if (lostAfter > 0) {
            return on + ", of which one is lost after superstep " + (lostAfter - 1);
        }
        return delivery == Delivery.AT_ONCE
                ? on
                : on + " with messages in any order (-D" + Stage.SEED + "=" + Stage.seed() + ")";
    }
}
