package org.starling.compute.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.net.NetException;
import org.starling.net.TlsAuthority;
import org.starling.net.TlsOptions;

/**
 * The keys that a cluster's processes have when its tuning says {@link NodeTls.Word#GENERATED}:
 * made together when the cluster starts, by an authority that nobody has afterwards. Superpeers get
 * certificates for their own ids, peers for all other ids, which the directory hands out. Stateless
 * but for the folder; one thread at a time.
 */
public final class ClusterKeys {
    private static final int LAST_NODE = 65_535;

    private final Path folder;

    /** The keys in a folder that holds nothing else. */
    public ClusterKeys(Path folder) {
        this.folder = folder;
    }

    /**
     * In a new folder that only its owner can open.
     *
     * @throws InvalidInputException if there can be none
     */
    public static ClusterKeys temporary() {
        try {
            return new ClusterKeys(Files.createTempDirectory("starling-keys"));
        } catch (IOException refused) {
            throw new InvalidInputException(
                    "there is no folder for keys: " + FileTrouble.reason(refused), refused);
        }
    }

    /**
     * Makes new keys, in the place of those that are there.
     *
     * @param superpeers names of the superpeers' processes in the order of their ids
     * @param peers names of the peers' processes
     * @throws InvalidInputException if the folder can't be written
     */
    public void make(List<String> superpeers, List<String> peers) {
        try {
            TlsAuthority authority = new TlsAuthority(folder);
            for (int i = 0; i < superpeers.size(); i++) {
                TlsOptions _ = authority.issue(superpeers.get(i), i, i);
            }
            for (String peer : peers) {
                TlsOptions _ = authority.issue(peer, superpeers.size(), LAST_NODE);
            }
        } catch (NetException refused) {
            throw new InvalidInputException(String.valueOf(refused.getMessage()), refused);
        }
    }

    /** What holds for one process; its files if they are generated. */
    public NodeTuning resolve(NodeTuning tuning, String name) {
        return tuning.tls() == NodeTls.Word.GENERATED
                ? tuning.withTls(new NodeTls.Files(TlsAuthority.files(folder, name)))
                : tuning;
    }

    /**
     * Removes the keys and their folder if they are there.
     *
     * @throws InvalidInputException if that can't be
     */
    public void remove() {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
            Files.delete(folder);
        } catch (IOException refused) {
            throw new InvalidInputException(
                    "the keys in %s can't be removed: %s"
                            .formatted(folder, FileTrouble.reason(refused)),
                    refused);
        }
    }
}
