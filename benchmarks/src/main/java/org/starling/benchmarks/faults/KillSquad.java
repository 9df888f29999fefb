package org.starling.benchmarks.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.ClusterView;
import org.starling.graph.InvalidInputException;

/**
 * Kills processes of a cluster where they are to be killed. Each gets its order by a file in a
 * folder that the processes look in, and says by another file that it has come there and waits. All
 * orders for slaves are given before the job begins, each to another peer that is not the master;
 * orders for masters one after the other, to whoever is master then. Used by one thread, stepped by
 * {@link #step}.
 */
final class KillSquad {
    private static final String REACHED = ".reached";

    private final BenchCluster cluster;
    private final ClusterService service;
    private final Path folder;
    private final Consumer<String> progress;

    /** Orders that have been given, by process. */
    private final Map<Long, KillOrder> given = new HashMap<>();

    private final Deque<KillOrder> forMasters = new ArrayDeque<>();
    private final List<Kill> killed = new ArrayList<>();
    private final long begin = System.nanoTime();
    private int killedMaster = -1;

    /** An order that was carried out, and the process and node that it was meant for. */
    record Kill(String words, String name, int node) {}

    KillSquad(
            BenchCluster cluster, ClusterService service, Path folder, Consumer<String> progress) {
        this.cluster = cluster;
        this.service = service;
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * Gives the orders for slaves, and the first for a master. There is a master already.
     *
     * @throws InvalidInputException if there are not peers enough
     */
    void assign(List<KillOrder> orders) {
        ClusterProcess master =
                master().orElseThrow(() -> new ClusterException("no peer leads jobs"));
        Deque<ClusterProcess> others = slaves(master);
        if (orders.size() > others.size()) {
            throw new InvalidInputException(
                    "%d kills leave nobody of %d peers"
                            .formatted(orders.size(), others.size() + 1));
        }
        for (KillOrder order : orders) {
            if (order.master()) {
                forMasters.add(order);
            } else {
                give(order, others.removeFirst());
            }
        }
        step();
    }

    /**
     * Kills who has come to his place, and gives a new master his order.
     *
     * @throws ClusterException if the cluster can't be asked now; to be called again then
     */
    void step() {
        for (ClusterProcess process : cluster.processes().processes()) {
            KillOrder order = given.get(process.pid());
            if (order != null && isDue(order, process)) {
                kill(process, order);
            }
        }
        boolean waits = given.values().stream().anyMatch(KillOrder::master);
        if (!forMasters.isEmpty() && !waits && masterNode() != killedMaster) {
            master().ifPresent(process -> give(forMasters.removeFirst(), process));
        }
    }

    private boolean isDue(KillOrder order, ClusterProcess process) {
        return order.delay()
                .map(delay -> System.nanoTime() - begin >= delay.toNanos())
                .orElseGet(() -> Files.exists(folder.resolve(process.pid() + REACHED)));
    }

    private void kill(ClusterProcess process, KillOrder order) {
        int node =
                service.status().nodes().stream()
                        .filter(member -> process(member).pid() == process.pid())
                        .mapToInt(ClusterView.Node::node)
                        .max() // one that was declared lost by mistake joins again
                        .orElse(-1);
        killedMaster = order.master() ? node : killedMaster;
        cluster.kill(process.name());
        given.remove(process.pid());
        killed.add(new Kill(order.words(), process.name(), node));
        progress.accept("killed %s (node %d): %s".formatted(process.name(), node, order.words()));
    }

    /** Orders that were carried out. */
    List<Kill> killed() {
        return List.copyOf(killed);
    }

    /** Orders that could not be carried out. */
    List<String> left() {
        List<KillOrder> left = new ArrayList<>(given.values());
        left.addAll(forMasters);
        return left.stream().map(KillOrder::words).toList();
    }

    /** All peers but the master; who has joined first, and may be the next master, comes last. */
    private Deque<ClusterProcess> slaves(ClusterProcess master) {
        return service.status().nodes().stream()
                .sorted(Comparator.comparingInt(ClusterView.Node::node).reversed())
                .map(this::process)
                .filter(process -> !process.superpeer() && process.pid() != master.pid())
                .collect(Collectors.toCollection(ArrayDeque::new));
    }

    private ClusterProcess process(ClusterView.Node node) {
        String port = node.address().substring(node.address().lastIndexOf(':') + 1);
        return cluster.at(Integer.parseInt(port));
    }

    private int masterNode() {
        try {
            return service.status().master();
        } catch (ClusterException notNow) {
            return killedMaster; // asked again at the next step
        }
    }

    private Optional<ClusterProcess> master() {
        ClusterView view = service.status();
        return view.nodes().stream()
                .filter(node -> node.node() == view.master())
                .map(this::process)
                .filter(ClusterProcess::isRunning)
                .findFirst();
    }

    private void give(KillOrder order, ClusterProcess process) {
        if (order.delay().isEmpty()) {
            write(order, process);
        }
        given.put(process.pid(), order);
    }

    private void write(KillOrder order, ClusterProcess process) {
        try {
            Path draft = Files.writeString(folder.resolve("draft"), order.words());
            Path file = folder.resolve(Long.toString(process.pid()));
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException broken) {
            throw new UncheckedIOException("no fault point can be set in " + folder, broken);
        }
    }

    /** Nobody who has not been killed is to wait for that any more. */
    void callOff() {
        try {
            for (long pid : given.keySet()) {
                Files.deleteIfExists(folder.resolve(Long.toString(pid)));
            }
        } catch (IOException broken) {
            throw new UncheckedIOException("no fault point can be taken away", broken);
        }
    }
}
