package org.starling.store.internal.node;

import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;
import org.starling.store.DataLostException;
import org.starling.store.IndeterminateException;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.internal.replica.ZoneMovedException;

/** Why an owner did not carry out an operation; crosses the network. */
enum Outcome {
    NOT_FOUND,
    NOT_OWNER,
    PINNED,
    OUT_OF_MEMORY,
    UNDER_REPLICATED,
    FAILED,
    /** It may have taken effect. */
    INDETERMINATE,
    DATA_LOST;

    static Outcome of(Throwable failure) {
        return switch (failure) {
            case ChunkNotFoundException e -> NOT_FOUND;
            case ChunkPinnedException e -> PINNED;
            case OutOfChunkMemoryException e -> OUT_OF_MEMORY;
            case UnderReplicatedException e -> UNDER_REPLICATED;
            case MovedException e -> NOT_OWNER;
            case ZoneMovedException e -> NOT_OWNER;
            case IndeterminateException e -> INDETERMINATE;
            case DataLostException e -> DATA_LOST;
            default -> FAILED;
        };
    }

    /** The exception that the caller of the operation gets. */
    StoreException toException(long id, int owner, String text) {
        return switch (this) {
            case NOT_FOUND -> new ChunkNotFoundException(id);
            case PINNED -> new ChunkPinnedException(id);
            case OUT_OF_MEMORY -> new OutOfChunkMemoryException(text);
            case UNDER_REPLICATED -> new UnderReplicatedException(text);
            case NOT_OWNER -> new MovedException(id, owner);
            case INDETERMINATE -> new IndeterminateException(text, null);
            case DATA_LOST -> new DataLostException(id);
            case FAILED -> new StoreException(text);
        };
    }
}
