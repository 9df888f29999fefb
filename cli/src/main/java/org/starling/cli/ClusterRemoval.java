package org.starling.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.LocalCluster;
import org.starling.compute.cluster.RemovedView;
import org.starling.compute.script.JsonText;
import org.starling.graph.InvalidInputException;

/** {@code cluster remove}: a peer that is gone for good with its disk, or a superpeer. */
final class ClusterRemoval {
    static final String ACCEPT_LOSS = "accept-loss";

    private final boolean acceptLoss;
    private final Terminal terminal;
    private final boolean json;

    ClusterRemoval(boolean acceptLoss, Terminal terminal, boolean json) {
        this.acceptLoss = acceptLoss;
        this.terminal = terminal;
        this.json = json;
    }

    /** Where processes have no names here: a peer is known by its id. */
    void elsewhere(String text, ClusterService cluster) {
        int node =
                ClusterCommand.nodeId(text)
                        .orElseThrow(() ->
                                new UsageException(
                                        "cluster remove --cluster needs the id of a node, as its log says it%s"
                                                .formatted(Command.found(text, List.of()))));
        print("node " + node, remove(cluster, node));
    }

    /**
     * A process of this machine, by its name or its node's id; it is in no later start any more.
     */
    void here(String text, LocalCluster cluster) {
        OptionalInt id = ClusterCommand.nodeId(text);
        if (cluster.wasRemoved(text)) { // the directory says again what is to be known of it
            int before = node(text, cluster);
            print(text, ClusterCommand.ask(cluster, client -> remove(client, before)));
            return;
        }
        if (id.isEmpty()) {
            ClusterProcess process = named(text, cluster);
            print(process.name(), removeProcess(process, cluster));
            return;
        }
        int node = id.getAsInt();
        long superpeers = cluster.processes().stream().filter(ClusterProcess::superpeer).count();
        if (node < superpeers) { // their ids are the first
            throw new InvalidInputException(
                    "node %d is a superpeer of a cluster in one folder, and only peers of such a cluster can be removed"
                            .formatted(node));
        }
        ClusterProcess process =
                cluster.processes().stream()
                        .filter(each -> !each.superpeer() && !each.isRunning())
                        .filter(each -> cluster.nodeOf(each.name()).equals(id))
                        .findFirst()
                        .orElse(null);
        print(
                "node " + node,
                process == null
                        ? ClusterCommand.ask(cluster, client -> remove(client, node))
                        : removeProcess(process, cluster));
    }

    private RemovedView removeProcess(ClusterProcess process, LocalCluster cluster) {
        String name = process.name();
        int node = node(name, cluster);
        return cluster.remove(
                name, () -> ClusterCommand.ask(cluster, client -> remove(client, node)));
    }

    private static int node(String name, LocalCluster cluster) {
        return cluster.nodeOf(name)
                .orElseThrow(() ->
                        new InvalidInputException(
                                "nothing says which node %s was; say its number, as its log says it (%s)"
                                        .formatted(name, cluster.log(name))));
    }

    private RemovedView remove(ClusterService cluster, int node) {
        return cluster.remove(node, acceptLoss);
    }

    private static ClusterProcess named(String name, LocalCluster cluster) {
        List<ClusterProcess> processes = cluster.processes();
        List<String> peers =
                processes.stream()
                        .filter(process -> !process.superpeer())
                        .map(ClusterProcess::name)
                        .toList();
        ClusterProcess process =
                processes.stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow(() ->
                                new UsageException(
                                        "cluster remove needs the name of a peer or the id of its node%s"
                                                .formatted(
                                                        name.isEmpty()
                                                                ? ": " + String.join(", ", peers)
                                                                : Command.found(name, peers))));
        if (process.superpeer()) {
            throw new InvalidInputException(
                    name + " is a superpeer, and only peers can be removed");
        }
        if (process.isRunning()) {
            throw new InvalidInputException(name + " is running; drain it first");
        }
        return process;
    }

    private void print(String what, RemovedView removed) {
        if (json) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            tree.put("removed", List.of(what));
            tree.putAll(removed.tree());
            terminal.out().println(JsonText.write(tree));
            return;
        }
        terminal.out()
                .printf("%s %s%n", what, removed.changed() ? "is removed" : "was removed before");
        if (removed.waiting() > 0) {
            terminal.out()
                    .printf(
                            "%s no live copy: back when all other nodes that had one are%n",
                            zones(removed.waiting()));
        }
        if (removed.damaged() > 0) {
            terminal.out()
                    .printf(
                            "%s lost changes for good: what the other disks have comes back, all else answers DATA LOST%n",
                            zones(removed.damaged()));
        }
    }

    private static String zones(int count) {
        return count == 1 ? "1 zone has" : count + " zones have";
    }
}
