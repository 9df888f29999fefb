package org.starling.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
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
 * @param ucxDevices on which network devices; empty for its own choice
 * @param tls whether processes prove to each other who they are
 * @param socketSendBytes send buffer of sockets; 0 bytes for the system's choice
 * @param socketReceiveBytes likewise the receive buffer
 * @param allow folders beside the working directory that scripts may use, relative to it
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
        String ucxDevices,
        NodeTls tls,
        ByteSize socketSendBytes,
        ByteSize socketReceiveBytes,
        List<String> allow) {
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
                    NodeTuning.DEFAULT.ucxDevices(),
                    NodeTuning.DEFAULT.tls(),
                    new ByteSize(0),
                    new ByteSize(0),
                    List.of());

    /** Copies the list. */
    ClusterSettings {
        allow = List.copyOf(allow);
    }

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
                ucxDevices,
                tls,
                socketSendBytes,
                socketReceiveBytes,
                allow);
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
                ucxDevices,
                tls.within(folder),
                socketSendBytes,
                socketReceiveBytes,
                allow.stream().map(name -> folder.resolve(name).normalize().toString()).toList());
    }

    NodeTuning tuning(NodeTuning.Transport transport) {
        return new NodeTuning(
                replication,
                durability,
                zoneBytes.bytes(),
                checkpointInterval,
                transport,
                ucxTls,
                ucxDevices,
                tls,
                (int) socketSendBytes.bytes(),
                (int) socketReceiveBytes.bytes());
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
        tree.put("ucxTls", SettingsFile.textOrAuto(ucxTls));
        tree.put("ucxDevices", SettingsFile.textOrAuto(ucxDevices));
        tree.put("tls", tls.tree());
        tree.put("socketSendBytes", SettingsFile.sizeOrAuto(socketSendBytes));
        tree.put("socketReceiveBytes", SettingsFile.sizeOrAuto(socketReceiveBytes));
        tree.put("allow", allow);
        return tree;
    }
}
