package org.starling.compute.internal.protocol;

import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RecordRequest;

/** Messages about files on other hosts. Part of {@link ComputeMessage}'s list; ids 3170, 3171. */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface FileMessage extends ComputeMessage {
    /**
     * A piece of a file that was brought to the cluster.
     *
     * @param file its absolute path, the same on all hosts
     * @param offset where the piece begins
     * @param bytes how long it is, where the file does not end before
     */
    @TypeId(3170)
    record AskPiece(String file, long offset, int bytes)
            implements FileMessage, RecordRequest<Piece> {}

    /**
     * A piece of a file.
     *
     * @param length of the whole file; negative if it is not there
     * @param bytes the piece; empty if there is none
     */
    @TypeId(3171)
    record Piece(long length, byte[] bytes) implements FileMessage {}
}
