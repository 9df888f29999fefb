package org.starling.compute.cluster;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a peer tells how it is, to whoever watches it. Immutable.
 *
 * @param port where it listens
 * @param token file of the token of the cluster's owner; null where there is none, and figures are
 *     told by the tokens that the directory knows alone
 * @param tls whether it is asked within TLS, by the keys of the node
 */
public record MonitorSettings(int port, @Nullable Path token, boolean tls) {}
