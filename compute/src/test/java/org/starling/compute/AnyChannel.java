package org.starling.compute;

import java.util.function.LongBinaryOperator;
import org.starling.graph.Declaration;
import org.starling.graph.DoubleChannel;
import org.starling.graph.DoubleCombiner;
import org.starling.graph.FloatChannel;
import org.starling.graph.FloatCombiner;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.Vertex;

/** A channel of any type for messages that are small integers. */
interface AnyChannel {
    void send(long target, long value);

    void broadcast(Vertex v, long value);

    long received(Vertex v);

    boolean hasReceived(Vertex v);

    /** Type of a channel. */
    enum Type {
        INT,
        LONG,
        FLOAT,
        DOUBLE
    }

    /** How messages are combined: the four that the engine knows, and one of the test's own. */
    enum Rule {
        MIN(Math::min),
        MAX(Math::max),
        SUM(Long::sum),
        ANY((_, right) -> right),
        /** The larger one, but odd numbers win over even ones. */
        OWN((left, right) -> {
            boolean leftOdd = (left & 1) != 0;
            boolean rightOdd = (right & 1) != 0;
            return leftOdd == rightOdd ? Math.max(left, right) : leftOdd ? left : right;
        });

        @SuppressWarnings("ImmutableEnumChecker") // these operators are
        final LongBinaryOperator model;

        Rule(LongBinaryOperator model) {
            this.model = model;
        }
    }

    /** Identity of {@link Rule#OWN}: even and smaller than every message. */
    int OWN_IDENTITY = -1_000_000;

    static AnyChannel declare(Declaration graph, String name, Type type, Rule rule) {
        return switch (type) {
            case INT -> new OfInt(graph.intChannel(name, intCombiner(rule)));
            case LONG -> new OfLong(graph.longChannel(name, longCombiner(rule)));
            case FLOAT -> new OfFloat(graph.floatChannel(name, floatCombiner(rule)));
            case DOUBLE -> new OfDouble(graph.doubleChannel(name, doubleCombiner(rule)));
        };
    }

    /** What a channel answers where nothing was received, as an integer. */
    static long identity(Type type, Rule rule) {
        return switch (type) {
            case INT -> intCombiner(rule).identity();
            case LONG -> longCombiner(rule).identity();
            case FLOAT -> (long) floatCombiner(rule).identity();
            case DOUBLE -> (long) doubleCombiner(rule).identity();
        };
    }

    private static IntCombiner intCombiner(Rule rule) {
        return rule == Rule.OWN ? new OwnInt() : IntCombiner.Standard.valueOf(rule.name());
    }

    private static LongCombiner longCombiner(Rule rule) {
        return rule == Rule.OWN ? new OwnLong() : LongCombiner.Standard.valueOf(rule.name());
    }

    private static FloatCombiner floatCombiner(Rule rule) {
        return rule == Rule.OWN ? new OwnFloat() : FloatCombiner.Standard.valueOf(rule.name());
    }

    private static DoubleCombiner doubleCombiner(Rule rule) {
        return rule == Rule.OWN ? new OwnDouble() : DoubleCombiner.Standard.valueOf(rule.name());
    }

    /** The test's own rule. */
    final class OwnInt implements IntCombiner {
        @Override
        public int combine(int left, int right) {
            return (int) Rule.OWN.model.applyAsLong(left, right);
        }

        @Override
        public int identity() {
            return OWN_IDENTITY;
        }
    }

    /** The test's own rule. */
    final class OwnLong implements LongCombiner {
        @Override
        public long combine(long left, long right) {
            return Rule.OWN.model.applyAsLong(left, right);
        }

        @Override
        public long identity() {
            return OWN_IDENTITY;
        }
    }

    /** The test's own rule. */
    final class OwnFloat implements FloatCombiner {
        @Override
        public float combine(float left, float right) {
            return (float) Rule.OWN.model.applyAsLong((long) left, (long) right);
        }

        @Override
        public float identity() {
            return OWN_IDENTITY;
        }
    }

    /** The test's own rule. */
    final class OwnDouble implements DoubleCombiner {
        @Override
        public double combine(double left, double right) {
            return (double) Rule.OWN.model.applyAsLong((long) left, (long) right);
        }

        @Override
        public double identity() {
            return OWN_IDENTITY;
        }
    }

    /** Over 32-bit integers. */
    record OfInt(IntChannel channel) implements AnyChannel {
        @Override
        public void send(long target, long value) {
            channel.send(target, (int) value);
        }

        @Override
        public void broadcast(Vertex v, long value) {
            channel.broadcast(v, (int) value);
        }

        @Override
        public long received(Vertex v) {
            return channel.received(v);
        }

        @Override
        public boolean hasReceived(Vertex v) {
            return channel.hasReceived(v);
        }
    }

    /** Over 64-bit integers. */
    record OfLong(LongChannel channel) implements AnyChannel {
        @Override
        public void send(long target, long value) {
            channel.send(target, value);
        }

        @Override
        public void broadcast(Vertex v, long value) {
            channel.broadcast(v, value);
        }

        @Override
        public long received(Vertex v) {
            return channel.received(v);
        }

        @Override
        public boolean hasReceived(Vertex v) {
            return channel.hasReceived(v);
        }
    }

    /** Over 32-bit floating point numbers. */
    record OfFloat(FloatChannel channel) implements AnyChannel {
        @Override
        public void send(long target, long value) {
            channel.send(target, (float) value);
        }

        @Override
        public void broadcast(Vertex v, long value) {
            channel.broadcast(v, (float) value);
        }

        @Override
        public long received(Vertex v) {
            return (long) channel.received(v);
        }

        @Override
        public boolean hasReceived(Vertex v) {
            return channel.hasReceived(v);
        }
    }

    /** Over 64-bit floating point numbers. */
    record OfDouble(DoubleChannel channel) implements AnyChannel {
        @Override
        public void send(long target, long value) {
            channel.send(target, (double) value);
        }

        @Override
        public void broadcast(Vertex v, long value) {
            channel.broadcast(v, (double) value);
        }

        @Override
        public long received(Vertex v) {
            return (long) channel.received(v);
        }

        @Override
        public boolean hasReceived(Vertex v) {
            return channel.hasReceived(v);
        }
    }
}
