package org.starling.compute;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.stream.LongStream;
import org.starling.graph.Declaration;
import org.starling.graph.EdgeCursor;
import org.starling.graph.LongState;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Some vertices speak once, in superstep 0, and everybody who hears something writes it down: the
 * program, and what it must leave.
 *
 * @param type of the channel
 * @param rule how messages are combined
 * @param way how a speaker tells its neighbours
 * @param every an id that leaves {@code rest} when divided by it speaks
 * @param rest see {@code every}
 */
record Whisper(AnyChannel.Type type, AnyChannel.Rule rule, Way way, int every, int rest) {
    /** Name of the state. */
    static final String HEARD = "heard";

    private static final long SILENCE = -777_777;

    /** How a vertex tells its neighbours. */
    enum Way {
        SEND,
        BROADCAST
    }

    VertexProgram program() {
        return new Hearing(this);
    }

    /** Whether the vertex of an id speaks. */
    boolean speaks(long id) {
        return id % every == rest;
    }

    /** Checks what a vertex heard of all whose edges lead to it. */
    void check(long hearer, Collection<Long> senders, long heard) {
        long[] said = senders.stream().filter(this::speaks).mapToLong(Whisper::word).toArray();
        if (said.length == 0) {
            assertThat(heard).as("%s at %d", this, hearer).isEqualTo(SILENCE);
        } else if (rule == AnyChannel.Rule.ANY) {
            assertThat(said).as("%s at %d", this, hearer).contains(heard);
        } else {
            long all = LongStream.of(said).reduce(rule.model).orElseThrow();
            assertThat(heard).as("%s at %d", this, hearer).isEqualTo(all);
        }
    }

    private static long word(long id) {
        return (id * 37 + 11) % 1_000 - 500;
    }

    private static final class Hearing implements VertexProgram {
        private final Whisper whisper;
        private AnyChannel channel;
        private LongState heard;

        private Hearing(Whisper whisper) {
            this.whisper = whisper;
        }

        @Override
        public void declare(Declaration graph) {
            channel = AnyChannel.declare(graph, "whisper", whisper.type, whisper.rule);
            heard = graph.longState(HEARD, SILENCE);
        }

        @Override
        public void start(Vertex v) {
            long nothing = AnyChannel.identity(whisper.type, whisper.rule);
            if (channel.hasReceived(v) || channel.received(v) != nothing) {
                throw new IllegalStateException("received something before anything was sent");
            }
            if (!whisper.speaks(v.id())) {
                return;
            }
            if (whisper.way == Way.BROADCAST) {
                channel.broadcast(v, 123);
                channel.broadcast(v, word(v.id()));
            } else {
                for (EdgeCursor edge = v.edges(); edge.next(); ) {
                    channel.send(edge.target(), word(v.id()));
                }
            }
        }

        @Override
        public void compute(Vertex v) {
            if (!channel.hasReceived(v) || v.superstep() != 1) {
                throw new IllegalStateException("woken without a message");
            }
            heard.set(v, channel.received(v));
        }
    }
}
