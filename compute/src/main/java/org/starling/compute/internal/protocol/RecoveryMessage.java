package org.starling.compute.internal.protocol;

import org.starling.compute.internal.protocol.RunMessage.RunCommand;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MessageType;

/**
 * Messages by which graphs find their owners, and work goes on after a loss. Part of {@link
 * ComputeMessage}'s list; ids 3015 and 3041 to 3050.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface RecoveryMessage extends ComputeMessage {
    /**
     * Here is a graph; one of that name that was there is let go.
     *
     * @param number number of this command
     * @param descriptorChunk chunk of its descriptor
     * @param build build it came from, which has its input degrees; 0 if none
     * @param owners node of each shard now
     */
    record Attach(long number, long descriptorChunk, long build, int[] owners)
            implements RecoveryMessage, Order {
        /** Type 3015. */
        public static final MessageType<Attach> TYPE =
                new MessageType<>(3015, "Attach", Attach::read);

        @Override
        public long term() {
            return Attempt.term(number);
        }

        @Override
        public MessageType<Attach> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(number);
            out.writeLong(descriptorChunk);
            out.writeLong(build);
            out.writeInts(owners);
        }

        private static Attach read(Importer in) {
            return new Attach(in.readLong(), in.readLong(), in.readLong(), in.readInts());
        }
    }

    /**
     * Let a graph go, with its states, but leave its chunks.
     *
     * @param term the master's term
     * @param graph its name
     */
    record Detach(long term, String graph) implements RecoveryMessage, Order {
        /** Type 3049. */
        public static final MessageType<Detach> TYPE =
                new MessageType<>(3049, "Detach", Detach::read);

        @Override
        public MessageType<Detach> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(term);
            out.writeString(graph);
        }

        private static Detach read(Importer in) {
            return new Detach(in.readLong(), in.readString());
        }
    }

    /**
     * A task begins.
     *
     * @param term the master's term
     * @param task its number
     */
    record BeginTask(long term, int task) implements RecoveryMessage, Order {
        /** Type 3041. */
        public static final MessageType<BeginTask> TYPE =
                new MessageType<>(3041, "BeginTask", BeginTask::read);

        @Override
        public MessageType<BeginTask> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(term);
            out.writeInt(task);
        }

        private static BeginTask read(Importer in) {
            return new BeginTask(in.readLong(), in.readInt());
        }
    }

    /**
     * Remove the chunks of a graph that this node owns.
     *
     * @param term the master's term
     * @param descriptorChunk chunk of its descriptor
     */
    record RemoveGraph(long term, long descriptorChunk) implements RecoveryMessage, Order {
        /** Type 3042. */
        public static final MessageType<RemoveGraph> TYPE =
                new MessageType<>(3042, "RemoveGraph", RemoveGraph::read);

        @Override
        public MessageType<RemoveGraph> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(term);
            out.writeLong(descriptorChunk);
        }

        private static RemoveGraph read(Importer in) {
            return new RemoveGraph(in.readLong(), in.readLong());
        }
    }

    /**
     * Write states of a graph into chunks with backups.
     *
     * @param checkpoint number of the checkpoint
     * @param graph name of the graph
     * @param states their names, one to a line
     */
    record SaveStates(long checkpoint, String graph, String states)
            implements RecoveryMessage, Command<Saved> {
        /** Type 3043. */
        public static final MessageType<SaveStates> TYPE =
                new MessageType<>(3043, "SaveStates", SaveStates::read);

        @Override
        public long term() {
            return Attempt.term(checkpoint);
        }

        @Override
        public MessageType<SaveStates> type() {
            return TYPE;
        }

        @Override
        public MessageType<Saved> responseType() {
            return Saved.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(checkpoint);
            out.writeString(graph);
            out.writeString(states);
        }

        private static SaveStates read(Importer in) {
            return new SaveStates(in.readLong(), in.readString(), in.readString());
        }
    }

    /**
     * Write what a run knows between two supersteps into chunks with backups.
     *
     * @param run number of the run
     * @param checkpoint number of the checkpoint
     * @param superstep the superstep to come
     * @param expected records that must have come for it from sends of the superstep before
     */
    record SaveRun(long run, long checkpoint, int superstep, long expected)
            implements RecoveryMessage, RunCommand<Saved> {
        /** Type 3044. */
        public static final MessageType<SaveRun> TYPE =
                new MessageType<>(3044, "SaveRun", SaveRun::read);

        @Override
        public MessageType<SaveRun> type() {
            return TYPE;
        }

        @Override
        public MessageType<Saved> responseType() {
            return Saved.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(run);
            out.writeLong(checkpoint);
            out.writeInt(superstep);
            out.writeLong(expected);
        }

        private static SaveRun read(Importer in) {
            return new SaveRun(in.readLong(), in.readLong(), in.readInt(), in.readLong());
        }
    }

    /**
     * Chunks of own shards.
     *
     * @param shards the shards
     * @param chunks first chunk of each; 0 if the shard is empty
     * @param histograms for each histogram of a run its length and its counts
     */
    record Saved(int[] shards, long[] chunks, long[] histograms) implements RecoveryMessage {
        /** Type 3045. */
        public static final MessageType<Saved> TYPE = new MessageType<>(3045, "Saved", Saved::read);

        @Override
        public MessageType<Saved> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeInts(shards);
            out.writeLongs(chunks);
            out.writeLongs(histograms);
        }

        private static Saved read(Importer in) {
            return new Saved(in.readInts(), in.readLongs(), in.readLongs());
        }
    }

    /**
     * Take states of a graph out of chunks.
     *
     * @param term the master's term
     * @param checkpoint number of the checkpoint that they came from
     * @param graph name of the graph
     * @param states their names, one to a line
     * @param types number of each state's type
     * @param chunks for each shard the chunk of the first state
     */
    record RestoreStates(
            long term, long checkpoint, String graph, String states, int[] types, long[] chunks)
            implements RecoveryMessage, Order {
        /** Type 3046. */
        public static final MessageType<RestoreStates> TYPE =
                new MessageType<>(3046, "RestoreStates", RestoreStates::read);

        @Override
        public MessageType<RestoreStates> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(term);
            out.writeLong(checkpoint);
            out.writeString(graph);
            out.writeString(states);
            out.writeInts(types);
            out.writeLongs(chunks);
        }

        private static RestoreStates read(Importer in) {
            return new RestoreStates(
                    in.readLong(),
                    in.readLong(),
                    in.readString(),
                    in.readString(),
                    in.readInts(),
                    in.readLongs());
        }
    }

    /**
     * Take a run's knowledge out of chunks; it has just been prepared.
     *
     * @param run number of the run
     * @param checkpoint number of the checkpoint that it came from
     * @param superstep the superstep to come
     * @param chunks chunk of each shard; 0 if it is empty
     */
    record RestoreRun(long run, long checkpoint, int superstep, long[] chunks)
            implements RecoveryMessage, RunCommand<Done>, Order {
        /** Type 3047. */
        public static final MessageType<RestoreRun> TYPE =
                new MessageType<>(3047, "RestoreRun", RestoreRun::read);

        @Override
        public MessageType<RestoreRun> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(run);
            out.writeLong(checkpoint);
            out.writeInt(superstep);
            out.writeLongs(chunks);
        }

        private static RestoreRun read(Importer in) {
            return new RestoreRun(in.readLong(), in.readLong(), in.readInt(), in.readLongs());
        }
    }

    /**
     * Remove the chunks of all checkpoints but these.
     *
     * @param term the master's term
     * @param checkpoints numbers of those that are needed
     */
    record KeepCheckpoints(long term, long[] checkpoints) implements RecoveryMessage, Order {
        /** Type 3048. */
        public static final MessageType<KeepCheckpoints> TYPE =
                new MessageType<>(3048, "KeepCheckpoints", KeepCheckpoints::read);

        @Override
        public MessageType<KeepCheckpoints> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(term);
            out.writeLongs(checkpoints);
        }

        private static KeepCheckpoints read(Importer in) {
            return new KeepCheckpoints(in.readLong(), in.readLongs());
        }
    }

    /**
     * Write where a checkpoint's chunks are into a chunk with backups; the answer is its id.
     *
     * @param checkpoint number of the checkpoint
     * @param numbers the text
     */
    record SaveManifest(long checkpoint, long[] numbers) implements RecoveryMessage, Question {
        /** Type 3050. */
        public static final MessageType<SaveManifest> TYPE =
                new MessageType<>(3050, "SaveManifest", SaveManifest::read);

        @Override
        public long term() {
            return Attempt.term(checkpoint);
        }

        @Override
        public MessageType<SaveManifest> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(checkpoint);
            out.writeLongs(numbers);
        }

        private static SaveManifest read(Importer in) {
            return new SaveManifest(in.readLong(), in.readLongs());
        }
    }
}
