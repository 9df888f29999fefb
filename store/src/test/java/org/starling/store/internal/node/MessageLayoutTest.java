package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.Request;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.internal.directory.RangeMap;
import org.starling.store.internal.directory.Result;

/** Every message of the store: there and back, cut, and with forged numbers. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class MessageLayoutTest {
    private static final long SEED = Long.getLong("starling.seed", 61L);

    private static final View VIEW =
            new View(
                    9,
                    List.of(
                            new NodeInfo(0, Role.SUPERPEER, "", 0, 1, 0),
                            new NodeInfo(65_023, Role.PEER, "ö".repeat(255), 65_535, 64, -1)));
    private static final RangeMap.Range RANGE =
            new RangeMap.Range(ChunkId.of(3, 0), ChunkId.of(3, ChunkId.MAX_LOCAL), 7);

    private static final List<Message> MESSAGES =
            List.of(
                    new ChunkMessage.Get(new long[] {1, ChunkId.NONE, Long.MIN_VALUE}),
                    new ChunkMessage.Get(new long[0]),
                    new ChunkMessage.Values(
                            new byte[] {
                                ChunkMessage.PRESENT,
                                ChunkMessage.ABSENT,
                                ChunkMessage.PRESENT,
                                ChunkMessage.ELSEWHERE,
                                ChunkMessage.TOO_LONG
                            },
                            new byte[][] {{1, 2}, null, {}, null, null}),
                    new ChunkMessage.Put(
                            Durability.POWER, new long[] {4, 5}, new byte[][] {{}, {1, 2, 3}}),
                    new ChunkMessage.Remove(Durability.PROCESS, new long[] {-1}),
                    new ChunkMessage.Resize(Durability.MEMORY, 7, Integer.MIN_VALUE),
                    new ChunkMessage.Create(Durability.MEMORY, new int[] {0, -1, 1 << 30}),
                    new ChunkMessage.RemoveRange(Durability.MEMORY, 1L << 50, 12),
                    new ChunkMessage.Outcomes(
                            -5,
                            List.of(
                                    new ChunkMessage.Failure(0, Outcome.PINNED, "größe"),
                                    new ChunkMessage.Failure(1 << 16, Outcome.FAILED, ""))),
                    new ChunkMessage.Outcomes(0, List.of()),
                    new ChunkMessage.Size(3),
                    new ChunkMessage.SizeIs(ChunkMessage.ABSENT, -1),
                    new ChunkMessage.ReadRange(2, 100),
                    new ChunkMessage.RangePart(
                            ChunkMessage.PRESENT, new int[] {1, -1, 2}, new byte[] {9, 8, 7}),
                    new NodeMessage.Join(-1, "höst", 65_535, new byte[] {1, 2}),
                    new NodeMessage.Joined(5, -1, "no"),
                    new NodeMessage.Heartbeat(Long.MAX_VALUE),
                    new NodeMessage.Pulse(true, VIEW, false),
                    new NodeMessage.Pulse(false, null, true),
                    new NodeMessage.Ping(),
                    new NodeMessage.Pong(),
                    new NodeMessage.Members(VIEW),
                    new NodeMessage.Members(new View(0, List.of())),
                    new NodeMessage.Moved(RANGE),
                    new NodeMessage.Apply(new byte[300]),
                    new NodeMessage.Applied(new Result.Done(true)),
                    new NodeMessage.Applied(new Result.Done(false)),
                    new NodeMessage.Applied(new Result.Refused("warum nicht?")),
                    new NodeMessage.Applied(new Result.NodeRegistered(12)),
                    new NodeMessage.Applied(new Result.BarrierCreated(1L << 40)),
                    new NodeMessage.Applied(new Result.Arrived(2, 3)),
                    new NodeMessage.Locate(-2),
                    new NodeMessage.Located(RANGE),
                    new NodeMessage.Lookup("𝄞".repeat(63)),
                    new NodeMessage.LookedUp(ChunkId.NONE),
                    new NodeMessage.ListNames(""),
                    new NodeMessage.Names(new String[] {"a", "ß"}, new long[] {1, -1}),
                    new NodeMessage.Names(new String[0], new long[0]));

    @Test
    void readsWhatItWroteOfEveryMessage() {
        for (Message message : MESSAGES) {
            byte[] bytes = write(message);
            WireBytes in = new WireBytes(bytes);

            Message again = message.type().reader().read(in);

            assertThat(again).as("%s", message.type()).hasSameClassAs(message);
            assertThat(in.remaining()).as("%s reads all", message.type()).isZero();
            assertThat(write(again)).as("%s", message.type()).isEqualTo(bytes);
        }
    }

    @Test
    void readsEveryFieldAndNotOnlyAsManyBytes() {
        ChunkMessage.Put put = copy((ChunkMessage.Put) MESSAGES.get(3));
        ChunkMessage.Values values = copy((ChunkMessage.Values) MESSAGES.get(2));
        ChunkMessage.Outcomes outcomes = copy((ChunkMessage.Outcomes) MESSAGES.get(8));
        NodeMessage.Names names = copy(new NodeMessage.Names(new String[] {"x"}, new long[] {6}));

        assertThat(put.durability()).isEqualTo(Durability.POWER);
        assertThat(put.ids()).containsExactly(4, 5);
        assertThat(put.values()[1]).containsExactly(1, 2, 3);
        assertThat(values.values()[0]).containsExactly(1, 2);
        assertThat(values.values()[1]).isNull();
        assertThat(values.values()[2]).isEmpty();
        assertThat(outcomes.value()).isEqualTo(-5);
        assertThat(outcomes.failures().getFirst())
                .isEqualTo(new ChunkMessage.Failure(0, Outcome.PINNED, "größe"));
        assertThat(names.names()).containsExactly("x");
        assertThat(names.ids()).containsExactly(6);
        assertThat(copy(new NodeMessage.Moved(RANGE))).isEqualTo(new NodeMessage.Moved(RANGE));
        assertThat(copy(new NodeMessage.Members(VIEW)).view()).isEqualTo(VIEW);
        assertThat(copy(new NodeMessage.Joined(5, -1, "no")))
                .isEqualTo(new NodeMessage.Joined(5, -1, "no"));
    }

    @Test
    void refusesEveryMessageThatIsCut() {
        for (Message message : MESSAGES) {
            byte[] bytes = write(message);
            for (int length = 0; length < bytes.length; length++) {
                WireBytes cut = new WireBytes(Arrays.copyOf(bytes, length));
                assertThatThrownBy(() -> message.type().reader().read(cut))
                        .as("%s, %d of %d bytes", message.type(), length, bytes.length)
                        .isInstanceOf(MalformedMessageException.class);
            }
        }
    }

    @Test
    void answersForgedBytesWithNothingButAMalformedMessage() {
        Random random = new Random(SEED);
        for (Message message : MESSAGES) {
            byte[] bytes = write(message);
            for (int i = 0; i < 300 && bytes.length > 0; i++) {
                byte[] forged = bytes.clone();
                for (int flips = random.nextInt(3); flips >= 0; flips--) {
                    forged[random.nextInt(forged.length)] = (byte) random.nextInt();
                }
                try {
                    assertThat(message.type().reader().read(new WireBytes(forged))).isNotNull();
                } catch (MalformedMessageException e) {
                    assertThat(e.getMessage()).as("seed %d", SEED).isNotBlank();
                }
            }
        }
    }

    @Test
    void refusesForgedLengthsBeforeItAllocates() {
        for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 28}) {
            byte[] forged = ByteBuffer.allocate(12).putInt(length).array();
            byte[] behindLong = ByteBuffer.allocate(20).putLong(0).putInt(length).array();
            assertMalformed(ChunkMessage.GET.reader()::read, forged);
            assertMalformed(ChunkMessage.VALUES.reader()::read, forged);
            assertMalformed(NodeMessage.APPLY.reader()::read, forged);
            assertMalformed(NodeMessage.LOOKUP.reader()::read, forged);
            assertMalformed(NodeMessage.NAMES.reader()::read, forged);
            assertMalformed(ChunkMessage.OUTCOMES.reader()::read, behindLong);
            assertMalformed(NodeMessage.MEMBERS.reader()::read, behindLong);
        }
    }

    @Test
    void refusesNumbersThatMeanNothing() {
        assertMalformed(NodeMessage.APPLIED.reader()::read, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0});
        assertMalformed(NodeMessage.APPLIED.reader()::read, new byte[] {6, 0, 0, 0, 0, 0, 0, 0, 0});
        byte[] remove = write(new ChunkMessage.Remove(Durability.MEMORY, new long[] {1}));
        for (byte durability : new byte[] {3, -1, Byte.MIN_VALUE}) {
            remove[0] = durability;
            assertMalformed(ChunkMessage.REMOVE.reader()::read, remove);
        }
        for (byte outcome : new byte[] {6, -1}) {
            assertMalformed(Outcome::read, new byte[] {outcome});
        }
        byte[] backwards = ByteBuffer.allocate(20).putLong(5).putLong(4).putInt(1).array();
        assertMalformed(NodeMessage.LOCATED.reader()::read, backwards);
        assertMalformed(NodeMessage.MOVED.reader()::read, backwards);
        assertMalformed(
                NodeMessage.JOIN.reader()::read,
                write(new NodeMessage.Join(1, "h", 65_536, new byte[0])));
        assertMalformed(
                NodeMessage.JOIN.reader()::read,
                write(new NodeMessage.Join(1, "h", -1, new byte[0])));
    }

    @Test
    void refusesMembersThatCannotBe() {
        byte[] view = write(new NodeMessage.Members(new View(1, List.of(VIEW.nodes().getFirst()))));
        int node = Long.BYTES + Integer.BYTES;
        byte[] id = view.clone();
        ByteBuffer.wrap(id).putInt(node, 65_535);
        byte[] role = view.clone();
        role[node + Integer.BYTES] = 2;
        byte[] cores = view.clone();
        ByteBuffer.wrap(cores).putInt(node + Integer.BYTES + 1 + 2 * Integer.BYTES, 0);

        for (byte[] forged : new byte[][] {id, role, cores}) {
            assertThatThrownBy(() -> NodeMessage.MEMBERS.reader().read(new WireBytes(forged)))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessageContaining("bad node");
        }
    }

    @Test
    void givesEachKindOfMessageItsOwnIdWithinTheStoresRange() {
        Set<Integer> ids = new HashSet<>();
        Set<Class<?>> kinds = new HashSet<>();
        for (Message message : MESSAGES) {
            ids.add(message.type().id());
            kinds.add(message.getClass());
            assertThat(message.type().id()).isBetween(1000, 1099);
            if (message instanceof Request<?> request) {
                assertThat(request.responseType().id()).isNotEqualTo(message.type().id());
            }
        }

        assertThat(ids).hasSameSizeAs(kinds);
        int permitted =
                ChunkMessage.class.getPermittedSubclasses().length
                        + NodeMessage.class.getPermittedSubclasses().length;
        assertThat(kinds).as("every message is tested here").hasSize(permitted);
    }

    @Test
    void carriesEveryOutcomeAndTurnsItIntoItsException() {
        for (Outcome outcome : Outcome.values()) {
            WireBytes out = new WireBytes();
            outcome.write(out);

            assertThat(Outcome.read(new WireBytes(out.written()))).isEqualTo(outcome);

            RuntimeException failure = outcome.toException(5, "why", Durability.POWER);
            Outcome expected = outcome == Outcome.NOT_OWNER ? Outcome.FAILED : outcome;
            assertThat(Outcome.of(failure)).isEqualTo(expected);
        }
        assertThat(Outcome.of(new IllegalStateException("x"))).isEqualTo(Outcome.FAILED);
    }

    // what the tests share

    @FunctionalInterface
    private interface Read {
        Object read(WireBytes in);
    }

    private static void assertMalformed(Read read, byte[] bytes) {
        assertThatThrownBy(() -> read.read(new WireBytes(bytes)))
                .isInstanceOf(MalformedMessageException.class);
    }

    private static byte[] write(Message message) {
        WireBytes out = new WireBytes();
        message.write(out);
        return out.written();
    }

    @SuppressWarnings("unchecked") // a type reads its own message
    private static <M extends Message> M copy(M message) {
        return (M) message.type().reader().read(new WireBytes(write(message)));
    }
}
