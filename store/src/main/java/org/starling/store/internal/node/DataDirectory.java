package org.starling.store.internal.node;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.starling.store.Role;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.DataFolder;

/**
 * The directory in which a node keeps what outlives it: locked by one process at a time, and marked
 * with the cluster that it belongs to and the node id under which it was last used. Owned by the
 * node; confined to the thread that starts or closes it.
 *
 * <pre>
 * lock         held as long as the node runs
 * identity     five lines: version, role, cluster id in hexadecimal, node id, its incarnation
 * joining      nonce of a registration that may have been carried out, until its id is marked
 * starts       how often a superpeer has been started here, in hexadecimal
 * directory/   a superpeer's log of the directory
 * backups/     a peer's zone logs
 * </pre>
 */
final class DataDirectory implements AutoCloseable {
    /** The node id of a directory that has not been used. */
    static final int UNUSED = -1;

    private static final String VERSION = "starling data directory 3";
    private static final String IDENTITY = "identity";
    private static final String JOINING = "joining";
    private static final String STARTS = "starts";
    private static final int LINES = 5;
    private static final int HEXADECIMAL = 16;

    private final DataFolder folder;
    private final Path path;
    private final Role role;
    private long clusterId;
    private int node = UNUSED;
    private int incarnation;

    private DataDirectory(DataFolder folder, Role role) {
        this.folder = folder;
        path = folder.path();
        this.role = role;
    }

    /**
     * Opens and locks a directory; makes it if it does not exist.
     *
     * @param path where
     * @param role of the node
     * @return the directory
     * @throws StoreException if it cannot be used, with the reason
     */
    static DataDirectory open(Path path, Role role) {
        DataFolder folder = DataFolder.open(path);
        try {
            DataDirectory directory = new DataDirectory(folder, role);
            directory.readIdentity();
            return directory;
        } catch (IOException e) {
            folder.close();
            throw DataFolder.unusable(path, e);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    Path directory() {
        return path.resolve("directory");
    }

    Path backups() {
        return path.resolve("backups");
    }

    /** The cluster it belongs to; 0 for none yet. */
    long clusterId() {
        return clusterId;
    }

    /** The node id under which it was last used, or {@link #UNUSED}. */
    int node() {
        return node;
    }

    /** Which bearer of that id it was. */
    int incarnation() {
        return incarnation;
    }

    /**
     * Refuses to go on as a member of another cluster.
     *
     * @param actualClusterId of the cluster that the node is about to join
     */
    void check(long actualClusterId) {
        if (clusterId != 0 && clusterId != actualClusterId) {
            throw new StoreException(
                    "data directory "
                            + path
                            + " belongs to cluster "
                            + Long.toHexString(clusterId)
                            + ", this is "
                            + Long.toHexString(actualClusterId)
                            + "; give this node another directory");
        }
    }

    /**
     * The nonce of a registration whose answer has not been marked here: the node died in between,
     * or its registration was refused.
     *
     * @return the nonce; 0 if there is none
     */
    long unansweredNonce() {
        return readNumber(JOINING);
    }

    /**
     * Counts a start, on the disk, of a node that has the same id each time.
     *
     * @return how often it has been started, this time included
     */
    long countStart() {
        long starts = readNumber(STARTS) + 1;
        write(STARTS, Long.toHexString(starts) + '\n');
        return starts;
    }

    /** How often it has been started, by what others know. */
    void noteStarts(long starts) {
        write(STARTS, Long.toHexString(starts) + '\n');
    }

    private long readNumber(String name) {
        Path file = path.resolve(name);
        try {
            return Files.exists(file)
                    ? Long.parseUnsignedLong(Files.readString(file).trim(), HEXADECIMAL)
                    : 0;
        } catch (IOException e) {
            throw new StoreException(
                    "file " + file + " cannot be read: " + DataFolder.reason(e), e);
        } catch (NumberFormatException e) {
            throw damaged(file, String.valueOf(e.getMessage()));
        }
    }

    /** Notes, on the disk, that a registration with this nonce is about to be sent. */
    void registering(long nonce) {
        write(JOINING, Long.toHexString(nonce) + '\n');
    }

    /** Marks it as used, on the disk, before the node does anything under its new id. */
    void use(long newClusterId, int newNode, int newIncarnation) {
        check(newClusterId);
        String identity =
                String.join(
                        "\n",
                        VERSION,
                        role.name().toLowerCase(Locale.ROOT),
                        Long.toHexString(newClusterId),
                        Integer.toString(newNode),
                        Integer.toString(newIncarnation),
                        "");
        write(IDENTITY, identity);
        try {
            Files.deleteIfExists(path.resolve(JOINING));
        } catch (IOException e) {
            throw cannotWrite(e);
        }
        clusterId = newClusterId;
        node = newNode;
        incarnation = newIncarnation;
    }

    @Override
    public void close() {
        folder.close();
    }

    private void write(String name, String text) {
        try {
            DataFolder.write(path.resolve(name), text);
        } catch (IOException e) {
            throw cannotWrite(e);
        }
    }

    private StoreException cannotWrite(IOException cause) {
        return new StoreException(
                "cannot write to data directory " + path + ": " + DataFolder.reason(cause), cause);
    }

    private void readIdentity() throws IOException {
        Path file = path.resolve(IDENTITY);
        if (!Files.exists(file)) {
            return;
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        if (lines.size() < LINES || !lines.getFirst().equals(VERSION)) {
            throw damaged(file, "it does not begin with \"" + VERSION + "\" or ends too early");
        }
        if (!lines.get(1).equalsIgnoreCase(role.name())) {
            throw new StoreException(
                    "data directory "
                            + path
                            + " is of a "
                            + lines.get(1)
                            + ", and this node is a "
                            + role.name().toLowerCase(Locale.ROOT)
                            + "; give it another directory");
        }
        try {
            clusterId = Long.parseUnsignedLong(lines.get(2), HEXADECIMAL);
            node = Integer.parseInt(lines.get(3));
            incarnation = Integer.parseInt(lines.get(4));
        } catch (NumberFormatException e) {
            throw damaged(file, String.valueOf(e.getMessage()));
        }
    }

    /** No node can be made of it: which one it was, others know of it no better. */
    private StoreException damaged(Path file, String how) {
        return new StoreException(
                "file %s, by which a node knows itself again, is of another version or damaged (%s); put it back from a copy, or move %s away and start the node with an empty one: if other nodes have copies of its data, nothing is lost"
                        .formatted(file, how, path));
    }
}
