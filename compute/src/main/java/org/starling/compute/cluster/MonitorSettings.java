package org.starling.compute.cluster;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a peer tells how it is, to whoever watches it. Immutable.
 *
 * @param port where it listens
 * @param token file of the token that metrics ask for; null where there is none, or it could be
 *     overheard: then only health is told
 */
public record MonitorSettings(int port, @Nullable Path token) {}
