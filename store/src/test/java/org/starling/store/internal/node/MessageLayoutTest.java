package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.NetStatistics;
import org.starling.net.RecordMessage;
import org.starling.net.Request;
import org.starling.store.AbsentSuperpeer;
import org.starling.store.ChunkId;
import org.starling.store.ClusterStatus;
import org.starling.store.Durability;
import org.starling.store.Exposure;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;
import org.starling.store.NodeInfo;
import org.starling.store.NodeLoss;
import org.starling.store.Place;
import org.starling.store.Recoveries;
import org.starling.store.Role;
import org.starling.store.StoreStatistics;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.SuperpeerInfo;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.directory.ZoneSources;
import org.starling.store.internal.node.NodeMessage.LeaderAndMaster;
import org.starling.store.internal.node.NodeMessage.Standing;

/** Every message of the store: there and back, cut, and with forged numbers. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class MessageLayoutTest {
    private static final long SEED = Long.getLong("starling.seed", 61L);

    private static final List<SuperpeerInfo> SUPERPEERS =
            List.of(
                    new SuperpeerInfo(0, "", 0, SuperpeerInfo.State.VOTING),
                    new SuperpeerInfo(7, "höst", 65_535, SuperpeerInfo.State.JOINING));
    private static final View VIEW =
            new View(
                    9,
                    List.of(
                            new NodeInfo(0, Role.SUPERPEER, "", 0, 1, 0),
                            new NodeInfo(
                                    65_023,
                                    Role.PEER,
                                    "ö".repeat(255),
                                    65_535,
                                    64,
                                    -1,
                                    0,
                                    new Place("größe/h"))),
                    SUPERPEERS);
    private static final ZoneInfo ZONE =
            new ZoneInfo(1L << 30, 3, 9, List.of(4, 5), true, true, List.of(6), true);
    private static final ZoneSources SOURCES =
            new ZoneSources(List.of(1, 2), true, true, List.of(3), List.of(65_023));
    private static final JobInfo JOB = new JobInfo(3, "jöb", JobStatus.RUNNING, 2, true);
    private static final Recoveries RECOVERIES =
            new Recoveries(
                    2,
                    1L << 40,
                    3,
                    4,
                    List.of(
                            new NodeLoss(
                                    5,
                                    "höst:1",
                                    "größe",
                                    6,
                                    -1,
                                    7,
                                    8,
                                    9,
                                    10,
                                    11,
                                    List.of(new NodeLoss.Share(12, 13, 14, 15)))));
    private static final LeaderAndMaster HEADLINE = new LeaderAndMaster(1, -1, 4, Long.MIN_VALUE);

    private static final StoreStatistics CHUNKS = new StoreStatistics(1, 2, 3, 4, 5, 6);

    private static final NetStatistics STATISTICS =
            new NetStatistics(
                    List.of(
                            new NetStatistics.Connection(1, 2, 3, 4, 5, 6, 7, 8, 9),
                            new NetStatistics.Connection(65_535, 1L << 40, -1, 0, 0, 0, 0, 0, 0)),
                    11,
                    12,
                    13,
                    2,
                    14,
                    1,
                    15,
                    16,
                    17,
                    new NetStatistics.RoundTrips(18, 1.5, 2.5, 3.5, 4.5),
                    new NetStatistics.Queues(21, 22, 23, 24, 25, 26));

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
                            Durability.POWER,
                            77,
                            new long[] {4, 5},
                            new int[] {0, 9},
                            new byte[][] {{}, {1, 2, 3}}),
                    new ChunkMessage.Remove(Durability.PROCESS, 0, new long[] {-1}, new int[0]),
                    new ChunkMessage.Resize(Durability.MEMORY, 8, 7, Integer.MIN_VALUE),
                    new ChunkMessage.Create(Durability.MEMORY, new int[] {0, -1, 1 << 30}),
                    new ChunkMessage.RemoveRange(Durability.MEMORY, -1, 1L << 50, 12),
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
                    new NodeMessage.Joined(5, -1, 3, 4, true, "no", 8, 2, SUPERPEERS),
                    new NodeMessage.Heartbeat(
                            Long.MAX_VALUE, "höst", 65_535, 65_535, Long.MAX_VALUE),
                    new NodeMessage.HeartbeatReply(Standing.MEMBER, 800, HEADLINE, VIEW),
                    NodeMessage.HeartbeatReply.ofFollower(-1, SUPERPEERS),
                    new NodeMessage.Ping(),
                    new NodeMessage.Pong(),
                    new NodeMessage.Members(HEADLINE, VIEW),
                    new NodeMessage.Members(HEADLINE, View.EMPTY),
                    ask(new DirectoryQuery.Apply(new byte[300])),
                    ask(new DirectoryQuery.Lookup("𝄞".repeat(63))),
                    ask(new DirectoryQuery.ListNames("")),
                    ask(new DirectoryQuery.ZoneOf(5)),
                    ask(new DirectoryQuery.ZonesOf(7)),
                    ask(new DirectoryQuery.ChooseBackup(-1, List.of(4, 0))),
                    ask(new DirectoryQuery.Jobs()),
                    ask(new DirectoryQuery.JobOf(9)),
                    ask(new DirectoryQuery.Status()),
                    ask(new DirectoryQuery.Grants()),
                    ask(new DirectoryQuery.RecoveriesOf()),
                    ask(new DirectoryQuery.DroppedOf(new long[] {1, -1})),
                    new NodeMessage.Answer(2, null),
                    answer(new DirectoryReply.Applied(new Result.Refused("warum nicht?"))),
                    answer(new DirectoryReply.Applied(new Result.Zone(ZONE, true))),
                    answer(new DirectoryReply.LookedUp(ChunkId.NONE)),
                    answer(new DirectoryReply.Names(new String[] {"a", "ß"}, new long[] {1, -1})),
                    answer(new DirectoryReply.Zones(List.of(ZONE, ZONE))),
                    answer(new DirectoryReply.Chosen(-1)),
                    answer(new DirectoryReply.NoMember(7)),
                    answer(new DirectoryReply.Dropped(new long[] {7, Long.MIN_VALUE})),
                    answer(new DirectoryReply.JobList(List.of(JOB))),
                    answer(new DirectoryReply.JobIs(Optional.empty())),
                    answer(
                            new DirectoryReply.JobIs(
                                    Optional.of(
                                            new Job(
                                                    JOB,
                                                    1,
                                                    new byte[] {1},
                                                    new byte[2],
                                                    new byte[0])))),
                    answer(
                            new DirectoryReply.StatusIs(
                                    new ClusterStatus(
                                            0,
                                            VIEW.nodes(),
                                            List.of(new AbsentSuperpeer(7, "größe", 8, true)),
                                            1,
                                            2,
                                            3,
                                            4,
                                            5,
                                            6,
                                            List.of(new Exposure("größe", false, 7))))),
                    answer(
                            new DirectoryReply.GrantsAre(
                                    new String[] {"a", "ß"}, new byte[][] {{}, {1, -1}})),
                    answer(new DirectoryReply.RecoveriesAre(RECOVERIES)),
                    new NodeMessage.ZoneNews(List.of(ZONE)),
                    new NodeMessage.RecoverZone(5, 6, SOURCES),
                    new NodeMessage.Recovered("", 1, 2, 3, true, List.of(4)),
                    new NodeMessage.HandOver(65_023, Long.MAX_VALUE),
                    new NodeMessage.Gone("it stays", -1, 3L << 30),
                    new NodeMessage.AskNetwork(),
                    new NodeMessage.NetworkIs("ethernet with ß", STATISTICS, CHUNKS));

    @Test
    void refusesAHeartbeatWithLessThanNoFreeMemory() {
        assertThatThrownBy(() -> new NodeMessage.Heartbeat(0, "", 0, 0, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

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
        NodeMessage.Answer names =
                copy(answer(new DirectoryReply.Names(new String[] {"x"}, new long[] {6})));

        assertThat(put.durability()).isEqualTo(Durability.POWER);
        assertThat(put.ids()).containsExactly(4, 5);
        assertThat(put.values()[1]).containsExactly(1, 2, 3);
        assertThat(values.values()[0]).containsExactly(1, 2);
        assertThat(values.values()[1]).isNull();
        assertThat(values.values()[2]).isEmpty();
        assertThat(outcomes.value()).isEqualTo(-5);
        assertThat(outcomes.failures().getFirst())
                .isEqualTo(new ChunkMessage.Failure(0, Outcome.PINNED, "größe"));
        assertThat(put.sequence()).isEqualTo(77);
        assertThat(put.offsets()).containsExactly(0, 9);
        assertThat(((DirectoryReply.Names) Objects.requireNonNull(names.reply())).names())
                .containsExactly("x");
        assertThat(((DirectoryReply.Names) Objects.requireNonNull(names.reply())).ids())
                .containsExactly(6);
        for (Message equal :
                List.of(
                        new NodeMessage.Members(HEADLINE, VIEW),
                        new NodeMessage.Joined(5, -1, 3, 4, true, "no", 8, 2, SUPERPEERS),
                        new NodeMessage.HeartbeatReply(Standing.STRANGER, 800, HEADLINE, VIEW),
                        new NodeMessage.HeartbeatReply(Standing.REMOVED, 0, HEADLINE, null),
                        NodeMessage.HeartbeatReply.ofFollower(7, SUPERPEERS),
                        new NodeMessage.ZoneNews(List.of(ZONE)),
                        new NodeMessage.RecoverZone(5, 6, SOURCES),
                        new NodeMessage.Recovered("x", 1, 2, 3, true, List.of(4)),
                        new NodeMessage.NetworkIs("loopback", STATISTICS, CHUNKS),
                        answer(new DirectoryReply.JobList(List.of(JOB))),
                        answer(new DirectoryReply.RecoveriesAre(RECOVERIES)),
                        answer(
                                new DirectoryReply.StatusIs(
                                        new ClusterStatus(
                                                0,
                                                VIEW.nodes(),
                                                List.of(new AbsentSuperpeer(7, "größe", 8, true)),
                                                1,
                                                2,
                                                3,
                                                4,
                                                5,
                                                6,
                                                List.of(new Exposure("größe", false, 7))))))) {
            assertThat(copy(equal)).isEqualTo(equal);
        }
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
            assertMalformed(RecordMessage.type(ChunkMessage.Values.class).reader()::read, forged);
            assertMalformed(NodeMessage.ZONE_NEWS.reader()::read, forged);
            for (byte query = 1; query <= 3; query++) {
                byte[] asked = ByteBuffer.allocate(13).put(query).putInt(length).array();
                assertMalformed(NodeMessage.ASK.reader()::read, asked);
            }
            assertMalformed(
                    RecordMessage.type(ChunkMessage.Outcomes.class).reader()::read, behindLong);
            byte[] members = ByteBuffer.allocate(44).putInt(24 + 8, length).array();
            assertMalformed(NodeMessage.MEMBERS.reader()::read, members);
        }
    }

    @Test
    void refusesNumbersThatMeanNothing() {
        for (byte kind : new byte[] {0, 13, -1}) {
            assertMalformed(
                    NodeMessage.ASK.reader()::read, new byte[] {kind, 0, 0, 0, 0, 0, 0, 0, 0});
            assertMalformed(
                    RecordMessage.type(NodeMessage.Answer.class).reader()::read,
                    new byte[] {0, 0, 0, 0, 1, kind, 0, 0, 0, 0, 0, 0, 0, 0});
            assertMalformed(
                    RecordMessage.type(NodeMessage.HeartbeatReply.class).reader()::read,
                    new byte[] {kind == 0 ? 3 : kind});
        }
        assertMalformed(
                ChunkMessage.REMOVE.reader()::read,
                ByteBuffer.allocate(1 + 8 + 4 + 8 + 4 + 8)
                        .put((byte) 1)
                        .putLong(5)
                        .putInt(1)
                        .putLong(5)
                        .putInt(2)
                        .putInt(0)
                        .putInt(1)
                        .array());
        byte[] remove =
                write(new ChunkMessage.Remove(Durability.MEMORY, 0, new long[] {1}, new int[0]));
        for (byte durability : new byte[] {3, -1, Byte.MIN_VALUE}) {
            remove[0] = durability;
            assertMalformed(ChunkMessage.REMOVE.reader()::read, remove);
        }
        byte[] outcomes =
                write(
                        new ChunkMessage.Outcomes(
                                0, List.of(new ChunkMessage.Failure(0, Outcome.FAILED, ""))));
        for (byte outcome : new byte[] {8, -1}) {
            outcomes[Long.BYTES + 2 * Integer.BYTES] = outcome;
            assertMalformed(
                    RecordMessage.type(ChunkMessage.Outcomes.class).reader()::read, outcomes);
        }
        byte[] join = write(new NodeMessage.Join(1, "", 0, new byte[0]));
        for (int port : new int[] {-1, 65_536}) {
            ByteBuffer.wrap(join).putInt(Long.BYTES + Integer.BYTES, port);
            assertMalformed(NodeMessage.JOIN.reader()::read, join);
        }
    }

    @Test
    void refusesMembersThatCannotBe() {
        byte[] view =
                write(
                        new NodeMessage.Members(
                                HEADLINE, new View(1, List.of(VIEW.nodes().getFirst()))));
        int leaders = 2 * Integer.BYTES + 2 * Long.BYTES;
        int node = leaders + Long.BYTES + Integer.BYTES;
        byte[] id = view.clone();
        ByteBuffer.wrap(id).putInt(node, 65_535);
        byte[] role = view.clone();
        role[node + Integer.BYTES] = 2;
        byte[] cores = view.clone();
        ByteBuffer.wrap(cores).putInt(node + Integer.BYTES + 1 + 2 * Integer.BYTES, 0);

        for (byte[] forged : new byte[][] {id, role, cores}) {
            assertThatThrownBy(() -> NodeMessage.MEMBERS.reader().read(new WireBytes(forged)))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessageMatching("bad NodeInfo.*|unknown Role.*");
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
            ChunkMessage.Outcomes sent =
                    new ChunkMessage.Outcomes(
                            1, List.of(new ChunkMessage.Failure(0, outcome, "why")));

            assertThat(copy(sent)).isEqualTo(sent);

            RuntimeException failure = outcome.toException(5, 2, "why");
            assertThat(Outcome.of(failure)).isEqualTo(outcome);
        }
        assertThat(Outcome.of(new IllegalStateException("x"))).isEqualTo(Outcome.FAILED);
    }

    // what the tests share

    @FunctionalInterface
    private interface Read {
        Object read(WireBytes in);
    }

    private static NodeMessage.Ask ask(DirectoryQuery query) {
        return new NodeMessage.Ask(query);
    }

    private static NodeMessage.Answer answer(DirectoryReply reply) {
        return new NodeMessage.Answer(0, reply);
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
