package org.starling.compute.cluster;

/**
 * A process that is one node of a cluster: a superpeer with its front doors, or a peer that stores,
 * computes and leads jobs when it is elected. It says {@code ready} and its node id on standard
 * output when it is a member, and nothing more. It ends cleanly on SIGTERM; if it was started by an
 * embedded run, when its standard input ends.
 */
public final class NodeMain {
    private NodeMain() {}

    /** Runs a node; arguments and environment are those of {@link NodeSettings}. */
    public static void main(String[] arguments) {
        int code =
                new NodeProcess(
                                NodeSettings.of(
                                        arguments, System.getenv(NodeSettings.SECRET_VARIABLE)))
                        .run();
        Runtime.getRuntime().halt(code);
    }
}
