package org.starling.compute.internal.group;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.run.WorkerTeam;

/**
 * What becomes of a slave on which work goes on that was told to stop: code of users in an endless
 * loop. Java has no way to end such a thread, so the process has to go; until then the slave does
 * nothing more, and says why. The same becomes of a slave whose heap code of users has filled.
 * Owned by {@link SlaveService}; any thread.
 */
final class StuckWork {
    /** How long code of users may go on that was told to stop. */
    static final Duration PATIENCE = Duration.ofSeconds(4);

    /** How long anything else may take: it may wait for the store, or for the network. */
    static final Duration COMMAND_PATIENCE = Duration.ofMinutes(1);

    /** Time between two looks at what goes on. */
    private static final Duration LOOK = Duration.ofMillis(50);

    private final int node;
    private final @Nullable Consumer<String> replace;

    /** Set once, by whoever finds it first; guarded by this for writing. */
    private volatile @Nullable String sentence;

    /**
     * Nothing is stuck yet.
     *
     * @param replace lets somebody put a new process into the place of this one, soon, when the
     *     answer to the command under way has left; null where nobody can
     */
    StuckWork(int node, @Nullable Consumer<String> replace) {
        this.node = node;
        this.replace = replace;
    }

    /**
     * Waits until work has ended that was told to.
     *
     * @param ended waits for it, so long at most
     * @throws StuckException if it does not end
     */
    void await(String what, Predicate<Duration> ended, WorkerTeam team) {
        if (ended.test(PATIENCE)) {
            return;
        }
        long deadline = System.nanoTime() + COMMAND_PATIENCE.minus(PATIENCE).toNanos();
        while (!ended.test(LOOK)) {
            Optional<StackTraceElement> place = team.placeInUserCode();
            if (place.isPresent()) {
                throw found("%s, which is at %s,".formatted(what, place.get()), PATIENCE);
            }
            if (System.nanoTime() > deadline) {
                throw found(what, COMMAND_PATIENCE);
            }
        }
    }

    /** Work has not stopped after so long: what is to be thrown. */
    StuckException found(String what, Duration patience) {
        String told;
        boolean first;
        synchronized (this) {
            first = sentence == null;
            told =
                    first
                            ? "%s does not stop on node %d, %d s after it was told to; %s"
                                    .formatted(
                                            what,
                                            node,
                                            patience.toSeconds(),
                                            replace == null
                                                    ? "its process can do nothing more and must be ended"
                                                    : "its process is replaced")
                            : String.valueOf(sentence);
            sentence = told;
        }
        if (first && replace != null) {
            replace.accept(told);
        }
        return new StuckException(told, replace != null);
    }

    /**
     * Code of users has taken all room for objects of Java: threads of this process that needed
     * some may be broken, so it makes way, if it can.
     */
    void exhausted(String what) {
        if (replace == null) {
            return;
        }
        synchronized (this) {
            if (sentence != null) {
                return;
            }
            sentence =
                    "%s has taken all room for objects of Java on node %d; its process is replaced"
                            .formatted(what, node);
        }
        replace.accept(String.valueOf(sentence));
    }

    /** Whether something is stuck. */
    boolean isThere() {
        return sentence != null;
    }

    /** Whoever asks whether this slave is there must not count on one that is being replaced. */
    void checkPresence() {
        if (replace != null) {
            check();
        }
    }

    /** Refuses further work if something is stuck. */
    void check() {
        String found = sentence;
        if (found != null) {
            throw new StuckException(found, replace != null);
        }
    }
}
