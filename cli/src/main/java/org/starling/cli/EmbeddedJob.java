package org.starling.cli;

import java.util.List;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.jars.JarContents;
import org.starling.compute.script.Script;
import org.starling.compute.script.ScriptReport;
import org.starling.compute.script.ScriptRunner;

/** Starts a cluster for one script, runs it, and stops the cluster, whatever happens. */
final class EmbeddedJob {
    private EmbeddedJob() {}

    /**
     * Runs a script to its end, good or bad.
     *
     * @throws ClusterException if the cluster does not start
     */
    static ScriptReport run(
            Script script,
            Settings settings,
            Cluster.Starter starter,
            Progress progress,
            Interruption interruption) {
        return run(script, List.of(), settings, starter, progress, interruption);
    }

    /**
     * Runs a script with jars.
     *
     * @throws ClusterException if the cluster does not start
     */
    static ScriptReport run(
            Script script,
            List<JarContents> jars,
            Settings settings,
            Cluster.Starter starter,
            Progress progress,
            Interruption interruption) {
        progress.line(
                "starting %d %s"
                        .formatted(
                                settings.get(Settings.PEERS),
                                ReportText.peers(
                                        settings.get(Settings.PEERS),
                                        settings.get(Settings.PROCESSES))));
        try (Cluster cluster = starter.start(settings, progress)) {
            progress.line(cluster.promise());
            if (!jars.isEmpty()) {
                cluster.use(jars);
            }
            ScriptRunner runner = new ScriptRunner(script, cluster, progress);
            progress.expectTasks(script.taskRuns());
            interruption.onRequest(
                    () -> {
                        runner.cancel();
                        cluster.cancel();
                    },
                    settings.get(Settings.CANCEL_TIMEOUT));
            return runner.run();
        } finally {
            progress.close();
        }
    }
}
