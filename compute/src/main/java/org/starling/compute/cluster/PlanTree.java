package org.starling.compute.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;

/** A {@link ClusterPlan} as JSON; its folder is where the JSON lies. */
final class PlanTree {
    private PlanTree() {}

    static Map<String, @Nullable Object> of(ClusterPlan plan) {
        NodeTuning tuning = plan.tuning();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("superpeers", plan.superpeers());
        tree.put("peers", plan.peers());
        tree.put("threadsPerPeer", plan.threadsPerPeer());
        tree.put("memoryBytesPerPeer", plan.memoryBytesPerPeer());
        tree.put("basePort", plan.basePort());
        tree.put("restPort", plan.restPort());
        tree.put("replication", tuning.replication());
        tree.put("durability", tuning.durability().name());
        tree.put("zoneBytes", tuning.zoneBytes());
        tree.put("checkpointMillis", tuning.checkpointInterval().toMillis());
        tree.put("transport", tuning.transport().name());
        tree.put("ucxTls", tuning.ucxTls());
        tree.put("ucxDevices", tuning.ucxDevices());
        tree.put("tls", tuning.tls().tree());
        tree.put("socketSendBytes", tuning.socketSendBytes());
        tree.put("socketReceiveBytes", tuning.socketReceiveBytes());
        tree.put("roots", plan.roots().stream().map(Path::toString).toList());
        tree.put("supervised", plan.supervised());
        return tree;
    }

    /**
     * Reads what {@link #of} made.
     *
     * @throws InvalidInputException if it is something else
     */
    static ClusterPlan plan(Path folder, Map<?, ?> tree) {
        try {
            return new ClusterPlan(
                    folder,
                    (int) number(tree, "superpeers"),
                    (int) number(tree, "peers"),
                    (int) number(tree, "threadsPerPeer"),
                    number(tree, "memoryBytesPerPeer"),
                    (int) number(tree, "basePort"),
                    (int) number(tree, "restPort"),
                    new NodeTuning(
                            (int) number(tree, "replication"),
                            NodeTuning.Durability.valueOf(String.valueOf(tree.get("durability"))),
                            number(tree, "zoneBytes"),
                            Duration.ofMillis(number(tree, "checkpointMillis")),
                            NodeTuning.Transport.valueOf(String.valueOf(tree.get("transport"))),
                            String.valueOf(tree.get("ucxTls")),
                            ucxDevices(tree),
                            tls(tree),
                            socketBytes(tree, "socketSendBytes"),
                            socketBytes(tree, "socketReceiveBytes")),
                    roots(tree),
                    Boolean.TRUE.equals(tree.get("supervised")));
        } catch (IllegalArgumentException wrong) {
            throw new InvalidInputException(
                    "%s does not say what cluster it holds: %s"
                            .formatted(folder, wrong.getMessage()),
                    wrong);
        }
    }

    /** Folders of earlier versions say nothing of it. */
    private static String ucxDevices(Map<?, ?> tree) {
        return tree.containsKey("ucxDevices") ? String.valueOf(tree.get("ucxDevices")) : "";
    }

    /** Likewise. */
    private static NodeTls tls(Map<?, ?> tree) {
        return tree.containsKey("tls") ? NodeTls.of(tree.get("tls")) : NodeTls.Word.OFF;
    }

    /** Likewise. */
    private static int socketBytes(Map<?, ?> tree, String name) {
        return tree.containsKey(name) ? (int) number(tree, name) : 0;
    }

    /** Likewise. */
    private static List<Path> roots(Map<?, ?> tree) {
        return tree.get("roots") instanceof List<?> roots
                ? roots.stream().map(root -> Path.of(String.valueOf(root))).toList()
                : List.of();
    }

    private static long number(Map<?, ?> tree, String name) {
        if (tree.get(name) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException("there is no number \"" + name + "\"");
    }
}
