package org.starling.store.internal.node;

import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.store.ChunkNotFoundException;
import org.starling.store.ChunkPinnedException;
import org.starling.store.DataLostException;
import org.starling.store.IndeterminateException;
import org.starling.store.OutOfChunkMemoryException;
import org.starling.store.StoreException;
import org.starling.store.UnderReplicatedException;
import org.starling.store.internal.replica.ZoneMovedException;

/** Why an owner did not carry out an operation; crosses the network as a number. */
enum Outcome {
    NOT_FOUND(0),
    NOT_OWNER(1),
    PINNED(2),
    OUT_OF_MEMORY(3),
    UNDER_REPLICATED(4),
    FAILED(5),
    /** It may have taken effect. */
    INDETERMINATE(6),
    DATA_LOST(7);

    private final byte number;

    Outcome(int number) {
        this.number = (byte) number;
    }

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

    void write(Exporter out) {
        out.writeByte(number);
    }

    static Outcome read(Importer in) {
        byte number = in.readByte();
        for (Outcome outcome : values()) {
            if (outcome.number == number) {
                return outcome;
            }
        }
        throw new MalformedMessageException("unknown outcome " + number);
    }
}
