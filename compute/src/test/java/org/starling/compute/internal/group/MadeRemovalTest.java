package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.compute.internal.graph.MadeRecord;
import org.starling.compute.internal.graph.MadeRecord.Kind;
import org.starling.compute.internal.graph.MadeRecord.Range;
import org.starling.compute.internal.graph.MadeRecords;
import org.starling.compute.internal.graph.MadeRemoval;
import org.starling.compute.internal.graph.MadeRemoval.Removal;
import org.starling.compute.internal.protocol.Attempt;
import org.starling.compute.internal.protocol.QueryMessage.RemoveMade;
import org.starling.store.ChunkService;
import org.starling.store.Durability;
import org.starling.store.IndeterminateException;
import org.starling.store.NameService;
import org.starling.store.PinnedRange;
import org.starling.store.StoreNode;
import org.starling.store.WithheldIds;

/**
 * Owners that remove what attempts have made: answers of the directory are lost, others make chunks
 * meanwhile, and owners die before the directory knows.
 */
@Timeout(120)
final class MadeRemovalTest {
    private static final long JOB = 7;
    private static final long TERM = Attempt.term(JOB, 1);
    private static final int OWNER = 0;

    /** More than a page needs to be searched for free ids. */
    private static final int COUNT = 4_000;

    private TestGroup group;
    private MadeRecord record;

    @BeforeEach
    void makeChunks() {
        group = TestGroup.durable(4);
        StoreNode owner = group.node(OWNER);
        long first = chunks().createRange(COUNT, 8);
        record =
                MadeRecord.of(
                                JOB,
                                Kind.CHECKPOINT,
                                Attempt.of(TERM, 1),
                                owner.nodeId(),
                                List.of(new Range(first, COUNT)))
                        .getFirst();
        new MadeRecords(owner.names()).note(List.of(record));
    }

    @AfterEach
    void close() {
        group.close();
    }

    @Test
    void givesTheIdsOutAgainWhenTheRecordIsGone() {
        assertThat(removal(names(), chunks()).remove(record)).isEqualTo(Removal.DONE);

        assertThat(records()).isEmpty();
        assertThat(existing()).isZero();
        assertThat(makeOthers()).as("ids of the record").anyMatch(this::isOfRecord);
    }

    /**
     * One of them was paused, and others have got the ids of what the owner removed for the other.
     */
    @Test
    void removesOnceWhenTwoMastersAsk() {
        askOwner();
        assertThat(records()).isEmpty();
        List<Long> others = makeOthers();

        askOwner();

        assertThat(others).anyMatch(this::isOfRecord).allMatch(group.node(1).chunks()::exists);
    }

    private void askOwner() {
        RemoveMade command = new RemoveMade(List.of(record.name()));
        Duration patience = Duration.ofSeconds(30);
        long[] left =
                group.node(-1)
                        .network()
                        .request(group.nodeId(OWNER), command, patience)
                        .join()
                        .values();
        assertThat(left).containsExactly(0);
    }

