package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A configuration that makes no sense is refused where it is made, by the name of the field. */
@Timeout(10)
class NetConfigTest {

    private static final NetConfig DEFAULTS = NetConfig.defaults();
    private static final ClusterSecret SECRET = ClusterSecret.fresh();

    /** Each field, a value other than the default, and how to read it back. */
    @SuppressWarnings("ImmutableEnumChecker") // its functions hold nothing
    enum Change {
        CLUSTER(config -> config.withSecret(SECRET)),
        RING(config -> config.withRingBytes(8 << 10)),
        INCOMING(config -> config.withIncomingBufferBytes(8 << 10)),
        POOLED(config -> config.withPooledBuffers(3)),
        WINDOW(config -> config.withWindowBytes(12_345)),
        WORKERS(config -> config.withWorkers(1, 2)),
        REQUEST(config -> config.withRequestTimeout(Duration.ofNanos(1))),
        CONNECT(config -> config.withConnectTimeout(Duration.ofNanos(2))),
        SEND(config -> config.withSendTimeout(Duration.ofNanos(3))),
        WAITING(config -> config.withWaiting(Waiting.SLEEP)),
        MESSAGE(config -> config.withMaxMessageBytes(17)),
        PENDING(config -> config.withMaxPendingRequests(19)),
        CONNECTIONS(config -> config.withMaxConnections(23)),
        SOCKETS(config -> config.withSocketBuffers(64 << 10, 32 << 10));

        private final UnaryOperator<NetConfig> with;

        Change(UnaryOperator<NetConfig> with) {
            this.with = with;
        }
    }

    @Test
    void changesOneFieldAndNoOther() {
        NetConfig changed = DEFAULTS;
        for (Change change : Change.values()) {
            changed = change.with.apply(changed);
        }

        assertThat(changed)
                .isEqualTo(
                        new NetConfig(
                                SECRET,
                                8 << 10,
                                8 << 10,
                                3,
                                12_345,
                                1,
                                2,
                                Duration.ofNanos(1),
                                Duration.ofNanos(2),
                                Duration.ofNanos(3),
                                Waiting.SLEEP,
                                17,
                                19,
                                23,
                                64 << 10,
                                32 << 10));
    }

