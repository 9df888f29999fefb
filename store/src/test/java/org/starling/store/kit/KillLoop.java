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
import org.jspecify.annotations.Nullable;
import org.starling.store.Durability;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * Four clients on a cluster of real processes that are killed, paused and restarted all the time;
 * afterwards every chunk is read back and its history checked. As a program: {@code KillLoop
 * SECONDS SUPERPEERS SEED DIRECTORY}; its last line is {@link Outcome#line()} and its exit code 1
 * if anything is wrong.
 */
final class KillLoop {
    /** What a read of lost data is noted as: nobody writes it. */
    static final long LOST = -2;

    private static final int PEERS = 4;
    private static final int CLIENTS = 4;
    private static final int CHUNKS = 400;
    private static final int ACTIVE_STORES = 2;
    private static final long START_SECONDS = 60;
    private static final long HUNG_SECONDS = 60;
    private static final long SETTLE_SECONDS = 60;

    private final Path folder;
    private final int superpeers;
    private final Duration duration;
    private final long seed;
    private final History history = new History();
    private final AtomicReference<@Nullable StoreNode> node = new AtomicReference<>();
    private final AtomicLong values = new AtomicLong();
    private final List<String> faults = new ArrayList<>();

    /**
     * What a loop came to.
     *
     * @param acked operations that were acknowledged
     * @param killed processes killed
     * @param lost chunks whose acknowledged writes are gone
     * @param stale chunks that answered an older value
     * @param reappeared chunks that were removed and came back
     * @param hung operations that did not end, and clusters that did not get all copies back
     * @param faults what is wrong, a line each
     */
    record Outcome(
            long acked,
            int killed,
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
                    + " killed="
                    + killed
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

    KillLoop(Path folder, int superpeers, Duration duration, long seed) {
        this.folder = folder;
        this.superpeers = superpeers;
        this.duration = duration;
        this.seed = seed;
    }

    /** Entry as a program. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[3]);
        Files.createDirectories(folder);
        KillLoop loop =
                new KillLoop(
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
        System.out.println("kill loop with seed " + seed + ", " + superpeers + " superpeers");
        try (KillCluster cluster = new KillCluster(folder, superpeers, PEERS)) {
            connect(cluster);
            awaitPeers();
            long[] chunks = chunks();
            long until = System.nanoTime() + duration.toNanos();
            Nemesis nemesis = new Nemesis(cluster, this::allReplicated, seed, until);
            List<Client> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Client(this::node, chunks, history, values, seed + i, until));
            }
            List<Thread> threads = start(clients, nemesis);
            int hung = awaitEnd(threads, clients);
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
            if (node().promised() == Durability.POWER && stores() >= PEERS) {
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
        Client first = new Client(this::node, chunks, history, values, seed, 0);
        for (int owner : owners) {
            int count = CHUNKS / owners.size();
            int[] sizes = new int[count];
            long id = node().chunks().createOn(owner, sizes);
            for (int i = 0; i < count; i++) {
                chunks[next++] = id + i;
            }
        }
        for (long chunk : chunks) {
            first.operate(Operation.Kind.WRITE, chunk);
        }
        if (first.acknowledged() != CHUNKS) {
            throw new IllegalStateException("first writes failed: " + first.lastFailure());
        }
        return chunks;
    }

    private static List<Thread> start(List<Client> clients, Nemesis nemesis) {
        List<Thread> threads = new ArrayList<>();
        clients.forEach(
                client -> threads.add(Thread.ofPlatform().daemon().name("client").start(client)));
        threads.add(Thread.ofPlatform().daemon().name("nemesis").start(nemesis));
        return threads;
    }

    // the end

    private int awaitEnd(List<Thread> threads, List<Client> clients) {
        int hung = 0;
        long deadline =
                System.nanoTime() + duration.toNanos() + TimeUnit.SECONDS.toNanos(HUNG_SECONDS);
        for (Thread thread : threads) {
            try {
                long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
                if (!thread.join(Duration.ofMillis(left))) {
                    hung++;
                    faults.add(thread.getName() + " hangs at " + List.of(thread.getStackTrace()));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        for (Client client : clients) {
            long since = client.busySinceNanos();
            if (since != 0) {
                faults.add("an operation runs since " + (System.nanoTime() - since) / 1e9 + " s");
            }
        }
        return hung;
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
            return stores() >= PEERS && node().status().allReplicated();
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
        Client last = new Client(this::node, chunks, history, values, seed, 0);
        for (long chunk : chunks) {
            last.operate(Operation.Kind.READ, chunk);
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
        return new Outcome(acked, nemesis.killed(), lost, stale, reappeared, hung, faults);
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
