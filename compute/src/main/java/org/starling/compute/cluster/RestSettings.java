package org.starling.compute.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * The API endpoints of a superpeer. Immutable.
 *
 * @param port where they listen
 * @param token file of the token that they ask for
 * @param insecure whether they may listen beyond the loopback, where the token can be overheard
 * @param roots folders that files of submitted scripts must lie under
 */
public record RestSettings(int port, Path token, boolean insecure, List<Path> roots) {
    /** Copies the list. */
    public RestSettings {
        roots = List.copyOf(roots);
    }
}
