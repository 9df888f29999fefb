package org.starling.compute.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * The API endpoints of a superpeer. Immutable.
 *
 * @param port where they listen
 * @param token file of the token that they ask for
 * @param insecure whether they may listen beyond the loopback without TLS, where tokens can be
 *     overheard
 * @param roots folders that files of submitted scripts must lie under
 * @param tls whether they speak TLS with the node's files
 * @param mutual whether those who ask have to show a certificate, too
 */
public record RestSettings(
        int port, Path token, boolean insecure, List<Path> roots, boolean tls, boolean mutual) {
    /** Without TLS. */
    public RestSettings(int port, Path token, boolean insecure, List<Path> roots) {
        this(port, token, insecure, roots, false, false);
    }

    /** Copies the list. */
    public RestSettings {
        roots = List.copyOf(roots);
    }
}
