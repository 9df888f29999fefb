package org.starling.store.kit;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Kills, pauses and restarts nodes, one thing every 1 to 5 seconds, from a seed. It keeps to what
 * the store promises to survive: at most two peers are struck between two moments at which
 * everything had all its copies, and at most one superpeer is away at a time.
 */
final class Killer implements Nemesis {
    private static final int MAX_STRUCK = 2;

    private final KillCluster cluster;
    private final BooleanSupplier allReplicated;
    private final Random random;
    private final long untilNanos;
    private final StringBuilder diary = new StringBuilder();
    private int struck;

    private int killed;

    Killer(KillCluster cluster, BooleanSupplier allReplicated, long seed, long untilNanos) {
        this.cluster = cluster;
        this.allReplicated = allReplicated;
        this.random = new Random(seed);
        this.untilNanos = untilNanos;
    }

    @Override
    public void run() {
        while (System.nanoTime() - untilNanos < 0) {
            pause(1_000 + random.nextInt(4_000));
            if (struck >= MAX_STRUCK && !recovered()) {
                continue;
            }
            boolean strikesPeer = random.nextInt(5) > 0;
            List<Victim> group = strikesPeer ? cluster.peers() : cluster.superpeers();
            Victim victim = group.get(random.nextInt(group.size()));
            if (strikesPeer) {
                struck++;
            }
            strike(victim);
        }
    }

    @Override
    public int struck() {
        return killed;
    }

    @Override
    public List<String> faults() {
        return List.of();
    }

    @Override
    public String diary() {
        return diary.toString();
    }

    private boolean recovered() {
        boolean all = allReplicated.getAsBoolean();
        if (all) {
            struck = 0;
        }
        return all;
    }

    private void strike(Victim victim) {
        int millis = 200 + random.nextInt(3_000);
        if (random.nextInt(3) > 0) {
            note("kill", victim, millis);
            victim.kill();
            killed++;
            pause(millis);
            victim.restart();
        } else {
            note("pause", victim, millis);
            victim.pause();
            pause(millis);
            victim.resume();
        }
    }

    private void note(String what, Victim victim, int millis) {
        diary.append(System.nanoTime() / 1_000_000)
                .append(' ')
                .append(what)
                .append(' ')
                .append(victim.name())
                .append(" for ")
                .append(millis)
                .append(" ms\n");
    }

    private static void pause(int millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < until && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }
}
