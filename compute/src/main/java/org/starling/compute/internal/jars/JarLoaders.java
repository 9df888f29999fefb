package org.starling.compute.internal.jars;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.starling.compute.jars.JarRules;
import org.starling.compute.jars.JobCode;
import org.starling.compute.jars.UserJar;
import org.starling.compute.jars.UserThread;

/**
 * The code of the jobs of one node: what brings the same jars shares one class loader, which goes
 * with the last that uses it. Owned by whoever started the node; any thread.
 */
public final class JarLoaders {
    private final JarRules rules;
    private final Source source;

    /** By their digests, ascending; guarded by itself. */
    private final Map<List<String>, Loaded> loaded = new HashMap<>();

    /** Where jars come from. */
    @FunctionalInterface
    public interface Source {
        /**
         * Fetches a jar into a folder.
         *
         * @throws org.starling.graph.InvalidInputException if it is not there
         */
        UserJar fetch(String digest, Path folder);
    }

    /** Code that somebody uses, until it is closed. */
    public interface Lease extends AutoCloseable {
        /** What is used. */
        JobCode code();

        /** It is used no more; a second call does nothing. */
        @Override
        void close();
    }

    private static final class Loaded {
        private final CompletableFuture<JobCode> code = new CompletableFuture<>();

        /** Guarded by the map. */
        private int users;

        /** Set before the future is completed. */
        private @Nullable TemporaryFolder folder;
    }

    /** Loaders of a node. */
    public JarLoaders(JarRules rules, Source source) {
        this.rules = rules;
        this.source = source;
    }

    /**
     * What a job with jars of these digests can name. Fetches and loads what is not there; the
     * first calls of users' code are on a thread of their own.
     *
     * @throws org.starling.graph.InvalidInputException with one sentence if that can't be
     */
    public Lease acquire(List<String> digests) {
        if (digests.isEmpty()) {
            return new BuiltIn();
        }
        rules.checkAllowed();
        List<String> key = digests.stream().distinct().sorted().toList();
        boolean first;
        Loaded found;
        synchronized (loaded) {
            found = loaded.computeIfAbsent(key, _ -> new Loaded());
            first = found.users++ == 0;
        }
        if (first) {
            load(key, found);
        }
        try {
            return new Counted(key, found, found.code.join());
        } catch (CompletionException refused) {
            release(key, found);
            throw refused.getCause() instanceof RuntimeException cause ? cause : refused;
        }
    }

    /** How many sets of jars are loaded. */
    public int count() {
        synchronized (loaded) {
            return loaded.size();
        }
    }

    private void load(List<String> key, Loaded into) {
        try {
            TemporaryFolder folder = TemporaryFolder.make(TemporaryFolder.JARS);
            into.folder = folder;
            List<UserJar> jars = new ArrayList<>();
            for (String digest : key) {
                jars.add(source.fetch(digest, folder.path()));
            }
            ClassLoader ours = JarLoaders.class.getClassLoader();
            into.code.complete(
                    new UserThread<>("loading jars", ours, () -> JobCode.load(jars)).call());
        } catch (RuntimeException | Error refused) {
            into.code.completeExceptionally(refused);
        }
    }

    /** The last one out closes; whoever comes then loads anew. */
    private void release(List<String> key, Loaded used) {
        synchronized (loaded) {
            if (--used.users > 0) {
                return;
            }
            loaded.remove(key, used);
        }
        if (!used.code.isCompletedExceptionally()) {
            used.code.join().close();
        }
        TemporaryFolder folder = used.folder;
        if (folder != null) {
            folder.close();
        }
    }

    private static final class BuiltIn implements Lease {
        @Override
        public JobCode code() {
            return JobCode.builtIn();
        }

        @Override
        public void close() {
            // it stays
        }
    }

    /** Closed by whoever acquired it, on any thread. */
    private final class Counted implements Lease {
        private final List<String> key;
        private final JobCode code;
        private @Nullable Loaded used;

        Counted(List<String> key, Loaded used, JobCode code) {
            this.key = key;
            this.used = used;
            this.code = code;
        }

        @Override
        public JobCode code() {
            return code;
        }

        @Override
        public synchronized void close() {
            Loaded mine = used;
            used = null;
            if (mine != null) {
                release(key, mine);
            }
        }
    }
}
