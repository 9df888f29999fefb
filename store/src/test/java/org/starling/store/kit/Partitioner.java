package org.starling.store.kit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Cuts nodes off from each other and pauses them, one thing after the other, from a seed. Behind
 * each it waits until every peer's chunks answer and everything has its copies again, and notes how
 * long that took.
 */
final class Partitioner implements Nemesis {
    /** No strike and what follows takes longer, if all is well. */
    static final Duration LONGEST = Duration.ofSeconds(90);

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int LEAST_MILLIS = 300;
    private static final int MOST_MILLIS = 4_500;

    /** Longer than a lease. */
    private static final int LEAST_PAUSE_MILLIS = 1_500;

    private static final int FLAPS = 12;
    private static final int MOST_FLAP_MILLIS = 400;

    private static final List<Kind> PARTITIONS =
            List.copyOf(EnumSet.complementOf(EnumSet.of(Kind.PAUSE)));

    private final KillCluster cluster;
    private final Hosts hosts;
    private final KillLoop.Look look;
    private final Random random;
    private final StringBuilder diary = new StringBuilder();
    private final List<String> faults = new ArrayList<>();
    private final Map<Kind, List<Long>> answeredMillis = new EnumMap<>(Kind.class);
    private final Map<Kind, List<Long>> wholeMillis = new EnumMap<>(Kind.class);
    private int partitionsLeft;
    private int pausesLeft;
    private int struck;

    private enum Kind {
        SYMMETRIC,
        ONE_WAY,
        ISOLATED,
        FLAPPING,
        SUPERPEERS_FROM_PEERS,
        PAUSE
    }

    Partitioner(
            KillCluster cluster,
            Hosts hosts,
            KillLoop.Look look,
            long seed,
            int partitions,
            int pauses) {
        this.cluster = cluster;
        this.hosts = hosts;
        this.look = look;
        this.random = new Random(seed);
        this.partitionsLeft = partitions;
        this.pausesLeft = pauses;
    }

    @Override
    public void run() {
        while (partitionsLeft + pausesLeft > 0 && faults.isEmpty()) {
            Kind kind = next();
            strike(kind);
            long healed = System.nanoTime();
            if (awaits(look::answers, kind, "chunks do not answer")) {
                note(answeredMillis, kind, healed);
            }
            if (awaits(look::isWhole, kind, "not everything has its copies")) {
                note(wholeMillis, kind, healed);
            }
            struck++;
        }
        diary.append(figures("answered", answeredMillis));
        diary.append(figures("whole again", wholeMillis));
    }

    @Override
    public int struck() {
        return struck;
    }

    @Override
    public List<String> faults() {
        return faults;
    }

    @Override
    public String diary() {
        return diary.toString();
    }

    private Kind next() {
        boolean pauses = random.nextInt(partitionsLeft + pausesLeft) < pausesLeft;
        if (pauses) {
            pausesLeft--;
            return Kind.PAUSE;
        }
        partitionsLeft--;
        return PARTITIONS.get(random.nextInt(PARTITIONS.size()));
    }

    private void strike(Kind kind) {
        int millis = LEAST_MILLIS + random.nextInt(MOST_MILLIS - LEAST_MILLIS);
        switch (kind) {
            case SYMMETRIC -> {
                List<List<Integer>> sides = sides();
                cut(sides.getFirst(), sides.getLast());
                cut(sides.getLast(), sides.getFirst());
                passes(kind, sides.getFirst(), millis);
            }
            case ONE_WAY -> {
                List<List<Integer>> sides = sides();
                cut(sides.getFirst(), sides.getLast());
                passes(kind, sides.getFirst(), millis);
            }
            case ISOLATED -> {
                int host = random.nextInt(hosts.count());
                hosts.unplug(host);
                passes(kind, List.of(host), millis);
            }
            case FLAPPING -> flap(random.nextInt(hosts.count()));
            case SUPERPEERS_FROM_PEERS -> {
                int superpeers = cluster.superpeers().size();
                List<Integer> some = IntStream.range(0, superpeers).boxed().toList();
                List<Integer> others = IntStream.range(superpeers, hosts.count()).boxed().toList();
                cut(some, others);
                cut(others, some);
                passes(kind, some, millis);
            }
            case PAUSE -> {
                int host = random.nextInt(hosts.count());
                Victim victim = cluster.nodes().get(host);
                victim.pause();
                passes(kind, List.of(host), Math.max(LEAST_PAUSE_MILLIS, millis));
                victim.resume();
            }
        }
    }

    /** All hosts in two groups; the machine itself, where the clients are, is in either or none. */
    private List<List<Integer>> sides() {
        List<Integer> all = new ArrayList<>(IntStream.range(0, hosts.count()).boxed().toList());
        Collections.shuffle(all, random);
        int first = 1 + random.nextInt(all.size() - 1);
        List<Integer> one = new ArrayList<>(all.subList(0, first));
        List<Integer> other = new ArrayList<>(all.subList(first, all.size()));
        switch (random.nextInt(4)) {
            case 0 -> one.add(hosts.count());
            case 1 -> other.add(hosts.count());
            default -> {
                // it is seen by all
            }
        }
        return List.of(one, other);
    }

    private void cut(List<Integer> from, List<Integer> to) {
        for (int one : from) {
            for (int other : to) {
                hosts.cut(one, other);
            }
        }
    }

    private void flap(int host) {
        int flaps = 2 + random.nextInt(FLAPS);
        for (int i = 0; i < flaps; i++) {
            hosts.unplug(host);
            park(random.nextInt(MOST_FLAP_MILLIS));
            hosts.heal();
            park(random.nextInt(MOST_FLAP_MILLIS));
        }
        write(Kind.FLAPPING + " " + host + ", " + flaps + " times");
    }

    private void passes(Kind kind, List<Integer> some, int millis) {
        write(kind + " " + some + " for " + millis + " ms");
        park(millis);
        hosts.heal();
    }

    private boolean awaits(BooleanSupplier state, Kind kind, String complaint) {
        long start = System.nanoTime();
        while (!state.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS
                    || Thread.currentThread().isInterrupted()) {
                write(complaint);
                faults.add(kind + ", strike " + struck + ": " + complaint);
                return false;
            }
            park(20);
        }
        return true;
    }

    private static void note(Map<Kind, List<Long>> millis, Kind kind, long since) {
        millis.computeIfAbsent(kind, _ -> new ArrayList<>())
                .add((System.nanoTime() - since) / 1_000_000);
    }

    private static String figures(String what, Map<Kind, List<Long>> millis) {
        StringBuilder text = new StringBuilder();
        millis.forEach((kind, all) -> {
            List<Long> sorted = all.stream().sorted().toList();
            text.append(what)
                    .append(" behind ")
                    .append(kind)
                    .append(": ")
                    .append(sorted.size())
                    .append(" times, median ")
                    .append(sorted.get(sorted.size() / 2))
                    .append(" ms, longest ")
                    .append(sorted.getLast())
                    .append(" ms\n");
        });
        return text.toString();
    }

    private void write(String line) {
        diary.append(System.nanoTime() / 1_000_000).append(' ').append(line).append('\n');
    }

    private static void park(int millis) {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() < until && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }
}
