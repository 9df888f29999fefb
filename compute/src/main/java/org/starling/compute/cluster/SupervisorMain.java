package org.starling.compute.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process that {@code cluster start} leaves behind to look after the others. Its arguments are
 * the cluster's folder and the flags of Java that the nodes get which it starts. It ends cleanly on
 * SIGTERM, and when the folder is gone; the nodes go on without it.
 */
public final class SupervisorMain {
    /** It does next to nothing, so a small process counts for more than a fast start. */
    private static final List<String> FLAGS =
            List.of("-Xmx32m", "-XX:TieredStopAtLevel=1", "-XX:AOTMode=off");

    private SupervisorMain() {}

    /**
     * Starts the process.
     *
     * @param folder of the cluster
     * @param log where it says what it does
     * @param inherited flags of Java for the nodes
     */
    static ProcessHandle start(Path folder, Path log, List<String> inherited) {
        List<String> flags = new ArrayList<>(NodeChild.logging(log, inherited));
        flags.addAll(NodeChild.SHARED_ARCHIVE);
        flags.addAll(FLAGS);
        List<String> arguments = new ArrayList<>(List.of(folder.toString()));
        arguments.addAll(inherited);
        List<String> command = JavaCommand.of(SupervisorMain.class, inherited, flags, arguments);
        try {
            return new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start()
                    .toHandle();
        } catch (IOException broken) {
            throw new ClusterException(
                    "the supervisor can't be started: " + broken.getMessage(), broken);
        }
    }

    /** Looks after a cluster. */
    public static void main(String[] arguments) throws InterruptedException {
        Path folder = Path.of(arguments[0]);
        List<String> inherited = List.of(arguments).subList(1, arguments.length);
        LocalCluster cluster =
                LocalCluster.find(folder, inherited)
                        .orElseThrow(() -> new ClusterException("no cluster lives in " + folder));
        Supervisor supervisor = new Supervisor(cluster, new ClusterFolder(folder));
        Runtime.getRuntime().addShutdownHook(new Thread(supervisor::stop, "stop"));
        supervisor.run();
    }
}
