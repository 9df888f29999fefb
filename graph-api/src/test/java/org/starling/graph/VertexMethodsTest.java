package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What takes a vertex does what the method that takes its ordinal does. */
@Timeout(10)
class VertexMethodsTest {

    private static final Vertex SEVEN = new FakeVertex(7);
    private static final Vertex EIGHT = new FakeVertex(8);

    @Test
    void intStatesAreReadAndSetByOrdinal() {
        IntColumn column = new IntColumn();
        IntState state = column;

        state.set(SEVEN, 5);
        state.set(8L, 6);

        assertThat(column.values).isEqualTo(Map.of(7L, 5, 8L, 6));
        assertThat(state.get(SEVEN)).isEqualTo(5);
        assertThat(state.get(EIGHT)).isEqualTo(6);
    }

    @Test
    void intChannelsSendAndReceiveByOrdinal() {
        IntInbox inbox = new IntInbox();
        IntChannel channel = inbox;

        channel.broadcast(SEVEN, 5);
        channel.send(8, 6);

        assertThat(inbox.broadcasts).containsExactly("7: " + 5);
        assertThat(channel.hasReceived(EIGHT)).isTrue();
        assertThat(channel.received(EIGHT)).isEqualTo(6);
        assertThat(channel.hasReceived(SEVEN)).isFalse();
        assertThat(channel.received(SEVEN)).isEqualTo(-1);
    }

    @Test
    void longStatesAreReadAndSetByOrdinal() {
        LongColumn column = new LongColumn();
        LongState state = column;

        state.set(SEVEN, 5);
        state.set(8L, 6);

        assertThat(column.values).isEqualTo(Map.of(7L, 5L, 8L, 6L));
        assertThat(state.get(SEVEN)).isEqualTo(5);
        assertThat(state.get(EIGHT)).isEqualTo(6);
    }

    @Test
    void longChannelsSendAndReceiveByOrdinal() {
        LongInbox inbox = new LongInbox();
        LongChannel channel = inbox;

        channel.broadcast(SEVEN, 5);
        channel.send(8, 6);

        assertThat(inbox.broadcasts).containsExactly("7: " + 5L);
        assertThat(channel.hasReceived(EIGHT)).isTrue();
        assertThat(channel.received(EIGHT)).isEqualTo(6);
        assertThat(channel.hasReceived(SEVEN)).isFalse();
        assertThat(channel.received(SEVEN)).isEqualTo(-1);
    }

    @Test
    void floatStatesAreReadAndSetByOrdinal() {
        FloatColumn column = new FloatColumn();
        FloatState state = column;

        state.set(SEVEN, 5);
        state.set(8L, 6);

        assertThat(column.values).isEqualTo(Map.of(7L, 5f, 8L, 6f));
        assertThat(state.get(SEVEN)).isEqualTo(5);
        assertThat(state.get(EIGHT)).isEqualTo(6);
    }

    @Test
    void floatChannelsSendAndReceiveByOrdinal() {
        FloatInbox inbox = new FloatInbox();
        FloatChannel channel = inbox;

        channel.broadcast(SEVEN, 5);
        channel.send(8, 6);

        assertThat(inbox.broadcasts).containsExactly("7: " + 5f);
        assertThat(channel.hasReceived(EIGHT)).isTrue();
        assertThat(channel.received(EIGHT)).isEqualTo(6);
        assertThat(channel.hasReceived(SEVEN)).isFalse();
        assertThat(channel.received(SEVEN)).isEqualTo(-1);
    }

    @Test
    void doubleStatesAreReadAndSetByOrdinal() {
        DoubleColumn column = new DoubleColumn();
        DoubleState state = column;

        state.set(SEVEN, 5);
        state.set(8L, 6);

        assertThat(column.values).isEqualTo(Map.of(7L, 5d, 8L, 6d));
        assertThat(state.get(SEVEN)).isEqualTo(5);
        assertThat(state.get(EIGHT)).isEqualTo(6);
    }

    @Test
    void doubleChannelsSendAndReceiveByOrdinal() {
        DoubleInbox inbox = new DoubleInbox();
        DoubleChannel channel = inbox;

        channel.broadcast(SEVEN, 5);
        channel.send(8, 6);

        assertThat(inbox.broadcasts).containsExactly("7: " + 5d);
        assertThat(channel.hasReceived(EIGHT)).isTrue();
        assertThat(channel.received(EIGHT)).isEqualTo(6);
        assertThat(channel.hasReceived(SEVEN)).isFalse();
        assertThat(channel.received(SEVEN)).isEqualTo(-1);
    }

