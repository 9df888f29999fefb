package org.starling.compute.internal.protocol;

import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.net.NetException;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RecordRequest;
import org.starling.net.RemoteException;
import org.starling.net.RequestTimeoutException;
import org.starling.store.DataLostException;
import org.starling.store.IndeterminateException;
import org.starling.store.OwnerLostException;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.UnservedException;

/**
 * All messages of the room, with their ids. Requests go from the master to slaves; answers come
 * back. What many kinds of requests and answers share stands here (ids 3001 and 3002); the others
 * stand in the order of the work in {@link BuildMessage}, {@link RunMessage}, {@link QueryMessage},
 * {@link RecoveryMessage}, {@link TopologyMessage}, {@link JarMessage}, {@link FileMessage}, {@link
 * PointMessage}, {@link OutputMessage} and {@link StructureMessage}.
 *
 * <p>Arrays in messages belong to the message: whoever makes one gives them away, whoever reads one
 * does not change them.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface ComputeMessage extends RecordMessage
        permits BuildMessage,
                RunMessage,
                QueryMessage,
                RecoveryMessage,
                JarMessage,
                FileMessage,
                PointMessage,
                OutputMessage,
                StructureMessage,
                TopologyMessage,
                ComputeMessage.Command,
                ComputeMessage.Done,
                ComputeMessage.Numbers {
    /**
     * A master's command. A slave refuses those of masters that are older than the newest it has
     * heard of.
     */
    non-sealed interface Command<R extends RecordMessage> extends ComputeMessage, RecordRequest<R> {
        /** The master's term. */
        long term();
    }

    /** Nothing to say but that it is done. */
    @TypeId(3001)
    record Done() implements ComputeMessage {}

    /**
     * A list of numbers.
     *
     * @param values the numbers
     */
    @TypeId(3002)
    record Numbers(long... values) implements ComputeMessage {}

    /** How a failure ends a job. */
    enum FailureKind {
        /** Input that makes no sense. */
        INVALID_INPUT,
        /** User code or a bound. */
        JOB_FAILED,
        /** A node that this one needed is lost. */
        LOST,
        /** A bug. */
        INTERNAL,
        /** The command came from a master that has been replaced. */
        STALE,
        /** Work does not stop, and the slave can do nothing more. */
        STUCK,
        /** Work does not stop, and the slave's process is being replaced. */
        REPLACED,
        /** There are too few backups for what is to be written, for now. */
        FEW_BACKUPS,
        /** A write was not acknowledged in time, and may have taken effect. */
        UNACKNOWLEDGED,
        /** No good copy of a chunk is left, for now or for good. */
        DATA_LOST,
        /** Nobody serves a chunk, for now. */
        UNSERVED,
        /** Something else has failed, and the work was stopped because of that. */
        ABANDONED;

        /** The kind of what the store, the network or a program has thrown. */
        public static FailureKind of(Throwable thrown) {
            return switch (thrown) {
                case NodeLostException _,
                        NodeUnknownException _,
                        RequestTimeoutException _,
                        OwnerLostException _ ->
                        LOST;
                case UnservedException _ -> UNSERVED;
                case DataLostException _ -> DATA_LOST;
                case UnderReplicatedException _ -> FEW_BACKUPS;
                case IndeterminateException _ -> UNACKNOWLEDGED;
                case InvalidInputException _ -> INVALID_INPUT;
                case RemoteException _ -> INTERNAL; // of whoever was asked
                case JobFailedException _, StoreException _, NetException _ -> JOB_FAILED;
                default -> INTERNAL;
            };
        }
    }

    /** How broadcasts are delivered. */
    enum Direction {
        /** Nothing was broadcast. */
        NONE,
        /** Along the edges of the broadcasters. */
        PUSH,
        /** Receivers look at their neighbours. */
        PULL,
        /**
         * Receivers look at their neighbours, all of whom have broadcast: every vertex that has
         * edges has.
         */
        PULL_ALL;

        /** Whether receivers look at their neighbours. */
        public boolean isPull() {
            return this == PULL || this == PULL_ALL;
        }
    }
}
