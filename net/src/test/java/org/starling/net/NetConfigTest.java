package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.internal.Limits;

/** A configuration that makes no sense is refused where it is made, by the name of the field. */
@Timeout(10)
class NetConfigTest {

    private static final NetConfig DEFAULTS = NetConfig.defaults();
    private static final ClusterSecret SECRET = ClusterSecret.fresh();

    /** Each field, a value other than the default, and how to read it back. */
    @SuppressWarnings("ImmutableEnumChecker") // its functions hold nothing
    enum Change {
        CLUSTER(config -> config.withSecret(SECRET)),
        REQUEST(config -> config.withRequestTimeout(Duration.ofNanos(1))),
        WAITING(config -> config.withWaiting(Waiting.SLEEP)),
        SOCKETS(config -> config.withSocketBuffers(64 << 10, 32 << 10)),
        CONNECTIONS(config -> config.withMaxConnections(300));

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
                                Duration.ofNanos(1),
                                Waiting.SLEEP,
                                64 << 10,
                                32 << 10,
                                300));
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
        }
    }

    /** Else a ring could be blocked by one frame, or a cut frame never become whole. */
    @ParameterizedTest
    @ValueSource(ints = {4 << 10, 16 << 10, 1 << 20, 256 << 20})
    void fitsTwoFramesInARingAndInAReceiveBuffer(int ring) {
        for (int incoming : new int[] {4 << 10, 4104, 65_536 + 24, 256 << 20}) {
            TestLimits tuned =
                    TestLimits.defaults().withRingBytes(ring).withIncomingBufferBytes(incoming);
            int frame = tuned.limits().maxFrameBytes();

            assertThat(frame).isPositive();
            assertThat(frame % 8).isZero();
            assertThat(2L * frame).isLessThanOrEqualTo(ring);
            assertThat(2L * frame).isLessThanOrEqualTo(incoming);
        }
    }

    @Test
    void leavesTheRoomOfRingsToTheTransportButNotTheSizeOfFrames() {
        Limits own = TestLimits.defaults().withRingBytes(Limits.DEFAULT_RING_BYTES).limits();

        assertThat(Limits.DEFAULTS.ringBytes()).isZero();
        assertThat(Limits.DEFAULTS.maxFrameBytes()).isEqualTo(own.maxFrameBytes());
        assertThat(Transports.loopback(new LoopbackHub()).ringBytes())
                .isGreaterThan(Limits.DEFAULT_RING_BYTES);
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
