package org.starling.compute.cluster;

import java.util.Objects;
import org.starling.net.ClusterSecret;

/**
 * A process that is one node of a cluster: a superpeer with its front doors, or a peer that stores,
 * computes and leads jobs when it is elected. It says {@code ready} and its node id on standard
 * output when it is a member, and nothing more. It ends cleanly on SIGTERM; if it was started by an
 * embedded run, when its standard input ends.
 */
public final class NodeMain {
    private NodeMain() {}

    /** Runs a node: its argument is a {@link NodeSettings}, its environment holds the secret. */
    public static void main(String[] arguments) {
        String secret =
                Objects.requireNonNull(
                        System.getenv(NodeChild.SECRET_VARIABLE), NodeChild.SECRET_VARIABLE);
        NodeSettings settings = NodeSettings.of(arguments[0]);
        Runtime.getRuntime().halt(new NodeProcess(settings, ClusterSecret.of(secret)).run());
    }
}
