package org.starling.compute.internal.protocol;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.StateType;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RemoteException;

/**
 * Messages by which a master leads slaves through a run: it is prepared, does its supersteps, and
 * ends. Part of {@link ComputeMessage}'s list; ids 3017 to 3023.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface RunMessage extends ComputeMessage {
    /** A step of a run. */
    non-sealed interface RunCommand<R extends RecordMessage> extends RunMessage, Command<R> {
        /** Number of the run. */
        long run();

        @Override
        default long term() {
            return Attempt.term(run());
        }
    }

    /**
     * Get ready to run a program.
     *
     * @param run number of the run
     * @param graph name of the graph
     * @param program name of the program
     * @param parameters its parameters, JSON
     * @param outputs output files by name, JSON
     * @param slaves nodes of all slaves
     * @param recordBytes memory that messages which are not combined may take
     * @param jars digests of the job's jars
     */
    @TypeId(3017)
    record PrepareRun(
            long run,
            String graph,
            String program,
            String parameters,
            String outputs,
            int[] slaves,
            long recordBytes,
            List<String> jars)
            implements RunCommand<PrepareReport> {}

    /**
     * Ready.
     *
     * @param startAt ids that the program wants to start at; empty for all
     * @param startsHere how many of them are here
     */
    @TypeId(3018)
    record PrepareReport(long[] startAt, int startsHere) implements RunMessage {}

    /**
     * Do a superstep.
     *
     * @param run number of the run
     * @param superstep its number
     * @param deliverOnly whether what was broadcast is to be delivered, and nothing else done
     * @param activateAll whether all vertices compute
     * @param directions of each channel
     * @param mirrors whether mirrors have news
     * @param expected records that must have come for it from sends of the superstep before
     * @param aggregates bits of the last superstep's aggregates
     * @param globals bits of the globals
     */
    @TypeId(3019)
    record Superstep(
            long run,
            int superstep,
            boolean deliverOnly,
            boolean activateAll,
            Direction[] directions,
            boolean mirrors,
            long expected,
            long[] aggregates,
            long[] globals)
            implements RunCommand<SuperstepReport> {}

    /**
     * Why a run has failed.
     *
     * @param kind how it ends the job
     * @param text what went wrong, for people
     */
    record Failure(FailureKind kind, String text) {
        private static final char MARK = '\u0001';

        /** As a text in which {@link #told} finds it again, whatever others put before it. */
        public String marked() {
            return "" + MARK + kind.name() + MARK + text;
        }

        /** What another slave that was asked has told; empty if it was none, or told nothing. */
        public static Optional<Failure> told(Throwable thrown) {
            return thrown instanceof RemoteException ? told(thrown.getMessage()) : Optional.empty();
        }

        /** What a text tells; empty if no kind is marked in it. */
        public static Optional<Failure> told(@Nullable String text) {
            int start = text == null ? -1 : text.indexOf(MARK);
            int end = text == null ? -1 : text.indexOf(MARK, start + 1);
            return text == null || start < 0 || end < 0
                    ? Optional.empty()
                    : Optional.of(
                            new Failure(
                                    FailureKind.valueOf(text.substring(start + 1, end)),
                                    text.substring(end + 1)));
        }
    }

    /**
     * What happened in a superstep.
     *
     * @param failure what went wrong first
     * @param computed vertices that computed
     * @param sent direct messages, also to own vertices
     * @param sentTo records sent to each slave for the next superstep
     * @param broadcasts broadcasters of each channel
     * @param broadcastEdges edges of the broadcasters of each channel
     * @param published values published in mirrors
     * @param settledEdges edges of vertices that settled, so far
     * @param bytes bytes of blocks for other slaves
     * @param slowestShard the shard that took longest
     * @param slowestNanos how long it took; -1 without shards
     * @param shards own shards
     * @param partials for each own shard the bits of each aggregate
     * @param changes of the topology that the program has asked for
     */
    @TypeId(3020)
    record SuperstepReport(
            Optional<Failure> failure,
            long computed,
            long sent,
            long[] sentTo,
            long[] broadcasts,
            long[] broadcastEdges,
            long published,
            long settledEdges,
            long bytes,
            int slowestShard,
            long slowestNanos,
            int[] shards,
            long[] partials,
            long changes)
            implements RunMessage {}

    /**
     * Bring a column of another graph over, by ids: a state of a run that is about to be prepared.
     *
     * @param run number of the run
     * @param graph name of the run's graph
     * @param from name of the other graph
     * @param column the column there
     * @param state name of the state
     * @param valueType its type
     * @param otherwise bits of what vertices get that the other graph does not have
     * @param slaves nodes of all slaves
     */
    @TypeId(3143)
    record JoinColumn(
            long run,
            String graph,
            String from,
            String column,
            String state,
            StateType valueType,
            long otherwise,
            int[] slaves)
            implements RunCommand<Done> {}

    /**
     * Values of those of some vertices that are here.
     *
     * @param run number of the run that wants them
     * @param graph name of the graph
     * @param column a column of it
     * @param ids the vertices, ascending as unsigned numbers
     */
    @TypeId(3144)
    record FindValues(long run, String graph, String column, long[] ids)
            implements RunCommand<ValuesFound> {}

    /**
     * Values of vertices.
     *
     * @param found a bit for each id that was asked for, the lowest first: whether it is here
     * @param values of those that are, in their order
     */
    @TypeId(3145)
    record ValuesFound(long[] found, byte[] values) implements RunMessage {}

    /**
     * Work no more in a run that will be ended, and wait for nobody; what is under way answers.
     *
     * @param run number of the run
     */
    @TypeId(3023)
    record StopRun(long run) implements RunCommand<Done> {}

    /**
     * Forget a run, keep its states.
     *
     * @param run number of the run
     * @param succeeded whether outputs are wanted
     */
    @TypeId(3021)
    record EndRun(long run, boolean succeeded) implements RunCommand<EndReport> {}

    /**
     * What is left of a run.
     *
     * @param histograms for each histogram its length and its counts
     * @param takenBytes native memory that the run had taken on this slave
     */
    @TypeId(3022)
    record EndReport(long[] histograms, long takenBytes) implements RunMessage {}
}
