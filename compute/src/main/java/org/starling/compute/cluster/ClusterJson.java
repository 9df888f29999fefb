package org.starling.compute.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.ScriptError;

/** Reads what superpeers answer. What is not of the form is a {@link ClusterException}. */
final class ClusterJson {
    private static final int HEXADECIMAL = 16;

    private ClusterJson() {}

    static List<JobView> jobs(Map<?, ?> tree) {
        return list(tree, "jobs").stream().map(job -> job(map(job))).toList();
    }

    static JobView job(Map<?, ?> job) {
        String status = text(job, "status").toUpperCase(Locale.ROOT);
        try {
            return new JobView(
                    number(job, "id"),
                    text(job, "name"),
                    JobView.Status.valueOf(status),
                    number(job, "attempt"),
                    flag(job, "cancelRequested"));
        } catch (IllegalArgumentException unknown) {
            throw new ClusterException("the cluster answered with status " + status, unknown);
        }
    }

    static ClusterView status(Map<?, ?> tree) {
        List<ClusterView.Node> nodes = new ArrayList<>();
        for (Object element : list(tree, "nodes")) {
            Map<?, ?> node = map(element);
            nodes.add(
                    new ClusterView.Node(
                            (int) number(node, "node"),
                            text(node, "role"),
                            text(node, "address"),
                            (int) number(node, "cores"),
                            flag(node, "diskHangs")));
        }
        return new ClusterView(
                Long.parseUnsignedLong(text(tree, "clusterId"), HEXADECIMAL),
                (int) number(tree, "leader"),
                (int) number(tree, "master"),
                nodes,
                (int) number(tree, "zones"),
                (int) number(tree, "underReplicated"),
                (int) number(tree, "lost"),
                (int) number(tree, "orphaned"),
                text(tree, "promise"));
    }

    static List<NetworkView> networks(Map<?, ?> tree) {
        return list(tree, "networks").stream().map(node -> NetworkView.of(map(node))).toList();
    }

    static List<ScriptError> errors(List<?> tree) {
        List<ScriptError> errors = new ArrayList<>();
        for (Object element : tree) {
            Map<?, ?> error = map(element);
            errors.add(new ScriptError(text(error, "path"), text(error, "error")));
        }
        return errors;
    }

    static long number(Map<?, ?> tree, String name) {
        if (tree.get(name) instanceof Long number) {
            return number;
        }
        throw wrong(name);
    }

    private static boolean flag(Map<?, ?> tree, String name) {
        if (tree.get(name) instanceof Boolean flag) {
            return flag;
        }
        throw wrong(name);
    }

    static String text(Map<?, ?> tree, String name) {
        if (tree.get(name) instanceof String text) {
            return text;
        }
        throw wrong(name);
    }

    static List<?> list(Map<?, ?> tree, String name) {
        if (tree.get(name) instanceof List<?> list) {
            return list;
        }
        throw wrong(name);
    }

    static Map<?, ?> map(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> map) {
            return map;
        }
        throw new ClusterException("the cluster's answer is not of the form that is described");
    }

    private static ClusterException wrong(String name) {
        return new ClusterException("the cluster's answer has no proper \"" + name + "\"");
    }
}
