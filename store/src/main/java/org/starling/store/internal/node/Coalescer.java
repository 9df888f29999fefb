package org.starling.store.internal.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Lets single questions to one target leave together. What waits leaves when a thread begins to
 * wait for an answer: it asks nothing more until then. Where threads are seen to do so after
 * several questions each, their questions are held until they do, and a window of them is one
 * request. Those of others leave at once if nothing is under way; otherwise when as many wait as
 * are under way, or so few are under way, so that a number of them kept under way is two requests
 * in turns. Who asks one after the other never waits for others. Looks are taken at what waits,
 * {@link #LINGER_MILLIS} apart, and where nothing has left from one to the next it leaves: no
 * question waits longer than two of them, so that an answer that does not come holds nobody up.
 * Where all that waits is held, looks are {@link #HELD_MILLIS} apart, as each wakes a thread that
 * takes a core from those that ask and answer; a thread whose questions they find is taken for one
 * that goes on without waiting.
 *
 * <p>Any thread; nothing is sent under a lock. Sending may wait for room or for a connection, but
 * on the receiving thread, which brings responses; who asks may wait, too, and other threads are
 * never made to. Costs an entry for each target with something under way, and {@value #THREADS}
 * numbers.
 *
 * @param <T> where questions may go together
 * @param <Q> a question
 * @param <A> its answer
 * @param <R> the response to several of them
 */
final class Coalescer<T, Q, A, R> {
    /** From one look at what waits to the next. */
    static final long LINGER_MILLIS = 1;

    /** From one look to the next where threads are about to wait for all that waits. */
    static final long HELD_MILLIS = 16;

    /** The most questions that leave together. */
    static final int MAX_TOGETHER = 1024;

    /** From here on questions are held for the threads that will wait for them. */
    private static final int HABIT = 32;

    /** What a thread that waits after several questions adds; one that waits after one takes 1. */
    private static final int SEVERAL = 4;

    /** The habit of a thread that did not wait for questions that were held for it. */
    private static final int LAPSED = -3 * HABIT;

    /** So many threads' habits are known: of those whose ids end alike, the last one's. */
    private static final int THREADS = 256;

    private static final int HABIT_BITS = Byte.SIZE;

    /** No thread has this id. */
    private static final long NOBODY = 0;

    /** A question and the future of who asked it. */
    record Asked<Q, A>(Q question, CompletableFuture<A> answer) {}

    /** Sends questions and tells their askers what came of them. */
    interface Line<T, Q, A, R> {
        /** Sends them; never throws. */
        CompletableFuture<R> send(T target, List<Asked<Q, A>> together);

        /**
         * Ends every one of them with its answer or its failure.
         *
         * @param response null if there is a failure
         */
        void deliver(
                T target,
                List<Asked<Q, A>> together,
                @Nullable R response,
                @Nullable Throwable failure);

        /** Whether answers like these are so long that each is better asked for alone. */
        boolean isLong(R response, int answers);
    }

    /** What is under way to one target, and what waits. Changed within {@link #groups} alone. */
    static final class Group<Q, A> {
        private int underWay;

        /** Who asked last, how many in a row, and since it has last begun to wait. */
        private long asker;

        private int asked;

        private boolean goesAlone;

        /** Since the last look, or the group is younger than that. */
        private boolean hasLeft = true;

        /** For whom all that waits is held; the last one of several. */
        private long holder = NOBODY;

        private List<Asked<Q, A>> waiting = new ArrayList<>();

        /**
         * @param isHeld whether it waits for its thread
         */
        private Group<Q, A> ask(
                Asked<Q, A> question, long thread, boolean isHeld, List<Asked<Q, A>> leaving) {
            holder = isHeld && (waiting.isEmpty() || holder != NOBODY) ? thread : NOBODY;
            waiting.add(question);
            asked = asker == thread ? asked + 1 : 1;
            asker = thread;
            return isHeld && !goesAlone && waiting.size() < MAX_TOGETHER
                    ? this
                    : leave(goesAlone, leaving);
        }

        /**
         * @param since becomes how many this thread has asked since the last time, if nobody has
         *     asked meanwhile
         */
        private Group<Q, A> await(long thread, AtomicInteger since, List<Asked<Q, A>> leaving) {
            if (asker == thread) {
                since.set(asked);
                asked = 0;
            }
            return leave(true, leaving);
        }

        private Group<Q, A> leave(boolean isUrgent, List<Asked<Q, A>> leaving) {
            if (isUrgent || waiting.size() >= Math.min(underWay, MAX_TOGETHER)) {
                leaving.addAll(waiting);
                underWay += waiting.size();
                hasLeft |= !waiting.isEmpty();
                waiting.clear();
            }
            return this;
        }

        private Group<Q, A> look(AtomicBoolean looksAgain, List<Asked<Q, A>> leaving) {
            boolean isRecent = hasLeft && !waiting.isEmpty();
            hasLeft = false;
            if (isRecent) {
                looksAgain.set(true);
                return this;
            }
            return leave(true, leaving);
        }

        private @Nullable Group<Q, A> answered(
                int count, boolean isLong, List<Asked<Q, A>> leaving) {
            underWay -= count;
            goesAlone = isLong;
            Group<Q, A> left = leave(isLong, leaving);
            return underWay == 0 ? null : left;
        }
    }

    private final Function<Runnable, CompletableFuture<A>> answers;
    private final Line<T, Q, A, R> line;

    /** Runs what may wait. */
    private final Executor waiters;

    private final Map<T, Group<Q, A>> groups;

    private final Looks looks;

    /** At what is held for threads that are about to wait. */
    private final Looks heldLooks;

    /**
     * How much threads wait after several questions each, up to twice {@link #HABIT}, with their
     * ids. Written without order; a lost update does no harm.
     */
    private final AtomicLongArray habits = new AtomicLongArray(THREADS);

    /** Looks at what waits, one at a time. */
    private final class Looks implements Runnable {
        private final Executor later;

        /** Whether one is to come. */
        private final AtomicBoolean isTimed = new AtomicBoolean();

        private Looks(Executor later) {
            this.later = later;
        }

        private void lookLater() {
            if (!isTimed.get() && isTimed.compareAndSet(false, true)) {
                later.execute(this);
            }
        }

        @Override
        public void run() {
            isTimed.set(false); // first: who asks from now on asks for a look of its own
            if (look(this == heldLooks)) {
                lookLater();
            }
        }
    }

    /**
     * @param answers makes futures for answers that run something when a thread begins to wait
     */
    Coalescer(Function<Runnable, CompletableFuture<A>> answers, Line<T, Q, A, R> line) {
        this(
                answers,
                line,
                timer(LINGER_MILLIS),
                timer(HELD_MILLIS),
                Asker.THREADS,
                new ConcurrentHashMap<>());
    }

    /**
     * @param later runs what it is given after {@link #LINGER_MILLIS}; must not be made to wait
     * @param muchLater the same after {@link #HELD_MILLIS}
     * @param waiters runs what may wait
     * @param groups empty; its compute methods are atomic
     */
    Coalescer(
            Function<Runnable, CompletableFuture<A>> answers,
            Line<T, Q, A, R> line,
            Executor later,
            Executor muchLater,
            Executor waiters,
            Map<T, Group<Q, A>> groups) {
        this.answers = answers;
        this.line = line;
        this.looks = new Looks(later);
        this.heldLooks = new Looks(muchLater);
        this.waiters = waiters;
        this.groups = groups;
    }

    /** On the timer's own thread: a pool's threads may all be waiting for something else. */
    private static Executor timer(long millis) {
        return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run);
    }

    /** Asks, now or in a moment. */
    CompletableFuture<A> ask(T target, Q question) {
        Asked<Q, A> asked = new Asked<>(question, answers.apply(() -> hurry(target)));
        List<Asked<Q, A>> leaving = new ArrayList<>();
        long thread = Thread.currentThread().threadId();
        boolean isHeld = habit(thread) >= HABIT;
        groups.compute(
                target,
                (to, group) ->
                        (group == null ? new Group<Q, A>() : group)
                                .ask(asked, thread, isHeld, leaving));
        if (!leaving.isEmpty()) {
            send(target, leaving);
        } else {
            (isHeld ? heldLooks : looks).lookLater();
        }
        return asked.answer();
    }

    private int habit(long thread) {
        long known = habits.getPlain(slot(thread));
        return known >> HABIT_BITS == thread ? (byte) known : 0;
    }

    private static int slot(long thread) {
        return (int) (thread % THREADS);
    }

    private void setHabit(long thread, int habit) {
        habits.setPlain(slot(thread), (thread << HABIT_BITS) | (habit & 0xFF));
    }

    private void send(T target, List<Asked<Q, A>> together) {
        var _ =
                line.send(target, together)
                        .whenComplete((response, failure) ->
                                answered(target, together, response, failure));
    }

    private void answered(
            T target,
            List<Asked<Q, A>> together,
            @Nullable R response,
            @Nullable Throwable failure) {
        boolean isLong = response != null && line.isLong(response, together.size());
        List<Asked<Q, A>> leaving = new ArrayList<>();
        groups.computeIfPresent(
                target, (to, group) -> group.answered(together.size(), isLong, leaving));
        if (!leaving.isEmpty() && failure == null) {
            send(target, leaving);
        } else if (!leaving
                .isEmpty()) { // on a timer's thread, or that of a sender to somebody else
            waiters.execute(() -> send(target, leaving));
        }
        line.deliver(target, together, response, failure);
    }

    /** A thread begins to wait for an answer: what is held for it leaves, whoever is asked. */
    private void hurry(T target) {
        long thread = Thread.currentThread().threadId();
        List<Asked<Q, A>> leaving = new ArrayList<>();
        AtomicInteger asked = new AtomicInteger();
        groups.computeIfPresent(target, (to, group) -> group.await(thread, asked, leaving));
        int habit = habit(thread);
        if (asked.get() > 1) {
            setHabit(thread, Math.min(habit + SEVERAL, 2 * HABIT));
        } else if (asked.get() == 1 && habit > 0) {
            setHabit(thread, habit - 1);
        }
        if (!leaving.isEmpty()) {
            send(target, leaving);
        }
        if (habit >= HABIT) {
            groups.keySet().forEach(other -> letGo(other, thread));
        }
    }

    private void letGo(T target, long thread) {
        List<Asked<Q, A>> leaving = new ArrayList<>();
        groups.computeIfPresent(
                target, (to, group) -> group.holder == thread ? group.leave(true, leaving) : group);
        if (!leaving.isEmpty()) {
            send(target, leaving);
        }
    }

    /** Lets go what waits for too long; true if there is to be another look. */
    private boolean look(boolean isAtHeld) {
        AtomicBoolean looksAgain = new AtomicBoolean();
        AtomicLong holder = new AtomicLong();
        for (T target : groups.keySet()) {
            List<Asked<Q, A>> leaving = new ArrayList<>();
            groups.computeIfPresent(
                    target,
                    (to, group) -> {
                        holder.set(group.holder);
                        return isAtHeld == (group.holder != NOBODY)
                                ? group.look(looksAgain, leaving)
                                : group;
                    });
            if (!leaving.isEmpty()) {
                if (isAtHeld) {
                    setHabit(holder.get(), LAPSED);
                }
                // one target must not hold the others up
                waiters.execute(() -> send(target, leaving));
            }
        }
        return looksAgain.get();
    }
}
