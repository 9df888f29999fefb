package org.starling.compute.cluster;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.internal.jars.JarStore;
import org.starling.compute.internal.jars.Verdict;
import org.starling.compute.internal.protocol.JarMessage.CheckJob;
import org.starling.compute.jars.JarContents;
import org.starling.compute.jars.JarInspection;
import org.starling.compute.jars.JarRules;
import org.starling.compute.jars.UserJar;
import org.starling.compute.script.QueuedJob;
import org.starling.graph.InvalidInputException;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;

/**
 * A superpeer's part in jars of users: looks into them, keeps them in the store, and has peers
 * check the jobs that bring them. A superpeer never loads one: code of users must not be able to
 * hurt the directory. Any thread.
 */
final class SuperpeerJars implements JarService {
    private static final Logger LOG = LogManager.getLogger(SuperpeerJars.class);

    /** A peer takes less, see {@link org.starling.compute.internal.jars.JobChecks}. */
    private static final Duration CHECK_TIMEOUT = Duration.ofSeconds(28);

    /**
     * Peers that are asked to check a job when those before are lost, or have too many to check.
     */
    private static final int MAX_CHECKERS = 2;

    private final StoreNode store;
    private final JarStore jars;
    private final JarRules rules;

    /**
     * Jars that are being written, by their digests: who brings the same one waits for the first.
     */
    private final Map<String, CompletableFuture<Boolean>> writing = new ConcurrentHashMap<>();

    SuperpeerJars(StoreNode store, JarRules rules) {
        this.store = store;
        this.jars = new JarStore(store);
        this.rules = rules;
    }

    @Override
    public List<String> missing(List<JarView> asked) {
        rules.checkAllowed();
        if (asked.size() > JarRules.MAX_JARS_OF_JOB) {
            throw new InvalidInputException(
                    "a job has at most %d jars, found %d"
                            .formatted(JarRules.MAX_JARS_OF_JOB, asked.size()));
        }
        List<String> missing = new ArrayList<>();
        for (JarView jar : asked) {
            rules.checkSize(jar.name(), jar.bytes());
            if (SuperpeerService.ask(() -> jars.find(UserJar.checkDigest(jar.digest())))
                    .isEmpty()) {
                missing.add(jar.digest());
            }
        }
        return missing;
    }

    @Override
    public void bring(String digest, String name, Path file) {
        rules.checkAllowed();
        JarContents contents = JarInspection.of(file, UserJar.checkName(name), rules);
        if (!contents.jar().digest().equals(digest)) {
            throw new InvalidInputException(
                    "%s has the digest %s, and was brought as %s; bring it again"
                            .formatted(name, contents.jar().digest(), digest));
        }
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> first = writing.putIfAbsent(digest, mine);
        if (first != null && first.join()) {
            return;
        }
        try {
            SuperpeerService.ask(() -> {
                jars.put(contents);
                return mine.complete(true);
            });
        } finally {
            mine.complete(false);
            writing.remove(digest, mine);
        }
    }

    @Override
    public List<JarView> list() {
        return SuperpeerService.ask(jars::list).stream()
                .map(jar -> new JarView(jar.digest(), jar.name(), jar.bytes(), jar.providers()))
                .toList();
    }

    @Override
    public boolean remove(String digest) {
        UserJar.checkDigest(digest);
        return SuperpeerService.ask(() -> {
            checkUnused(digest);
            // again when nobody finds it: a job may have come between, those that come now are told
            return jars.remove(digest, () -> checkUnused(digest));
        });
    }

    /**
     * Checks a job with jars.
     *
     * @return the name of its script
     * @throws org.starling.compute.script.InvalidScriptException if anything is wrong with the
     *     script
     * @throws InvalidInputException if the jars can't be used
     */
    String check(QueuedJob job) {
        rules.checkAllowed();
        checkThere(job);
        StoreException last = new StoreException("no peer computes now");
        List<Integer> checkers = checkers();
        for (int node : checkers.subList(0, Math.min(MAX_CHECKERS, checkers.size()))) {
            try {
                String verdict =
                        store.network()
                                .request(node, new CheckJob(job.json()), CHECK_TIMEOUT)
                                .get()
                                .verdict();
                return Verdict.parse(verdict).nameOfGood();
            } catch (ExecutionException lost) {
                LOG.warn("node {} could not check a job: {}", node, lost.getMessage());
                last = new StoreException("no peer could check the job: " + lost.getMessage());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new ClusterException("checking the job was interrupted", interrupted);
            }
        }
        throw new ClusterException(String.valueOf(last.getMessage()), last);
    }

    /** Checks that the jars of a job are there. */
    void checkThere(QueuedJob job) {
        for (String digest : job.request().jars()) {
            if (SuperpeerService.ask(() -> jars.find(UserJar.checkDigest(digest))).isEmpty()) {
                throw JarStore.noJar(digest);
            }
        }
    }

    /** Peers that compute, the master last: it has other work. */
    private List<Integer> checkers() {
        int master = SuperpeerService.ask(store.jobs()::master);
        return store.membership().computingPeers().stream()
                .map(node -> node.id())
                .sorted(Comparator.comparing((Integer id) -> id == master))
                .toList();
    }

    private void checkUnused(String digest) {
        for (JobInfo info : store.jobs().jobs()) {
            boolean alive = info.status() == JobStatus.QUEUED || info.status() == JobStatus.RUNNING;
            if (alive && names(info.id(), digest)) {
                throw new JarInUseException(
                        "job %d (%s) needs the jar %s; cancel it, or wait for its end"
                                .formatted(info.id(), info.name(), digest));
            }
        }
    }

    private boolean names(long job, String digest) {
        Optional<byte[]> payload =
                store.jobs().job(job).map(found -> found.payload()).filter(p -> p.length > 0);
        return payload.isPresent()
                && QueuedJob.parse(new String(payload.get(), StandardCharsets.UTF_8))
                        .request()
                        .jars()
                        .contains(digest);
    }
}
