package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.internal.node.Coalescer.Asked;
import org.starling.store.internal.node.Coalescer.Group;

/**
 * Questions, answers and looks in all orders: every question leaves once and is answered once. The
 * same over a map that looks and sets, which must be found.
 */
@Tag("thorough")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class CoalescerLincheckTest {
    @Test
    void sendsEveryQuestionOnceAndLeavesNoneBehind() {
        assertThatCode(() -> options(3).invocationsPerIteration(80).check(Sound.class))
                .doesNotThrowAnyException();
    }

    @Tag("slow")
    @Test
    void sendsEveryQuestionOnceInManyMoreSchedules() {
        assertThatCode(() -> options(30).check(Sound.class)).doesNotThrowAnyException();
    }

    @Test
    void findsGroupsThatAreChangedByTwoAtOnce() {
        List<Actor> one = List.of(actor("ask")); // to a group that is there already
        ModelCheckingOptions found =
                options(0)
                        .addCustomScenario(
                                new ExecutionScenario(one, List.of(one, one), List.of(), null));

        assertThatThrownBy(() -> found.check(LooksAndSets.class))
                .isInstanceOf(LincheckAssertionError.class);
    }

    private static Actor actor(String operation) {
        try {
            return new Actor(LooksAndSets.class.getMethod(operation), List.of());
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(operation, e);
        }
    }

    private static ModelCheckingOptions options(int scenarios) {
        return new ModelCheckingOptions()
                .iterations(scenarios)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(0)
                .minimizeFailedScenario(false);
    }

    /** As the store uses it, for one target. */
    public static class Sound implements Coalescer.Line<Integer, Integer, Integer, Integer> {
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger delivered = new AtomicInteger();
        private final Queue<CompletableFuture<Integer>> underWay = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> looks = new ConcurrentLinkedQueue<>();
        private final Queue<Runnable> beforeWaiting = new ConcurrentLinkedQueue<>();
        private final List<CompletableFuture<Integer>> answers = new ArrayList<>();
        private final Coalescer<Integer, Integer, Integer, Integer> coalescer;

        /** Nothing is asked yet. */
        public Sound() {
            this(new ConcurrentHashMap<>());
        }

        Sound(Map<Integer, Group<Integer, Integer>> groups) {
            coalescer =
                    new Coalescer<>(
                            before -> {
                                beforeWaiting.add(before);
                                return new CompletableFuture<>();
                            },
                            this,
                            looks::add,
                            looks::add,
                            Runnable::run,
                            groups);
        }

        /** Asks something. */
        @Operation
        public void ask() {
            CompletableFuture<Integer> answer = coalescer.ask(0, asked.incrementAndGet());
            synchronized (answers) {
                answers.add(answer);
            }
        }

        /** The answer of the oldest request comes. */
        @Operation
        public void answer() {
            CompletableFuture<Integer> oldest = underWay.poll();
            if (oldest != null) {
                oldest.complete(0);
            }
        }

        /** Somebody begins to wait for an answer. */
        @Operation
        public void await() {
            Runnable before = beforeWaiting.poll();
            if (before != null) {
                before.run();
            }
        }

        /** Time passes. */
        @Operation
        public void look() {
            Runnable due = looks.poll();
            if (due != null) {
                due.run();
            }
        }

        /** Checks the promise: no look is needed once all answers have come. */
        @Validate
        public void nothingIsLeftBehind() {
            while (!underWay.isEmpty()) {
                answer();
            }
            long open = answers.stream().filter(each -> !each.isDone()).count();
            if (open > 0 || delivered.get() != asked.get()) {
                throw new IllegalStateException(
                        asked + " asked, " + delivered + " delivered, " + open + " open");
            }
        }

        @Override
        public CompletableFuture<Integer> send(
                Integer target, List<Asked<Integer, Integer>> together) {
            CompletableFuture<Integer> response = new CompletableFuture<>();
            underWay.add(response);
            return response;
        }

        @Override
        public void deliver(
                Integer target,
                List<Asked<Integer, Integer>> together,
                @Nullable Integer response,
                @Nullable Throwable failure) {
            delivered.addAndGet(together.size());
            together.forEach(each -> each.answer().complete(each.question()));
        }

        @Override
        public boolean isLong(Integer response, int answers) {
            return false;
        }
    }

    /** Two threads may change a group at once. */
    public static final class LooksAndSets extends Sound {
        /** Nothing is asked yet. */
        public LooksAndSets() {
            super(new LooseMap());
        }
    }

    /** Its compute methods are not atomic. */
    private static final class LooseMap
            extends ConcurrentHashMap<Integer, Group<Integer, Integer>> {
        private static final long serialVersionUID = 1L;

        @Override
        public @Nullable Group<Integer, Integer> compute(
                Integer target,
                BiFunction<
                                ? super Integer,
                                ? super @Nullable Group<Integer, Integer>,
                                ? extends @Nullable Group<Integer, Integer>>
                        change) {
            return set(target, change.apply(target, get(target)));
        }

        @Override
        public @Nullable Group<Integer, Integer> computeIfPresent(
                Integer target,
                BiFunction<
                                ? super Integer,
                                ? super Group<Integer, Integer>,
                                ? extends @Nullable Group<Integer, Integer>>
                        change) {
            Group<Integer, Integer> present = get(target);
            return present == null ? null : set(target, change.apply(target, present));
        }

        private @Nullable Group<Integer, Integer> set(
                Integer target, @Nullable Group<Integer, Integer> next) {
            if (next == null) {
                remove(target);
            } else {
                put(target, next);
            }
            return next;
        }
    }
}
