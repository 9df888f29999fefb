package org.starling.compute.cluster;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.starling.graph.InvalidInputException;
import org.starling.net.ClusterSecret;
import org.starling.net.KeyAuthority;
import org.starling.net.NetException;
import org.starling.net.TlsAuthority;
import org.starling.net.TlsOptions;

/**
 * The folder with the keys of a node: {@code secret}, by which the nodes of a cluster know each
 * other, and {@code token}, which people show to the superpeers, are the same on all hosts; {@code
 * node.crt.pem}, {@code node.key.pem} and {@code authority.crt.pem}, with which it proves which
 * host it is, are its own ({@link KeyIssuer}), and may be missing. Where a variable of the
 * environment holds the secret itself, its file is not asked for. Immutable; any thread.
 */
public final class KeyFolder {
    static final String SECRET = "secret";
    static final String TOKEN = "token";
    private static final String AUTHORITY_KEY = "authority.key.pem";

    private final Path folder;
    private final Map<String, String> environment;

    /**
     * A folder that {@link #make} has made.
     *
     * @param environment may hold the secret under {@value NodeChild#SECRET_VARIABLE}
     */
    public KeyFolder(Path folder, Map<String, String> environment) {
        this.folder = folder;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Makes the folder, with a fresh secret and a fresh token, which only their owner can read.
     *
     * @throws InvalidInputException if there are any already, or it can't be written
     */
    public static void make(Path folder) {
        for (String name : new String[] {SECRET, TOKEN, AUTHORITY_KEY}) {
            if (Files.exists(folder.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                throw new InvalidInputException(
                        "%s has a %s already; a cluster's data belongs to it, so take another folder for another cluster"
                                .formatted(folder, name));
            }
        }
        ClusterFolder made = new ClusterFolder(folder);
        made.make(List.of());
        ClusterSecret _ = made.secret();
        made.makeToken();
    }

    /**
     * Makes the authority that signs certificates of hosts, unless the folder has one.
     *
     * @throws InvalidInputException if it can't be written
     */
    public static void makeAuthority(Path folder) {
        if (Files.exists(folder.resolve(AUTHORITY_KEY), LinkOption.NOFOLLOW_LINKS)
                || !Files.exists(folder.resolve(SECRET))) {
            return;
        }
        try {
            KeyAuthority _ = KeyAuthority.make(folder, InstantSource.system());
        } catch (NetException refused) {
            throw new InvalidInputException(String.valueOf(refused.getMessage()), refused);
        }
    }

    /** Whether a folder has an authority, so that hosts have certificates of it. */
    public static boolean hasAuthority(Path folder) {
        return KeyAuthority.isIn(folder);
    }

    /**
     * With what a node proves which host it is; nothing if the folder has no certificate.
     *
     * @throws InvalidInputException if a part of it is missing
     */
    public Optional<NodeTls> tls() {
        TlsOptions files = TlsAuthority.files(folder, "node");
        if (!Files.exists(files.certificate()) && !Files.exists(files.key())) {
            return Optional.empty();
        }
        NodeTls.Files tls = new NodeTls.Files(files);
        for (Path file : tls.needed()) {
            if (!Files.isReadable(file)) {
                throw new InvalidInputException(
                        "there is no file %s that can be read; \"starling keys issue\" makes it with the others"
                                .formatted(file));
            }
        }
        return Optional.of(tls);
    }

    /**
     * What the nodes know each other by.
     *
     * @throws InvalidInputException if there is none, or others can read it
     */
    public ClusterSecret secret() {
        String text = environment.get(NodeChild.SECRET_VARIABLE);
        Path file = folder.resolve(SECRET);
        try {
            if (text != null) {
                return ClusterSecret.of(text.strip());
            }
            if (!Files.exists(file)) {
                throw new InvalidInputException(
                        "there is no secret %s; \"starling keys init %s\" makes one, and every host of the cluster needs the same"
                                .formatted(file, folder));
            }
            return ClusterSecret.in(file);
        } catch (NetException refused) {
            throw new InvalidInputException(String.valueOf(refused.getMessage()), refused);
        } catch (IllegalArgumentException wrong) {
            throw new InvalidInputException(
                    "the variable %s: %s".formatted(NodeChild.SECRET_VARIABLE, wrong.getMessage()),
                    wrong);
        }
    }

    /** The file of the token. */
    public Path token() {
        return folder.resolve(TOKEN);
    }
}
