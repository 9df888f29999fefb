package org.starling.store.kit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.starling.store.Durability;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Clients on a cluster of real processes, whose nodes are killed, paused and restarted all the
 * time, or, on hosts of their own, cut off from each other and paused; afterwards every chunk is
 * read back and its history checked. As a program: {@code KillLoop SECONDS SUPERPEERS SEED
 * DIRECTORY}; its last line is {@link Outcome#line()} and its exit code 1 if anything is wrong.
 */
final class KillLoop {
    /** What a read of lost data is noted as: nobody writes it. */
    static final long LOST = -2;

    private static final int CHUNKS = 400;
    private static final int ACTIVE_STORES = 2;
    private static final long START_SECONDS = 60;
    private static final long HUNG_SECONDS = 60;
    private static final long SETTLE_SECONDS = 60;

    private final Supplier<KillCluster> start;
    private final Size size;
    private final long seed;
    private final Trouble trouble;
    private final History history = new History();
    private final AtomicReference<@Nullable StoreNode> node = new AtomicReference<>();
    private final AtomicLong values = new AtomicLong();
    private final List<String> faults = new ArrayList<>();
    private volatile boolean goesOn = true;

    /**
     * How large a loop is.
     *
     * @param most how long it may take
     */
    private record Size(int peers, int clients, Client.Pace pace, Duration most) {}

    /** Makes who troubles a cluster. */
    private interface Trouble {
        Nemesis of(KillCluster cluster, Look look);
    }

    /** What who troubles the cluster sees of it. */
    interface Look {
        /** Whether each peer's first chunk can be written and read now. */
        boolean answers();

        /** Whether all peers are there and everything has all its copies. */
        boolean isWhole();
    }

    /**
     * What a loop came to.
     *
     * @param acked operations that were acknowledged
     * @param struck how often nodes were killed, paused or cut off
     * @param lost chunks whose acknowledged writes are gone
     * @param stale chunks that answered an older value
     * @param reappeared chunks that were removed and came back
     * @param hung operations that did not end, and clusters that did not get all copies back
     * @param faults what is wrong, a line each
     */
    record Outcome(
            long acked,
            int struck,
            int lost,
            int stale,
            int reappeared,
            int hung,
            List<String> faults) {
        boolean isGood() {
            return acked > 0 && lost == 0 && stale == 0 && reappeared == 0 && hung == 0;
        }

        String line() {
            return "acked="
                    + acked
                    + " struck="
                    + struck
                    + " lost="
                    + lost
                    + " stale="
                    + stale
                    + " reappeared="
                    + reappeared
                    + " hung="
                    + hung;
        }
    }

    private KillLoop(Supplier<KillCluster> start, Size size, long seed, Trouble trouble) {
        this.start = start;
        this.size = size;
        this.seed = seed;
        this.trouble = trouble;
    }

    /** Four peers and four clients for so long, and nodes that are killed and paused. */
    static KillLoop ofKills(Path folder, int superpeers, Duration duration, long seed) {
        int peers = 4;
        return new KillLoop(
                () -> new KillCluster(folder, superpeers, peers),
                new Size(peers, 4, new Client.Pace(0, 1_000, false), duration),
                seed,
                (cluster, look) ->
                        new Killer(
                                cluster,
                                look::isWhole,
                                seed,
                                System.nanoTime() + duration.toNanos()));
    }

    /**
     * Eight clients, and nodes on hosts of their own that are cut off from each other and paused.
     *
     * @param superpeers on the first hosts; peers are on the others
     */
    static KillLoop ofPartitions(
            Path folder, Hosts hosts, int superpeers, int partitions, int pauses, long seed) {
        int peers = hosts.count() - superpeers;
        Duration most = Partitioner.LONGEST.multipliedBy(partitions + pauses);
        return new KillLoop(
                () -> new KillCluster(folder, superpeers, peers, hosts),
                new Size(
                        peers,
                        8,
                        new Client.Pace(TimeUnit.MILLISECONDS.toNanos(4), 25, true),
                        most),
                seed,
                (cluster, look) -> new Partitioner(cluster, hosts, look, seed, partitions, pauses));
    }

    /** Entry as a program. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[3]);
        Files.createDirectories(folder);
        KillLoop loop =
                ofKills(
                        folder,
                        Integer.parseInt(arguments[1]),
                        Duration.ofSeconds(Long.parseLong(arguments[0])),
                        Long.parseLong(arguments[2]));
        Outcome outcome = loop.run();
        outcome.faults().forEach(System.out::println);
        System.out.println(outcome.line());
        Runtime.getRuntime().halt(outcome.isGood() ? 0 : 1);
    }

    Outcome run() {
        System.out.println("kill loop with seed " + seed);
        try (KillCluster cluster = start.get()) {
            connect(cluster);
            awaitPeers();
            long[] chunks = chunks();
            Nemesis nemesis = trouble.of(cluster, look(chunks));
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < size.clients(); i++) {
                clients.add(client(chunks, i, size.pace()));
            }
            int hung = awaitEnd(start(clients), nemesis, clients);
            cluster.peers().stream().filter(peer -> !peer.isAlive()).forEach(Victim::restart);
            hung += settled() ? 0 : 1;
            readBack(chunks);
            System.out.print(nemesis.diary());
            for (Client client : clients) {
                System.out.println(
                        "client: acked "
                                + client.acknowledged()
                                + " indeterminate "
                                + client.open()
                                + " refused "
                                + client.failed()
                                + " last: "
                                + client.lastFailure());
            }
            return judged(clients, nemesis, hung);
        } finally {
            StoreNode last = node.getAndSet(null);
            if (last != null) {
                last.close();
            }
        }
    }

    private Client client(long[] chunks, int number, Client.Pace pace) {
        return new Client(this::node, chunks, history, values, seed + number, pace, () -> goesOn);
    }

    private Look look(long[] chunks) {
        Client probe = client(chunks, -1, size.pace().byHand());
        return new Look() {
            @Override
            public boolean answers() {
                for (int i = 0; i < CHUNKS; i += CHUNKS / size.peers()) {
                    if (!probe.operate(Operation.Kind.WRITE, chunks[i])
                            || !probe.operate(Operation.Kind.READ, chunks[i])) {
                        return false;
                    }
                }
                return true;
            }

            @Override
            public boolean isWhole() {
                return allReplicated();
            }
        };
    }

    private StoreNode node() {
        return Objects.requireNonNull(node.get(), "not connected");
    }

    // set-up

    /** Joins, and joins again whenever this node is expelled (a busy machine can do that). */
    private void connect(KillCluster cluster) {
        StoreNode fresh =
                cluster.client(System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS));
        fresh.onExpelled(() ->
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> {
                            connect(cluster);
                            fresh.close();
                        }));
        node.set(fresh);
    }

    private void awaitPeers() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (System.nanoTime() < deadline) {
            if (node().promised() == Durability.POWER && stores() >= size.peers()) {
                return;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        throw new IllegalStateException("the cluster did not come up: " + node().promise());
    }

    private long stores() {
        return node().membership().nodes().stream()
                .filter(each -> (each.capabilities() & ACTIVE_STORES) == ACTIVE_STORES)
                .count();
    }

    /** Chunks on all peers, each with a first value. */
    private long[] chunks() {
        long[] chunks = new long[CHUNKS];
        int next = 0;
        List<Integer> owners =
                node().membership().nodes().stream()
                        .filter(each -> (each.capabilities() & ACTIVE_STORES) == ACTIVE_STORES)
                        .map(each -> each.id())
                        .toList();
        Client first = client(chunks, 0, size.pace().byHand());
        for (int owner : owners) {
            int count = CHUNKS / owners.size();
            int[] sizes = new int[count];
            long id = node().chunks().createOn(owner, sizes);
            for (int i = 0; i < count; i++) {
                chunks[next++] = id + i;
            }
        }
        for (long chunk : chunks) {
            boolean _ = first.operate(Operation.Kind.WRITE, chunk);
        }
        if (first.acknowledged() != CHUNKS) {
            throw new IllegalStateException("first writes failed: " + first.lastFailure());
        }
        return chunks;
    }

    private static List<Thread> start(List<Client> clients) {
        return clients.stream()
                .map(client -> Thread.ofPlatform().daemon().name("client").start(client))
                .toList();
    }

    // the end

    /** Behind who troubles the cluster the clients end. */
    private int awaitEnd(List<Thread> threads, Nemesis nemesis, List<Client> clients) {
        Thread trouble = Thread.ofPlatform().daemon().name("nemesis").start(nemesis);
        int hung = joined(trouble, size.most().plusSeconds(HUNG_SECONDS)) ? 0 : 1;
        goesOn = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HUNG_SECONDS);
        for (Thread thread : threads) {
            hung += joined(thread, Duration.ofNanos(deadline - System.nanoTime())) ? 0 : 1;
        }
        faults.addAll(nemesis.faults());
        hung += nemesis.faults().size();
        for (Client client : clients) {
            long since = client.busySinceNanos();
            if (since != 0) {
                faults.add("an operation runs since " + (System.nanoTime() - since) / 1e9 + " s");
            }
        }
        return hung;
    }

    private boolean joined(Thread thread, Duration most) {
        try {
            if (thread.join(most.isPositive() ? most : Duration.ofMillis(1))) {
                return true;
            }
            faults.add(thread.getName() + " hangs at " + List.of(thread.getStackTrace()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private boolean settled() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SETTLE_SECONDS);
        while (System.nanoTime() < deadline) {
            if (allReplicated()) {
                return true;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
        faults.add("not everything has all its copies: " + status());
        return false;
    }

    private boolean allReplicated() {
        try {
            return stores() >= size.peers() && node().status().allReplicated();
        } catch (StoreException e) {
            return false;
        }
    }

    private String status() {
        try {
            return node().status().toString();
        } catch (StoreException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void readBack(long[] chunks) {
        Client last = client(chunks, 0, size.pace().byHand());
        for (long chunk : chunks) {
            boolean _ = last.operate(Operation.Kind.READ, chunk);
        }
        if (last.failed() + last.open() > 0) {
            faults.add(last.failed() + last.open() + " chunks unreadable: " + last.lastFailure());
        }
    }

    private Outcome judged(List<Client> clients, Nemesis nemesis, int hung) {
        int lost = (int) faults.stream().filter(each -> each.contains("unreadable")).count();
        int stale = 0;
        int reappeared = 0;
        for (Map.Entry<Long, List<Operation>> chunk : history.byChunk().entrySet()) {
            List<Operation> operations = chunk.getValue();
            Optional<String> violation = Linearizability.violation(operations);
            if (violation.isEmpty()) {
                continue;
            }
            faults.add("chunk " + Long.toHexString(chunk.getKey()) + ": " + violation.get());
            faults.add(tail(operations));
            Operation end = operations.getLast();
            boolean wasRemoved =
                    operations.stream().anyMatch(each -> each.kind() == Operation.Kind.REMOVE);
            if (end.value() == Operation.ABSENT || end.value() == LOST) {
                lost++;
            } else if (wasRemoved) {
                reappeared++;
            } else {
                stale++;
            }
        }
        long acked = clients.stream().mapToLong(Client::acknowledged).sum();
        return new Outcome(acked, nemesis.struck(), lost, stale, reappeared, hung, faults);
    }

    private static String tail(List<Operation> operations) {
        StringBuilder text = new StringBuilder();
        for (Operation each :
                operations.subList(Math.max(0, operations.size() - 40), operations.size())) {
            text.append("    ")
                    .append(each.kind())
                    .append(' ')
                    .append(each.value())
                    .append(' ')
                    .append(each.begin() / 1_000)
                    .append("..")
                    .append(each.isOpen() ? "open" : Long.toString(each.end() / 1_000))
                    .append('\n');
        }
        return text.toString();
    }
}
