package org.starling.cli;

/** Stub until the engine is there. */
final class EmbeddedCluster {
    private EmbeddedCluster() {}

    static Cluster start(Settings settings, Progress progress) {
        progress.line("no engine");
        throw new NoClusterException(
                "this build has no engine yet", new IllegalStateException(settings.toString()));
    }
}