    @ParameterizedTest
    @EnumSource
    void leavesTheConfigurationItStartsFromAlone(Change change) {
        NetConfig before = NetConfig.defaults();

        NetConfig changed = change.with.apply(DEFAULTS);

        assertThat(DEFAULTS).isEqualTo(before);
        assertThat(changed).isNotEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -4096, 1, 2048, 4095, 4097, 6144, 512 << 20})
    void refusesRingsThatAreNoPowerOfTwoWithinTheLimits(int bytes) {
        assertThatThrownBy(() -> DEFAULTS.withRingBytes(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ringBytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -8, 0, 4088, 4097, 4100, (256 << 20) + 8})
    void refusesReceiveBuffersThatAreNoMultipleOf8WithinTheLimits(int bytes) {
        assertThatThrownBy(() -> DEFAULTS.withIncomingBufferBytes(bytes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("incomingBufferBytes");
    }

    @Test
    void takesBuffersAtBothLimits() {
        for (int bytes : new int[] {NetConfig.MIN_BUFFER_BYTES, NetConfig.MAX_BUFFER_BYTES}) {
            assertThatCode(() -> DEFAULTS.withRingBytes(bytes).withIncomingBufferBytes(bytes))
                    .doesNotThrowAnyException();
        }
        assertThatCode(() -> DEFAULTS.withIncomingBufferBytes(4104)).doesNotThrowAnyException();
    }

    @Test
    void refusesCountsThatAreNotPositive() {
        for (int count : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> DEFAULTS.withPooledBuffers(count))
                    .hasMessageContaining("pooledBuffers");
            assertThatThrownBy(() -> DEFAULTS.withMaxPendingRequests(count))
                    .hasMessageContaining("maxPendingRequests");
            assertThatThrownBy(() -> DEFAULTS.withMaxConnections(count))
                    .hasMessageContaining("maxConnections");
            assertThatThrownBy(() -> DEFAULTS.withMaxMessageBytes(count))
                    .hasMessageContaining("maxMessageBytes");
            assertThatThrownBy(() -> DEFAULTS.withWorkers(count, 4))
                    .hasMessageContaining("workers");
        }
    }

    @Test
    void refusesWindowsSmallerThanTheSmallestRing() {
        assertThatThrownBy(() -> DEFAULTS.withWindowBytes(4095))
                .hasMessageContaining("windowBytes");
        assertThat(DEFAULTS.withWindowBytes(4096).windowBytes()).isEqualTo(4096);
    }

    @Test
    void boundsWorkersFromBelowAndAbove() {
        assertThatThrownBy(() -> DEFAULTS.withWorkers(4, 3)).hasMessageContaining("maxWorkers");
        assertThatThrownBy(() -> DEFAULTS.withWorkers(4, 32_768))
                .hasMessageContaining("maxWorkers");
        assertThat(DEFAULTS.withWorkers(4, 4).maxWorkers()).isEqualTo(4);
        assertThat(DEFAULTS.withWorkers(4, 32_767).maxWorkers()).isEqualTo(32_767);
    }

    @Test
    void boundsTheLargestMessage() {
        int limit = NetConfig.MAX_MESSAGE_LIMIT_BYTES;

        assertThat(DEFAULTS.withMaxMessageBytes(limit).maxMessageBytes()).isEqualTo(limit);
        assertThatThrownBy(() -> DEFAULTS.withMaxMessageBytes(limit + 1))
                .hasMessageContaining("maxMessageBytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1, 4095, (256 << 20) + 1})
    void refusesSocketBuffersOutsideTheLimits(int bytes) {
        assertThatThrownBy(() -> DEFAULTS.withSocketBuffers(bytes, 0))
                .hasMessageContaining("socketSendBytes");
        assertThatThrownBy(() -> DEFAULTS.withSocketBuffers(0, bytes))
                .hasMessageContaining("socketReceiveBytes");
        assertThat(DEFAULTS.withSocketBuffers(0, 4096).socketReceiveBytes()).isEqualTo(4096);
    }

    @Test
    void refusesTimeoutsThatAreNotPositive() {
        for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofNanos(-1)}) {
            assertThatThrownBy(() -> DEFAULTS.withRequestTimeout(timeout))
                    .hasMessageContaining("requestTimeout");
            assertThatThrownBy(() -> DEFAULTS.withConnectTimeout(timeout))
                    .hasMessageContaining("connectTimeout");
            assertThatThrownBy(() -> DEFAULTS.withSendTimeout(timeout))
                    .hasMessageContaining("sendTimeout");
        }
    }

    /** Else a ring could be blocked by one frame, or a cut frame never become whole. */
    @ParameterizedTest
    @ValueSource(ints = {4 << 10, 16 << 10, 1 << 20, 256 << 20})
    void fitsTwoFramesInARingAndInAReceiveBuffer(int ring) {
        for (int incoming : new int[] {4 << 10, 4104, 65_536 + 24, 256 << 20}) {
            NetConfig config = DEFAULTS.withRingBytes(ring).withIncomingBufferBytes(incoming);
            int frame = config.maxFrameBytes();

            assertThat(frame).isPositive();
            assertThat(frame % 8).isZero();
            assertThat(2L * frame).isLessThanOrEqualTo(ring);
            assertThat(2L * frame).isLessThanOrEqualTo(incoming);
        }
    }

    @Test
    void leavesTheRoomOfRingsToTheTransportButNotTheSizeOfFrames() {
        NetConfig own = DEFAULTS.withRingBytes(NetConfig.DEFAULT_RING_BYTES);

        assertThat(DEFAULTS.ringBytes()).isZero();
        assertThat(DEFAULTS.maxFrameBytes()).isEqualTo(own.maxFrameBytes());
        assertThat(Transports.loopback(new LoopbackHub()).ringBytes())
                .isGreaterThan(NetConfig.DEFAULT_RING_BYTES);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 32_768, Integer.MAX_VALUE})
    void refusesMessageTypesOutsideTheRange(int id) {
        assertThatThrownBy(() -> new MessageType<>(id, "bad", in -> new Text(0, "")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1..32767")
                .hasMessageContaining(Integer.toString(id));
    }

    @Test
    void namesMessageTypesForPeople() {
        assertThat(new MessageType<>(32_767, "last", in -> new Text(0, "")))
                .hasToString("last(32767)");
    }
}