    /** A column in a map. */
    private static final class IntColumn implements IntState {
        private final Map<Long, Integer> values = new HashMap<>();

        @Override
        public int get(long ordinal) {
            return values.getOrDefault(ordinal, -1);
        }

        @Override
        public void set(long ordinal, int value) {
            values.put(ordinal, value);
        }
    }

    /** A channel that delivers at once; without a message it answers -1. */
    private static final class IntInbox implements IntChannel {
        private final Map<Long, Integer> messages = new HashMap<>();
        private final List<String> broadcasts = new ArrayList<>();

        @Override
        public void send(long target, int value) {
            messages.put(target, value);
        }

        @Override
        public void broadcast(long ordinal, int value) {
            broadcasts.add(ordinal + ": " + value);
        }

        @Override
        public int received(long ordinal) {
            return messages.getOrDefault(ordinal, -1);
        }

        @Override
        public boolean hasReceived(long ordinal) {
            return messages.containsKey(ordinal);
        }

        @Override
        public long nextReceiver(long from) {
            return messages.keySet().stream().filter(v -> v >= from).min(Long::compare).orElse(-1L);
        }
    }

    /** A column in a map. */
    private static final class LongColumn implements LongState {
        private final Map<Long, Long> values = new HashMap<>();

        @Override
        public long get(long ordinal) {
            return values.getOrDefault(ordinal, -1L);
        }

        @Override
        public void set(long ordinal, long value) {
            values.put(ordinal, value);
        }
    }

    /** A channel that delivers at once; without a message it answers -1. */
    private static final class LongInbox implements LongChannel {
        private final Map<Long, Long> messages = new HashMap<>();
        private final List<String> broadcasts = new ArrayList<>();

        @Override
        public void send(long target, long value) {
            messages.put(target, value);
        }

        @Override
        public void broadcast(long ordinal, long value) {
            broadcasts.add(ordinal + ": " + value);
        }

        @Override
        public long received(long ordinal) {
            return messages.getOrDefault(ordinal, -1L);
        }

        @Override
        public boolean hasReceived(long ordinal) {
            return messages.containsKey(ordinal);
        }

        @Override
        public long nextReceiver(long from) {
            return messages.keySet().stream().filter(v -> v >= from).min(Long::compare).orElse(-1L);
        }
    }

    /** A column in a map. */
    private static final class FloatColumn implements FloatState {
        private final Map<Long, Float> values = new HashMap<>();

        @Override
        public float get(long ordinal) {
            return values.getOrDefault(ordinal, -1f);
        }

        @Override
        public void set(long ordinal, float value) {
            values.put(ordinal, value);
        }
    }

    /** A channel that delivers at once; without a message it answers -1. */
    private static final class FloatInbox implements FloatChannel {
        private final Map<Long, Float> messages = new HashMap<>();
        private final List<String> broadcasts = new ArrayList<>();

        @Override
        public void send(long target, float value) {
            messages.put(target, value);
        }

        @Override
        public void broadcast(long ordinal, float value) {
            broadcasts.add(ordinal + ": " + value);
        }

        @Override
        public float received(long ordinal) {
            return messages.getOrDefault(ordinal, -1f);
        }

        @Override
        public boolean hasReceived(long ordinal) {
            return messages.containsKey(ordinal);
        }

        @Override
        public long nextReceiver(long from) {
            return messages.keySet().stream().filter(v -> v >= from).min(Long::compare).orElse(-1L);
        }
    }

    /** A column in a map. */
    private static final class DoubleColumn implements DoubleState {
        private final Map<Long, Double> values = new HashMap<>();

        @Override
        public double get(long ordinal) {
            return values.getOrDefault(ordinal, -1d);
        }

        @Override
        public void set(long ordinal, double value) {
            values.put(ordinal, value);
        }
    }

    /** A channel that delivers at once; without a message it answers -1. */
    private static final class DoubleInbox implements DoubleChannel {
        private final Map<Long, Double> messages = new HashMap<>();
        private final List<String> broadcasts = new ArrayList<>();

        @Override
        public void send(long target, double value) {
            messages.put(target, value);
        }

        @Override
        public void broadcast(long ordinal, double value) {
            broadcasts.add(ordinal + ": " + value);
        }

        @Override
        public double received(long ordinal) {
            return messages.getOrDefault(ordinal, -1d);
        }

        @Override
        public boolean hasReceived(long ordinal) {
            return messages.containsKey(ordinal);
        }

        @Override
        public long nextReceiver(long from) {
            return messages.keySet().stream().filter(v -> v >= from).min(Long::compare).orElse(-1L);
        }
    }
}
