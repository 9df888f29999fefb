package org.starling.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.Death;
import org.starling.compute.cluster.LocalCluster;
import org.starling.compute.cluster.NetworkView;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;

/** What {@code cluster status} prints: what the directory says, and what this machine shows. */
final class ClusterReport {
    private ClusterReport() {}

    /** Prints it, also when the directory does not answer: then the shell is told so. */
    static ExitCode print(LocalCluster cluster, Terminal terminal, boolean json, boolean verbose) {
        ClusterView view;
        @Nullable List<NetworkView> networks;
        try (ClusterClient client = cluster.client()) {
            view = client.status();
            networks = verbose ? client.networks() : null;
        } catch (ClusterException silent) {
            if (!json) {
                terminal.out().print(StatusText.withoutDirectory(cluster));
            }
            return Failure.of(silent).print(terminal, verbose, json);
        }
        print(tree(cluster, view), StatusText.of(cluster, view), view, networks, terminal, json);
        return ExitCode.DONE;
    }

    /** The same for one whose processes are not of this machine: what its directory says. */
    static void printElsewhere(
            ClusterService cluster, Terminal terminal, boolean json, boolean verbose) {
        ClusterView view = cluster.status();
        @Nullable List<NetworkView> networks = verbose ? cluster.networks() : null;
        print(view.tree(), StatusText.elsewhere(view), view, networks, terminal, json);
    }

    /**
     * @param networks what they have done, if somebody wants to know; null if not
     */
    private static void print(
            Map<String, @Nullable Object> tree,
            String text,
            ClusterView view,
            @Nullable List<NetworkView> networks,
            Terminal terminal,
            boolean json) {
        if (json && networks != null) {
            tree.put("networks", networks.stream().map(NetworkView::tree).toList());
        }
        terminal.out().print(json ? JsonText.write(tree) + System.lineSeparator() : text);
        if (!json && networks != null) {
            terminal.out().printf("%n%s", NetworkText.of(view, networks));
        }
    }

    /** As a JSON tree. */
    static Map<String, @Nullable Object> tree(LocalCluster cluster, ClusterView view) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>(view.tree());
        tree.put("folder", cluster.plan().folder().toString());
        tree.put("replication", cluster.plan().tuning().replication());
        tree.put("urls", cluster.urls().stream().map(Object::toString).toList());
        tree.put("roots", cluster.plan().roots().stream().map(Object::toString).toList());
        List<Object> processes = new ArrayList<>();
        for (ClusterProcess process : cluster.processes()) {
            Map<String, @Nullable Object> member = new LinkedHashMap<>();
            member.put("process", process.name());
            member.put("pid", process.isRunning() ? process.pid() : null);
            member.put(
                    "node",
                    StatusText.node(process, view).map(ClusterView.Node::node).orElse(null));
            processes.add(member);
        }
        tree.put("processes", processes);
        tree.put("supervisor", cluster.supervisor().map(ProcessHandle::pid).orElse(null));
        tree.put("died", cluster.deaths().stream().map(ClusterReport::tree).toList());
        tree.put("restarts", cluster.restarts().stream().map(RecordJson.PLAIN::tree).toList());
        return tree;
    }

    private static Map<String, @Nullable Object> tree(Death death) {
        Map<String, @Nullable Object> tree = RecordJson.PLAIN.tree(death);
        tree.putIfAbsent("report", null);
        return tree;
    }
}
