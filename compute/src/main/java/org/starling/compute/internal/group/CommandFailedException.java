package org.starling.compute.internal.group;

import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.starling.compute.internal.protocol.ComputeMessage.FailureKind;
import org.starling.compute.internal.protocol.RunMessage.Failure;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;
import org.starling.store.DataLostException;
import org.starling.store.IndeterminateException;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.UnservedException;

/**
 * A command that a slave could not do. Its text carries the kind of failure across the network, so
 * that the master can throw what the slave would have thrown.
 */
final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private CommandFailedException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Wraps what a slave threw; what it was told by another one that it asked stays as it is. */
    static CommandFailedException of(Throwable failure) {
        Throwable thrown =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        Optional<Failure> told = Failure.told(thrown);
        if (told.isPresent()) {
            return new CommandFailedException(told.get().marked(), thrown);
        }
        FailureKind kind =
                switch (thrown) {
                    case StaleMasterException _ -> FailureKind.STALE;
                    case StuckException e ->
                            e.isReplaced() ? FailureKind.REPLACED : FailureKind.STUCK;
                    case OutOfChunkMemoryException _ -> FailureKind.INVALID_INPUT;
                    case UncheckedIOException _, OutOfMemoryError _ -> FailureKind.JOB_FAILED;
                    default -> FailureKind.of(thrown);
                };
        String text = kind == FailureKind.INTERNAL ? thrown.toString() : sentence(thrown);
        return new CommandFailedException(new Failure(kind, text).marked(), thrown);
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
        return Failure.told(text)
                .map(told -> exception(told.kind(), told.text(), cause))
                .orElseGet(() -> new IllegalStateException(text, cause));
    }

    /** What a failed answer says of work that does not stop; empty if that is not why. */
    static Optional<String> stuck(Throwable failed) {
        return Failure.told(failed.getMessage())
                .filter(told ->
                        told.kind() == FailureKind.STUCK || told.kind() == FailureKind.REPLACED)
                .map(Failure::text);
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
