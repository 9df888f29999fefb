package org.starling.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.NodeTls;
import org.starling.compute.cluster.NodeTuning;

/**
 * What a configuration says about clusters that outlive a command. Immutable.
 *
 * @param superpeers 1 or 3
 * @param replication backups of each zone that are wanted
 * @param durability of writes that do not say otherwise
 * @param zoneBytes from which size on a zone takes no new chunks
 * @param checkpointInterval time between checkpoints of a running program
 * @param dataDirectory folder of the cluster, relative to the working directory
 * @param basePort first port between nodes
 * @param restPort port of the first superpeer's REST interface
 * @param ucxTls what UCX may use; empty for its own choice
 * @param tls whether processes prove to each other who they are
 */
record ClusterSettings(
        int superpeers,
        int replication,
        NodeTuning.Durability durability,
        ByteSize zoneBytes,
        Duration checkpointInterval,
        String dataDirectory,
        int basePort,
        int restPort,
        String ucxTls,
        NodeTls tls) {
    /** What holds where nothing is said. */
    static final ClusterSettings DEFAULT =
            new ClusterSettings(
                    1,
                    NodeTuning.DEFAULT.replication(),
                    NodeTuning.DEFAULT.durability(),
                    new ByteSize(NodeTuning.DEFAULT.zoneBytes()),
                    NodeTuning.DEFAULT.checkpointInterval(),
                    ".starling/cluster",
                    ClusterPlan.USUAL_BASE_PORT,
                    ClusterPlan.USUAL_REST_PORT,
                    NodeTuning.DEFAULT.ucxTls(),
                    NodeTuning.DEFAULT.tls());

    ClusterSettings withSuperpeers(int count) {
        return new ClusterSettings(
                count,
                replication,
                durability,
                zoneBytes,
                checkpointInterval,
                dataDirectory,
                basePort,
                restPort,
                ucxTls,
                tls);
    }

    /** With names of files that are relative to a folder made absolute. */
    ClusterSettings within(Path folder) {
        return new ClusterSettings(
                superpeers,
                replication,
                durability,
                zoneBytes,
                checkpointInterval,
                dataDirectory,
                basePort,
                restPort,
                ucxTls,
                tls.within(folder));
    }

    NodeTuning tuning(NodeTuning.Transport transport) {
        return new NodeTuning(
                replication, durability, zoneBytes.bytes(), checkpointInterval, transport, ucxTls, tls);
    }

    /** As JSON, every value written out. */
    Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("superpeers", superpeers);
        tree.put("replication", replication);
        tree.put("durability", SettingsFile.word(durability));
        tree.put("zoneBytes", zoneBytes.toString());
        tree.put("checkpointInterval", TimeSpan.format(checkpointInterval));
        tree.put("dataDirectory", dataDirectory);
        tree.put("basePort", basePort);
        tree.put("restPort", restPort);
        tree.put("ucxTls", ucxTls.isEmpty() ? SettingsFile.AUTO : ucxTls);
        tree.put("tls", tls.tree());
        return tree;
    }
}
