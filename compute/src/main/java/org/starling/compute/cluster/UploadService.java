package org.starling.compute.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.starling.compute.script.JsonRecord;

/**
 * Files that people bring along, piece by piece, for scripts to read; each is there until somebody
 * removes it, or a day after its last piece. Blocking; any thread.
 */
public interface UploadService {
    /** The most bytes of a file. */
    long MAX_BYTES = 256L << 30;

    /** The most bytes of a piece. */
    int MAX_PIECE_BYTES = 64 << 20;

    /** The most files at a time. */
    int MAX_UPLOADS = 1000;

    /**
     * A file that is brought.
     *
     * @param id its number, in hexadecimal digits
     * @param name its name
     * @param bytes how long it will be
     * @param received how many bytes have come
     * @param file what scripts call it once all have come: an absolute path
     */
    record UploadView(String id, String name, long bytes, long received, String file)
            implements JsonRecord {}

    /** A piece that does not go on where the last one ended, or that comes while another does. */
    final class OutOfStepException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OutOfStepException(String sentence) {
            super(sentence);
        }
    }

    /**
     * Begins a file.
     *
     * @throws org.starling.graph.InvalidInputException if it can't have that name or length, there
     *     is no room for it, or scripts of this cluster may use no folder
     */
    UploadView begin(String name, long bytes);

    /** All files, in the order of their numbers. */
    List<UploadView> list();

    /** One of them; nothing if there is none of that number. */
    Optional<UploadView> find(String id);

    /**
     * Takes a piece. What has come of it stays when the stream breaks off.
     *
     * @param offset where it begins: behind all that has come
     * @return how it stands then; nothing if there is none of that number
     * @throws OutOfStepException if it begins elsewhere, or another piece comes just now
     * @throws org.starling.graph.InvalidInputException if it is too long
     * @throws IOException if the stream breaks off, or the disk takes no more
     */
    Optional<UploadView> append(String id, long offset, InputStream piece) throws IOException;

    /** Removes a file; false if there is none of that number. */
    boolean remove(String id);
}
