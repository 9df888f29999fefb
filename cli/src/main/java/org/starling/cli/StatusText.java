package org.starling.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.ClusterView;
import org.starling.compute.cluster.Death;
import org.starling.compute.cluster.LocalCluster;
import org.starling.compute.cluster.Restart;

/** How a cluster is, for people. */
final class StatusText {
    private static final String NONE = "-";

    /** Places named in a sentence. */
    private static final int MAX_EXPOSURES = 4;

    private StatusText() {}

    static String of(LocalCluster cluster, ClusterView view) {
        return of(
                        cluster.plan().folder(),
                        cluster.plan().tuning().replication(),
                        cluster.processes(),
                        view)
                + troubles(cluster);
    }

    /** The same of one whose processes are not of this machine. */
    static String elsewhere(ClusterView view) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("node", "role", "address", "zone"));
        for (ClusterView.Node node : view.nodes()) {
            rows.add(
                    List.of(
                            Integer.toString(node.node()),
                            role(node, view),
                            node.address(),
                            Objects.requireNonNullElse(node.zone(), NONE)));
        }
        String copies =
                view.allReplicated()
                        ? "Everything has the backups that are wanted and possible (zones: %d)."
                                .formatted(view.zones())
                        : shortOfCopies(view, "the backups that are wanted and possible");
        return "cluster %s: %d members%n%n%s%n%s%s%n%s%s%n"
                .formatted(
                        view.clusterId(),
                        view.nodes().size(),
                        Columns.left(rows),
                        absent(view),
                        copies,
                        exposed(view),
                        view.promise());
    }

    /** What can be said while the directory does not answer. */
    static String withoutDirectory(LocalCluster cluster) {
        List<ClusterProcess> processes = cluster.processes();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("process", "pid"));
        for (ClusterProcess process : processes) {
            rows.add(
                    List.of(
                            process.name(),
                            process.isRunning() ? Long.toString(process.pid()) : "not running"));
        }
        return "cluster in %s: %d of %d processes run%n%n%s%s"
                .formatted(
                        cluster.plan().folder(),
                        processes.stream().filter(ClusterProcess::isRunning).count(),
                        processes.size(),
                        Columns.left(rows),
                        troubles(cluster));
    }

    /**
     * The page.
     *
     * @param replication backups of each zone that are wanted
     */
    static String of(
            Path folder, int replication, List<ClusterProcess> processes, ClusterView view) {
        long running = processes.stream().filter(ClusterProcess::isRunning).count();
        return "cluster %s in %s: %d of %d processes run%n%n%s%n%s%s%n%s%s%n"
                .formatted(
                        view.clusterId(),
                        folder,
                        running,
                        processes.size(),
                        table(processes, view),
                        absent(view),
                        copies(view, replication),
                        exposed(view),
                        view.promise());
    }

    /** Who has died, who was started again, and who looks after that; nothing if all is well. */
    private static String troubles(LocalCluster cluster) {
        StringBuilder text = new StringBuilder();
        for (Death death : cluster.deaths()) {
            text.append(died(death));
        }
        for (Restart restart : cluster.restarts()) {
            text.append(
                    "%s: %s (process %d) had died: %s%s%n"
                            .formatted(
                                    restart.at(),
                                    restart.process(),
                                    restart.pid(),
                                    restart.outcome(),
                                    restart.report().isEmpty()
                                            ? ""
                                            : "; its JVM crashed, see " + restart.report()));
        }
        if (cluster.plan().supervised() && cluster.supervisor().isEmpty()) {
            text.append(
                    "The supervisor does not run: processes that die stay down; \"starling cluster restart\" and \"start\" bring it back.%n"
                            .formatted());
        }
        return text.isEmpty() ? "" : System.lineSeparator() + text;
    }

    static String died(Death death) {
        return "%s has died (it was process %d): %s; bring it back with \"starling cluster restart %s\"%n"
                .formatted(
                        death.process(),
                        death.pid(),
                        death.report() == null
                                ? "it was killed or ended by itself, see " + death.log()
                                : "its JVM crashed, see " + death.report(),
                        death.process());
    }

    /** The node that a process is, if it is a member. */
    static Optional<ClusterView.Node> node(ClusterProcess process, ClusterView view) {
        String port = ":" + process.port();
        return process.isRunning()
                ? view.nodes().stream().filter(node -> node.address().endsWith(port)).findFirst()
                : Optional.empty();
    }

    private static String table(List<ClusterProcess> processes, ClusterView view) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("process", "pid", "node", "role", "address"));
        Set<Integer> shown = new HashSet<>();
        for (ClusterProcess process : processes) {
            Optional<ClusterView.Node> node = node(process, view);
            node.ifPresent(member -> shown.add(member.node()));
            rows.add(
                    List.of(
                            process.name(),
                            process.isRunning() ? Long.toString(process.pid()) : NONE,
                            node.map(member -> Integer.toString(member.node())).orElse(NONE),
                            node.map(member -> role(member, view))
                                    .orElse(process.isRunning() ? "joining" : "not running"),
                            node.map(ClusterView.Node::address).orElse(NONE)));
        }
        for (ClusterView.Node member : view.nodes()) {
            if (!shown.contains(member.node())) {
                rows.add(
                        List.of(
                                NONE,
                                NONE,
                                Integer.toString(member.node()),
                                role(member, view),
                                member.address()));
            }
        }
        return Columns.left(rows);
    }

    private static String role(ClusterView.Node node, ClusterView view) {
        String more =
                node.node() == view.leader()
                        ? ", leads the directory"
                        : node.node() == view.master() ? ", master of jobs" : "";
        return node.role()
                + more
                + (node.diskHangs() ? ", its disk hangs" : "")
                + (node.leaving() ? ", leaves when no job needs it" : "");
    }

    /** One line: everything has its copies, or what has not. */
    private static String copies(ClusterView view, int replication) {
        long peers =
                view.nodes().stream()
                        .filter(node -> node.role().equals("peer"))
                        .filter(node -> !node.diskHangs() && !node.leaving())
                        .count();
        long possible = Math.max(0, Math.min(replication, peers - 1));
        if (view.allReplicated()) {
            return possible == replication
                    ? "Everything has %d backups (zones: %d).".formatted(replication, view.zones())
                    : "Everything has %d of %d wanted backups, as many as %s (zones: %d)."
                            .formatted(
                                    possible,
                                    replication,
                                    peers == 1 ? "1 peer allows" : peers + " peers allow",
                                    view.zones());
        }
        return shortOfCopies(view, possible + " backups");
    }

    /** Lines: which superpeers are missing, if any are. */
    private static String absent(ClusterView view) {
        StringBuilder text = new StringBuilder();
        List<String> down =
                view.absent().stream()
                        .filter(ClusterView.Absent::votes)
                        .map(StatusText::superpeer)
                        .toList();
        if (!down.isEmpty()) {
            long up = view.nodes().stream().filter(node -> node.role().equals("superpeer")).count();
            long all = up + down.size();
            text.append(
                    "Of %d superpeers %d %s up, and %d have to be. Down: %s. Start what is down again, or remove it for good (starling cluster remove NODE).%n"
                            .formatted(
                                    all,
                                    up,
                                    up == 1 ? "is" : "are",
                                    all / 2 + 1,
                                    String.join(" and ", down)));
        }
        view.absent().stream()
                .filter(one -> !one.votes())
                .forEach(one ->
                        text.append(
                                "S%s was taken in and has not started yet.%n"
                                        .formatted(superpeer(one).substring(1))));
        return text.toString();
    }

    private static String superpeer(ClusterView.Absent one) {
        return "superpeer "
                + one.node()
                + (one.address().isEmpty() ? "" : " (" + one.address() + ")");
    }

    /** A line: which single losses would take data, if any would. */
    private static String exposed(ClusterView view) {
        if (view.exposures().isEmpty()) {
            return "";
        }
        List<String> losses =
                view.exposures().stream()
                        .limit(MAX_EXPOSURES)
                        .map(each ->
                                "%s %s (zones: %d)"
                                        .formatted(
                                                each.host() ? "host" : "rack",
                                                each.domain(),
                                                each.zones()))
                        .toList();
        int more = view.exposures().size() - losses.size();
        return "All copies of some data are in one place: losing %s%s could lose it.%n"
                .formatted(
                        String.join(" or ", losses),
                        more == 0 ? "" : " or one of %d others".formatted(more));
    }

    private static String shortOfCopies(ClusterView view, String wanted) {
        List<String> parts = new ArrayList<>();
        if (view.underReplicated() > 0) {
            int few = view.underReplicated();
            parts.add("%d %s fewer than %s".formatted(few, few == 1 ? "has" : "have", wanted));
        }
        if (view.orphaned() > 0) {
            int orphaned = view.orphaned();
            parts.add("%d %s being recovered".formatted(orphaned, orphaned == 1 ? "is" : "are"));
        }
        if (view.lost() > 0) {
            boolean isOne = view.lost() == 1;
            parts.add(
                    "%d %s lost until nodes that have %s on their disks come back"
                            .formatted(view.lost(), isOne ? "is" : "are", isOne ? "it" : "them"));
        }
        return "Of %d zones %s.".formatted(view.zones(), String.join(", ", parts));
    }
}
