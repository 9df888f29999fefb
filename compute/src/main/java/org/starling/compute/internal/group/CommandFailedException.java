package org.starling.compute.internal.group;

import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.protocol.ComputeMessage.FailureKind;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.net.NetException;
import org.starling.net.NodeLostException;
import org.starling.net.NodeUnknownException;
import org.starling.net.RemoteException;
import org.starling.net.RequestTimeoutException;
import org.starling.store.DataLostException;
import org.starling.store.IndeterminateException;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.OwnerLostException;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.UnservedException;

/**
 * A command that a slave could not do. Its text carries the kind of failure across the network, so
 * that the master can throw what the slave would have thrown.
 */
final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final char MARK = '\u0001';

    private CommandFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Wraps what a slave threw; what it was told by another one that it asked stays as it is. */
    static CommandFailedException of(Throwable failure) {
        Throwable thrown =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        String told = thrown instanceof RemoteException ? marked(thrown.getMessage()) : "";
        if (!told.isEmpty()) {
            return new CommandFailedException(told, thrown);
        }
        FailureKind kind =
                switch (thrown) {
                    case NodeLostException e -> FailureKind.LOST;
                    case NodeUnknownException e -> FailureKind.LOST;
                    case OwnerLostException e -> FailureKind.LOST;
                    case StaleMasterException e -> FailureKind.STALE;
                    case StuckException e ->
                            e.isReplaced() ? FailureKind.REPLACED : FailureKind.STUCK;
                    case InvalidInputException e -> FailureKind.INVALID_INPUT;
                    case OutOfChunkMemoryException e -> FailureKind.INVALID_INPUT;
                    case JobFailedException e -> FailureKind.JOB_FAILED;
                    case UnderReplicatedException e -> FailureKind.FEW_BACKUPS;
                    case IndeterminateException e -> FailureKind.UNACKNOWLEDGED;
                    case DataLostException e -> FailureKind.DATA_LOST;
                    case UnservedException e -> FailureKind.UNSERVED;
                    case StoreException e -> FailureKind.JOB_FAILED;
                    case RequestTimeoutException e -> FailureKind.LOST;
                    case RemoteException e -> FailureKind.INTERNAL;
                    case NetException e -> FailureKind.JOB_FAILED;
                    case UncheckedIOException e -> FailureKind.JOB_FAILED;
                    case OutOfMemoryError e -> FailureKind.JOB_FAILED;
                    default -> FailureKind.INTERNAL;
                };
        String text = kind == FailureKind.INTERNAL ? thrown.toString() : sentence(thrown);
        return new CommandFailedException(mark(kind) + text, thrown);
    }

    /** What an expected failure says, without the names of classes. */
    private static String sentence(Throwable thrown) {
        return switch (thrown) {
            case UncheckedIOException e -> FileTrouble.reason(Objects.requireNonNull(e.getCause()));
            case OutOfMemoryError e ->
                    "a peer has no room left for objects of Java (%s; at most %d MiB); give its Java more by -Xmx, or take more peers"
                            .formatted(e.getMessage(), Runtime.getRuntime().maxMemory() >> 20);
            default -> String.valueOf(thrown.getMessage());
        };
    }

    /** The exception that a failed answer stands for. */
    static RuntimeException unwrap(String text, Throwable cause) {
        String marked = marked(text);
        if (marked.isEmpty()) {
            return new IllegalStateException(text, cause);
        }
        int end = marked.indexOf(MARK, 1);
        return exception(
                FailureKind.valueOf(marked.substring(1, end)), marked.substring(end + 1), cause);
    }

    /** The kind, between marks, and what follows it; empty if no kind is told. */
    private static String marked(@Nullable String text) {
        int start = text == null ? -1 : text.indexOf(MARK);
        return text == null || start < 0 || text.indexOf(MARK, start + 1) < 0
                ? ""
                : text.substring(start);
    }

    /** What a failed answer says of work that does not stop; empty if that is not why. */
    static Optional<String> stuck(Throwable failed) {
        String text = String.valueOf(failed.getMessage());
        for (FailureKind kind : new FailureKind[] {FailureKind.STUCK, FailureKind.REPLACED}) {
            String mark = mark(kind);
            int at = text.indexOf(mark);
            if (at >= 0) {
                return Optional.of(text.substring(at + mark.length()));
            }
        }
        return Optional.empty();
    }

    private static String mark(FailureKind kind) {
        return "" + MARK + kind.name() + MARK;
    }

    /** The exception for a kind of failure. */
    static RuntimeException exception(FailureKind kind, String text, Throwable cause) {
        return switch (kind) {
            case INVALID_INPUT -> new InvalidInputException(text, cause);
            case JOB_FAILED, STUCK -> new JobFailedException(text, cause);
            case LOST, REPLACED, ABANDONED -> new SlaveLostException(-1, text, cause);
            case INTERNAL -> new IllegalStateException(text, cause);
            case STALE -> new JobCancelledException(text);
            case FEW_BACKUPS ->
                    (RuntimeException) new UnderReplicatedException(text).initCause(cause);
            case UNACKNOWLEDGED -> new IndeterminateException(text, cause);
            case DATA_LOST -> (RuntimeException) new DataLostException(text).initCause(cause);
            case UNSERVED -> new UnservedException(text, cause);
        };
    }
}
