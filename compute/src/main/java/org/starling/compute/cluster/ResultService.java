package org.starling.compute.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.starling.compute.script.JsonRecord;

/**
 * What jobs have written that were submitted to be fetched; it is there when the job has succeeded,
 * until somebody removes it or the job is forgotten. Blocking; any thread. Every method throws
 * {@link ClusterException} while the cluster can't answer, and {@link
 * org.starling.graph.InvalidInputException} if the job is unknown or has not succeeded.
 */
public interface ResultService {
    /**
     * A result.
     *
     * @param file its name, relative to the folder of whoever fetches it
     * @param bytes its length
     */
    record ResultView(String file, long bytes) implements JsonRecord {}

    /** All results of a job, by name. */
    List<ResultView> list(long job);

    /**
     * Writes a result to a stream, piece by piece.
     *
     * @throws IOException if the stream takes no more
     */
    void read(long job, ResultView result, OutputStream out) throws IOException;

    /** Removes all results of a job. */
    void remove(long job);
}
