package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.RecoveryEvent;
import org.starling.compute.jars.JobCode;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.StoreNode;
import org.starling.store.UnderReplicatedException;
import org.starling.store.UnservedException;

/** Work that fails for now. */
@Timeout(60)
final class RecoveryLoopTest {
    private TestGroup peers;
    private Group group;
    private Checkpoints checkpoints;
    private RecoveryLoop loop;

    @BeforeEach
    void open() {
        open(RecoveryLoop.STORE_PATIENCE_NANOS);
    }

    private void open(long patienceNanos) {
        peers = new TestGroup(3);
        StoreNode store = peers.node(-1);
        group = new Group(store.network(), store.membership(), peers.members().get());
        Recovery recovery = new Recovery(store, group);
        TreeMap<String, KnownGraph> graphs = new TreeMap<>();
        AtomicLong numbers = new AtomicLong();
        checkpoints =
                new Checkpoints(
                        store,
                        group,
                        new OrphanedChunks(store, group, recovery, 1),
                        1,
                        numbers::incrementAndGet,
                        graphs,
                        CheckpointOptions.NONE);
        loop =
                new RecoveryLoop(
                        store,
                        group,
                        recovery,
                        checkpoints,
                        graphs,
                        numbers::incrementAndGet,
                        JobCode::builtIn,
                        patienceNanos);
    }

    @AfterEach
    void close() {
        peers.close();
    }

    static Stream<RuntimeException> forNow() {
        return Stream.of(few(), unheard(), unserved())
                .flatMap(failure -> Stream.of(failure, asASlaveSays(failure)));
    }

    @ParameterizedTest
    @MethodSource("forNow")
    void doesWorkAgainThatCouldNotBeWrittenAndTellsOfNoLoss(RuntimeException failure) {
        AtomicInteger tries = new AtomicInteger();

        int done =
                loop.untilDone(() -> {
                    if (tries.incrementAndGet() < 3) {
                        throw failure;
                    }
                    return 7;
                });

        assertThat(done).isEqualTo(7);
        assertThat(tries).hasValue(3);
        assertThat(checkpoints.events()).isEmpty();
    }

    /** Work of minutes would be done again once. */
    @Test
    void doesWorkAgainSomeTimesThoughEachTakesLongerThanItsPatience() {
        close();
        open(1);
        AtomicInteger tries = new AtomicInteger();

        assertThat(loop.untilDone(() -> unserved(tries, 3))).isEqualTo(7);
        tries.set(0);
        assertThatThrownBy(() -> loop.untilDone(() -> unserved(tries, 4)))
                .isInstanceOf(UnservedException.class);
    }

    private static int unserved(AtomicInteger tries, int times) {
        if (tries.incrementAndGet() <= times) {
            throw unserved();
        }
        return 7;
    }

    /** What is committed has a bound. */
    @Test
    void tellsOfTheFirstOfVeryManyLosses() {
        RecoveryEvent event = new RecoveryEvent(RecoveryEvent.NO_NODE, "slave", 1, 2, 0.5);
        for (int i = 0; i < 3; i++) {
            checkpoints.survived(Collections.nCopies(100, event));
        }

        assertThat(checkpoints.events()).hasSize(256);
    }

    @Test
    void doesNoWorkAgainThatIsNotTheStoresFault() {
        AtomicInteger tries = new AtomicInteger();

        assertThatThrownBy(() ->
                        loop.untilDone(() -> {
                            tries.incrementAndGet();
                            throw asASlaveSays(new StoreException("refused"));
                        }))
                .isInstanceOf(JobFailedException.class)
                .hasMessage("refused");
        assertThat(tries).hasValue(1);
    }

    /** Each time would take another process; but the first may be the fault of another job. */
    @Test
    void doesOnceAgainWhatDoesNotStop() {
        AtomicInteger tries = new AtomicInteger();

        assertThatThrownBy(() ->
                        loop.untilDone(() -> {
                            if (tries.incrementAndGet() == 1) {
                                peers.kill(1);
                            }
                            throw new StuckRunException(
                                    "a bug; node 2 is replaced", new IllegalStateException());
                        }))
                .isInstanceOf(StuckRunException.class);
        assertThat(tries).hasValue(2);
    }

    /** What does not stop then may be another job's work. */
    @Test
    void doesAgainBehindEachLossThoughSomethingDoesNotStop() {
        AtomicInteger tries = new AtomicInteger();

        int done =
                loop.untilDone(() -> {
                    int now = tries.incrementAndGet();
                    if (now <= 2) {
                        peers.kill(now);
                        throw Group.failed(
                                new SlaveLostException(-1, "lost", new IllegalStateException()),
                                List.of("another job's work does not stop"));
                    }
                    return now;
                });

        assertThat(done).isEqualTo(3);
    }

    /** Each time would take another process, beside whatever else fails. */
    @Test
    void doesNotAgainForEverWhatDoesNotStopBesideOtherFailures() {
        AtomicInteger tries = new AtomicInteger();

        assertThatThrownBy(() ->
                        loop.untilDone(() -> {
                            tries.incrementAndGet();
                            throw Group.failed(few(), List.of("its work on node 2 does not stop"));
                        }))
                .isInstanceOf(StuckRunException.class)
                .hasMessageContaining(few().getMessage())
                .hasMessageContaining("its work on node 2 does not stop");
        assertThat(tries).hasValue(5);
    }

    /** A long run may hear of many. */
    @Tag("slow")
    @Test
    void countsLossesAnewWhenARunHasComeFurther() {
        AtomicInteger tries = new AtomicInteger();
        IntSupplier further = () -> tries.get() / 20;
        IntSupplier nowhere = () -> 5;

        assertThat(loop.untilDone(further, () -> lost(tries, 35))).isEqualTo(7);
        tries.set(0);
        assertThatThrownBy(() -> loop.untilDone(nowhere, () -> lost(tries, 40)))
                .isInstanceOf(JobFailedException.class)
                .hasMessageContaining("given up after 32 losses at the same place");
    }

    private static int lost(AtomicInteger tries, int times) {
        if (tries.incrementAndGet() <= times) {
            throw new SlaveLostException(-1, "its connection broke", new IllegalStateException());
        }
        return 7;
    }

    @Test
    void waitsForNoBackupsInAJobThatIsCancelled() {
        assertThatThrownBy(() ->
                        loop.untilDone(() -> {
                            group.cancel();
                            throw few();
                        }))
                .isInstanceOf(JobCancelledException.class);
    }

    private static UnderReplicatedException few() {
        return new UnderReplicatedException(Durability.POWER, 2, 1);
    }

    private static IndeterminateException unheard() {
        return new IndeterminateException("nobody has answered in time", null);
    }

    private static UnservedException unserved() {
        return new UnservedException("nobody serves it at the moment", null);
    }

    /** On its way from a slave a failure is a text. */
    private static RuntimeException asASlaveSays(RuntimeException failure) {
        String text = String.valueOf(CommandFailedException.of(failure).getMessage());
        return CommandFailedException.unwrap(text, new IllegalStateException("reported"));
    }
}
