package org.starling.store.internal.directory.raft;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.DataFolder;
import org.starling.store.internal.directory.SuperpeerInfo;

/**
 * The superpeers that a replica has been told of, by its own directory, by others, and before it
 * was started: those it listens to and asks. A directory that is behind knows too few; those that
 * were removed it forgets when it hears of that. Kept in a file, one line each ({@code id port
 * host}), since a replica has to find the others before it can apply what its log says of them. Any
 * thread.
 */
final class KnownSuperpeers {
    private static final Logger LOG = LogManager.getLogger(KnownSuperpeers.class);

    private static final int FIELDS = 3;

    private final Path file;
    private final Consumer<SuperpeerInfo> addresses;
    private final Map<Integer, SuperpeerInfo> told = new ConcurrentHashMap<>();
    private final Set<Integer> removed = ConcurrentHashMap.newKeySet();

    /** Whether the file lacks something. Guarded by this, and so is the file. */
    private boolean isStale;

    /**
     * Those of a file, if it is there.
     *
     * @param file where
     * @param addresses takes each that can be reached, whenever it is told of
     */
    KnownSuperpeers(Path file, Consumer<SuperpeerInfo> addresses) throws IOException {
        this.file = file;
        this.addresses = addresses;
        learn(read(file));
        isStale = false;
    }

    static List<SuperpeerInfo> read(Path file) throws IOException {
        List<SuperpeerInfo> superpeers = new ArrayList<>();
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            String[] fields = line.split(" ", FIELDS);
            try {
                superpeers.add(
                        new SuperpeerInfo(
                                Integer.parseInt(fields[0]),
                                fields[FIELDS - 1],
                                Integer.parseInt(fields[1]),
                                SuperpeerInfo.State.VOTING));
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new IOException("\"" + line + "\" in " + file + " is no superpeer", e);
            }
        }
        return superpeers;
    }

    /** Somebody says who is one. */
    synchronized void learn(Collection<SuperpeerInfo> superpeers) {
        for (SuperpeerInfo one : superpeers) {
            boolean isPlaced = !one.host().isEmpty();
            if (!removed.contains(one.node()) && (isPlaced || !contains(one.node()))) {
                SuperpeerInfo before = told.put(one.node(), one);
                if (!one.equals(before)) {
                    becomeStale();
                }
                if (isPlaced) {
                    addresses.accept(one);
                }
            }
        }
    }

    /** So does the directory, and who was one. Writes the file if that is news. */
    synchronized void follow(Collection<SuperpeerInfo> superpeers, Collection<Integer> gone) {
        for (int node : gone) {
            removed.add(node);
            if (told.remove(node) != null) {
                becomeStale();
            }
        }
        learn(superpeers);
        try {
            keep();
        } catch (IOException e) {
            LOG.warn("cannot note who the superpeers are in {}", file, e);
        }
    }

    /** Makes sure that what is known outlives this process. */
    void require() {
        try {
            keep();
        } catch (IOException e) {
            throw new StoreException(
                    "cannot note who the superpeers are: " + DataFolder.reason(e), e);
        }
    }

    boolean contains(int node) {
        return told.containsKey(node);
    }

    /** Ids, ascending. */
    List<Integer> all() {
        return told.keySet().stream().sorted().toList();
    }

    private synchronized void becomeStale() {
        isStale = true;
    }

    private synchronized void keep() throws IOException {
        if (!isStale) {
            return;
        }
        StringBuilder text = new StringBuilder();
        new TreeMap<>(told)
                .forEach((node, one) ->
                        text.append(node)
                                .append(' ')
                                .append(one.port())
                                .append(' ')
                                .append(one.host())
                                .append('\n'));
        DataFolder.write(file, text.toString());
        isStale = false;
    }
}