    /** Asked again and again, it removes what it has made alone. */
    @ParameterizedTest
    @EnumSource(names = {"CLAIM", "DROP_REFUSED"})
    void removesOnceThoughAnswersOfTheDirectoryAreLost(Loss loss) {
        MadeRemoval removal = removal(loss.of(names()), chunks());
        assertThatThrownBy(() -> removal.remove(record)).isInstanceOf(IndeterminateException.class);
        List<Long> others = makeOthers();

        assertThat(removal.remove(record)).isEqualTo(Removal.DONE);
        assertThat(removal.remove(record)).isEqualTo(Removal.DONE);

        assertThat(others).noneMatch(this::isOfRecord).allMatch(group.node(1).chunks()::exists);
        assertThat(records()).isEmpty();
        assertThat(existing()).isZero();
        assertThat(makeOthers()).as("ids of the record").anyMatch(this::isOfRecord);
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(names = {"CLAIM_REFUSED", "DROP"})
    void removesOnceThoughAnswersOfTheDirectoryAreLostInMoreCases(Loss loss) {
        removesOnceThoughAnswersOfTheDirectoryAreLost(loss);
    }

    /** What the directory has not heard of is removed once more, by the zone's next owner. */
    @Test
    void leavesNothingAndTakesNothingOfOthersWhenTheOwnerIsLostBeforeTheRecordIsGone() {
        loseOwnerBeforeTheRecordIsGone(chunks());

        assertThat(records()).isEmpty();
    }

    /** A removal that withholds nothing is seen. */
    @Test
    void takesChunksOfOthersIfIdsAreNotWithheld() {
        ChunkService hasty = withholdingNothing(chunks());

        assertThatThrownBy(() -> loseOwnerBeforeTheRecordIsGone(hasty))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("chunks of others");
    }

    private void loseOwnerBeforeTheRecordIsGone(ChunkService chunks) {
        MadeRemoval removal = removal(Loss.DROP_REFUSED.of(names()), chunks);
        assertThatThrownBy(() -> removal.remove(record)).isInstanceOf(IndeterminateException.class);
        List<Long> others = makeOthers();
        killOwner();

        removeAsMaster();

        ChunkService user = group.node(1).chunks();
        assertThat(others.stream().filter(user::exists).count())
                .as("chunks of others")
                .isEqualTo(others.size());
    }

    /** One that is claimed and could not be removed goes with the zone's next owner. */
    @Test
    void claimsWhatALostOwnerHadClaimed() {
        try (PinnedRange _ = chunks().pin(record.ranges().getFirst().first(), 1)) {
            assertThat(removal(names(), chunks()).remove(record)).isEqualTo(Removal.LATER);
            assertThat(existing()).isEqualTo(COUNT);
            killOwner();
        }

        removeAsMaster();

        assertThat(existing()).isZero();
        assertThat(records()).isEmpty();
    }

    @Test
    void triesAgainWhatWasPinned() {
        MadeRemoval removal = removal(names(), chunks());
        try (PinnedRange _ = chunks().pin(record.ranges().getFirst().first() + 1, 1)) {
            assertThat(removal.remove(record)).isEqualTo(Removal.LATER);
        }

        assertThat(removal.remove(record)).isEqualTo(Removal.DONE);
        assertThat(existing()).isZero();
        assertThat(makeOthers()).as("ids of the record").anyMatch(this::isOfRecord);
    }

    /**
     * Somebody pins a chunk when others before it in the same range are gone already: the record
     * still leads to these, so nobody may get their ids.
     */
    @Test
    void withholdsIdsOfARangeThatIsPinnedInTheMiddleOfItsRemoval() {
        long first = record.ranges().getFirst().first();
        ChunkService late =
                with(
                        chunks(),
                        (method, _) -> {
                            if (method.equals("removeRange")) {
                                chunks().removeRange(first, COUNT - 1);
                            }
                            return null;
                        });
        MadeRemoval removal = removal(names(), late);
        List<Long> others;
        try (PinnedRange _ = chunks().pin(first + COUNT - 1, 1)) {
            assertThat(removal.remove(record)).isEqualTo(Removal.LATER);
            assertThat(existing()).isEqualTo(1);
            others = makeOthers();
        }

        TestGroup.await(() -> removal.remove(record) == Removal.DONE);

        assertThat(others).noneMatch(this::isOfRecord).allMatch(chunks()::exists);
        assertThat(existing()).isZero();
    }

    /**
     * The directory has taken the record out, and its answer is lost: no master finds the record,
     * so nobody asks the owner again.
     */
    @Test
    void givesIdsOutAgainThoughNobodyAsksOnceTheRecordIsGone() {
        MadeRemoval removal = removal(Loss.DROP.of(names()), chunks());
        assertThatThrownBy(() -> removal.remove(record)).isInstanceOf(IndeterminateException.class);
        removeAsMaster();
        assertThat(records()).isEmpty();

        TestGroup.await(() -> makeOthers().stream().anyMatch(this::isOfRecord));
    }

    @Test
    void leavesWhatAnotherNodeOwns() {
        StoreNode other = group.node(1);
        MadeRemoval removal = new MadeRemoval(other.names(), other.chunks(), other.nodeId());

        assertThat(removal.remove(record)).isEqualTo(Removal.LATER);
        assertThat(existing()).isEqualTo(COUNT);
        assertThat(records()).containsExactly(record);
    }

    /** A superpeer that is late tells that the record is there, and whose it was. */
    @Test
    void believesNoSuperpeerThatIsLate() {
        AtomicInteger late = new AtomicInteger();
        long[] claim = new long[1];
        NameService names =
                new ForwardingNames(names()) {
                    @Override
                    public boolean compareAndSet(String name, long expected, long id) {
                        claim[0] = id;
                        return super.compareAndSet(name, expected, id);
                    }

                    @Override
                    public long lookup(String name) {
                        late.incrementAndGet();
                        return claim[0];
                    }
                };
        MadeRemoval removal = removal(names, chunks());
        assertThat(removal.remove(record)).isEqualTo(Removal.DONE);
        List<Long> others = makeOthers();

        assertThat(removal.remove(record)).isEqualTo(Removal.DONE);

        assertThat(late).hasValue(1);
        assertThat(others).anyMatch(this::isOfRecord).allMatch(chunks()::exists);
    }

    // private

    private ChunkService chunks() {
        return group.node(OWNER).chunks().with(Durability.PROCESS);
    }

    private NameService names() {
        return group.node(OWNER).names();
    }

    private MadeRemoval removal(NameService names, ChunkService chunks) {
        return new MadeRemoval(names, chunks, group.nodeId(OWNER));
    }

    private List<MadeRecord> records() {
        return new MadeRecords(group.node(-1).names()).list(JOB, Kind.CHECKPOINT);
    }

    private long existing() {
        ChunkService user = group.node(1).chunks();
        long first = record.ranges().getFirst().first();
        return LongStream.range(first, first + COUNT).filter(user::exists).count();
    }

    private boolean isOfRecord(long id) {
        long first = record.ranges().getFirst().first();
        return id >= first && id < first + COUNT;
    }

    private List<Long> makeOthers() {
        ChunkService near = chunks().near(record.ranges().getFirst().first());
        return LongStream.range(0, 50).map(_ -> near.createRange(10, 8)).boxed().toList();
    }

    private void killOwner() {
        long first = record.ranges().getFirst().first();
        int before = group.kill(OWNER);
        ChunkService user = group.node(1).chunks();
        TestGroup.await(() -> user.owner(first) >= 0 && user.owner(first) != before);
    }

    private void removeAsMaster() {
        TestGroup.await(() -> {
            group.orphans(TERM).removeCheckpoints(_ -> true);
            return records().isEmpty();
        });
    }

    private static ChunkService withholdingNothing(ChunkService chunks) {
        return with(
                chunks,
                (method, _) -> method.equals("withhold") ? new WithheldIds(() -> {}) : null);
    }

    /** Something that happens before a call, and takes its place if it gives an answer. */
    private interface Before {
        @Nullable Object call(String method, Object[] arguments);
    }

    private static ChunkService with(ChunkService chunks, Before before) {
        return (ChunkService)
                Proxy.newProxyInstance(
                        ChunkService.class.getClassLoader(),
                        new Class<?>[] {ChunkService.class},
                        (_, method, arguments) -> {
                            Object answer = before.call(method.getName(), arguments);
                            if (answer != null) {
                                return answer;
                            }
                            try {
                                return method.invoke(chunks, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }

    /** What answer of the directory is lost, the first time that it is asked for a name. */
    enum Loss {
        CLAIM(true, true),
        CLAIM_REFUSED(true, false),
        DROP(false, true),
        DROP_REFUSED(false, false);

        private final boolean ofClaim;
        private final boolean isDone;

        Loss(boolean ofClaim, boolean isDone) {
            this.ofClaim = ofClaim;
            this.isDone = isDone;
        }

        private NameService of(NameService names) {
            Set<String> lost = ConcurrentHashMap.newKeySet();
            return new ForwardingNames(names) {
                @Override
                public boolean compareAndSet(String name, long expected, long id) {
                    boolean loses = ofClaim && lost.add(name);
                    return loses
                            ? lose(() -> super.compareAndSet(name, expected, id))
                            : super.compareAndSet(name, expected, id);
                }

                @Override
                public boolean remove(String name) {
                    boolean loses = !ofClaim && lost.add(name);
                    return loses ? lose(() -> super.remove(name)) : super.remove(name);
                }
            };
        }

        private boolean lose(BooleanSupplier change) {
            if (isDone) {
                boolean done = change.getAsBoolean();
                assertThat(done).isTrue();
            }
            throw new IndeterminateException("the superpeer does not answer", null);
        }
    }
}
