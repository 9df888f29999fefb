package org.starling.compute.internal.jars;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.compute.internal.catalogue.KeptGraph;
import org.starling.compute.internal.protocol.JarMessage.CheckJob;
import org.starling.compute.internal.protocol.JarMessage.JobVerdict;
import org.starling.compute.script.ExistingGraphs;
import org.starling.compute.script.QueuedJob;
import org.starling.compute.script.TaskCatalog;
import org.starling.net.Execution;
import org.starling.net.RecordMessage;
import org.starling.net.Responder;
import org.starling.store.StoreNode;

/**
 * A peer's part in checking jobs with jars before they are queued. Each check has a thread of its
 * own and its time: providers of users are made in it, and signatures asked for. Any thread.
 */
public final class JobChecks {
    private static final Logger LOG = LogManager.getLogger(JobChecks.class);

    /** How long making providers and checking a script may take. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    /** How long it may take then to end, when it is interrupted. */
    private static final Duration INTERRUPT_PATIENCE = Duration.ofSeconds(2);

    /** Checks at once; others wait for their turn, in their order. */
    static final int MAX_CHECKS = 4;

    /** How long a check may wait for that; then the superpeer asks somebody else. */
    static final Duration TURN_PATIENCE = Duration.ofSeconds(5);

    private final Function<QueuedJob, Verdict> judge;
    private final @Nullable Consumer<String> replace;
    private final Semaphore places = new Semaphore(MAX_CHECKS, true);

    JobChecks(Function<QueuedJob, Verdict> judge, @Nullable Consumer<String> replace) {
        this.judge = judge;
        this.replace = replace;
    }

    /**
     * Answers superpeers from now on.
     *
     * @param brought for a script that names files which were sent along
     * @param replace hears why this process must make way for a new one; null if nobody can do that
     */
    public static void serve(
            StoreNode store,
            JarLoaders loaders,
            TaskCatalog tasks,
            Supplier<? extends BroughtFiles> brought,
            @Nullable Consumer<String> replace) {
        CatalogueService catalogue = new CatalogueService(store, InstantSource.system());
        JobChecks checks =
                new JobChecks(
                        job -> {
                            try (BroughtFiles files = brought.get()) {
                                return Verdict.of(job, loaders, tasks, files, existing(catalogue));
                            }
                        },
                        replace);
        store.network()
                .serveAsync(
                        RecordMessage.type(CheckJob.class),
                        Execution.WORKER,
                        (from, question, responder) -> checks.take(question, responder));
    }

    private static ExistingGraphs existing(CatalogueService catalogue) {
        return ExistingGraphs.of(catalogue.graphs().stream().map(KeptGraph::name).toList());
    }

    void take(CheckJob question, Responder<JobVerdict> responder) {
        Thread.ofVirtual()
                .name("turn of a check")
                .start(() -> {
                    try {
                        if (places.tryAcquire(TURN_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                            begin(question, responder);
                        } else {
                            responder.fail(
                                    new IllegalStateException("too many jobs are being checked"));
                        }
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                        responder.fail(interrupted);
                    }
                });
    }

    private void begin(CheckJob question, Responder<JobVerdict> responder) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("check of a job")
                        .inheritInheritableThreadLocals(false)
                        .start(() -> check(question, verdict));
        verdict.completeOnTimeout(late(), PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(said -> {
                    responder.respond(new JobVerdict(said.json()));
                    if (thread.isAlive()) {
                        insist(thread);
                    }
                })
                .isDone(); // answers when it is
    }

    private void check(CheckJob question, CompletableFuture<Verdict> verdict) {
        try {
            verdict.complete(judge.apply(QueuedJob.parse(question.job())));
        } catch (RuntimeException | Error broken) {
            LOG.warn("a job could not be checked", broken);
            verdict.complete(Verdict.refused("the job could not be checked: " + broken));
        } finally {
            places.release();
        }
    }

    private static Verdict late() {
        return Verdict.refused(
                "the providers of the jars are not ready after %d s; leave long work to tasks and programs"
                        .formatted(PATIENCE.toSeconds()));
    }

    /** Sees to it that a check that takes too long ends, with or without its process. */
    private void insist(Thread thread) {
        Thread.ofVirtual()
                .name("end of a check")
                .start(() -> {
                    try {
                        if (!thread.join(INTERRUPT_PATIENCE)) {
                            thread.interrupt();
                            if (!thread.join(INTERRUPT_PATIENCE) && replace != null) {
                                replace.accept("a provider of a jar does not come back");
                            }
                        }
                    } catch (InterruptedException interrupted) {
                        Thread.currentThread().interrupt();
                    }
                });
    }
}
