package org.starling.compute.cluster;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A process of a {@link LocalCluster} that has ended though nobody stopped it.
 *
 * @param process its name
 * @param pid what its process id was
 * @param report what its JVM wrote when it crashed; null if it was killed, or ended by itself
 * @param log where it wrote what it had to say
 */
public record Death(String process, long pid, @Nullable Path report, Path log) {}
