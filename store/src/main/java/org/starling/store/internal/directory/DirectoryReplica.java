package org.starling.store.internal.directory;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One superpeer's replica of the {@link Directory}: the only way to it. Thread-safe. A command
 * whose future has completed with a result is never forgotten, whatever dies, as far as the
 * implementation promises.
 */
public interface DirectoryReplica extends AutoCloseable {
    /** The answer of {@link #leader()} while nobody leads. */
    int NO_LEADER = -1;

    /**
     * Carries out a command on all replicas. What depends on the future runs on a thread of the
     * replica, so it must not wait.
     *
     * @param command the command
     * @return its result, once it cannot be forgotten any more; fails with {@link
     *     org.starling.store.IndeterminateException} if it is unknown whether the command took
     *     effect (sending it again does no harm), and with another {@link
     *     org.starling.store.StoreException} if it did not
     */
    CompletableFuture<Result> apply(Command command);

    /**
     * Carries out a command that only who leads may decide on, such as that a node is lost: never
     * by way of another leader, who may know better.
     *
     * @param command the command
     * @return as that of {@link #apply}; fails if this replica does not lead when it is carried
     *     out, which may have taken effect even so
     */
    default CompletableFuture<Result> applyAsLeader(Command command) {
        return apply(command);
    }

    /**
     * Asks this replica, which may be behind the leader's unless {@link #confirmLeadership} says
     * otherwise. The query runs while nothing is applied: it is short, does not wait, and lets
     * nothing of the directory escape.
     *
     * @param query the question
     * @return its answer
     * @param <T> type of the answer
     */
    <T> T read(Function<Directory, T> query);

    /** Whether a query would have to wait now, for instance while a snapshot is made. */
    boolean isBusy();

    /** Whether this replica leads, as far as it knows. */
    boolean isLeader();

    /** The node id of whoever leads, as far as this replica knows, or {@link #NO_LEADER}. */
    int leader();

    /**
     * Tells of every command applied from now on, on every replica, in order and one at a time,
     * after the directory has changed (it may have changed further by then). Commands replayed from
     * a journal are not told, nor those in a snapshot that came from another replica; under Raft,
     * commands of before a restart may be told again. So listeners take it as a hint to look, for
     * instance at {@link Directory#zonesChangedAfter}, and do not count.
     *
     * @param listener runs on the thread that applies: it is short and does not wait
     */
    void onApplied(BiConsumer<Command, Result> listener);

    /**
     * Tells when this replica becomes the leader (true) and when it is one no longer (false). A
     * listener that is added while this replica leads is told so at once.
     *
     * @param listener is short and does not wait
     */
    void onLeadership(Consumer<Boolean> listener);

    /**
     * Makes sure that this replica leads and has applied all that was ever answered.
     *
     * @param patience how long to try
     * @return whether it was the leader at some instant of this call
     */
    boolean confirmLeadership(Duration patience);

    /**
     * Has another replica lead at once, if this one does, so that nobody has to wait until it is
     * missed; before an orderly end. Waits for less than a second, and does nothing if there is no
     * other.
     */
    default void handLeadOn() {}

    /** Whether it can share its work with others, which are taken in while it goes on. */
    default boolean takesOthers() {
        return false;
    }

    /** Whether no other replica has a vote now, so that none can lead instead of this one. */
    default boolean isAlone() {
        return true;
    }

    /**
     * Has another replica vote no more, if this one leads.
     *
     * @param node its node id
     * @return whether it does not; if not, the caller asks again
     */
    default CompletableFuture<Boolean> dropVoter(int node) {
        return CompletableFuture.completedFuture(false);
    }

    /**
     * Those who vote though they were removed: they had asked to before, and were heard after that.
     *
     * @return their node ids, if this replica leads
     */
    default List<Integer> formerVoters() {
        return List.of();
    }

    /** Ends this replica; later commands fail. */
    @Override
    void close();
}
