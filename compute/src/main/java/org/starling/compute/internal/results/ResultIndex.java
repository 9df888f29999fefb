package org.starling.compute.internal.results;

import java.util.ArrayList;
import java.util.List;

/**
 * What one task has written, as the store keeps it: this, as JSON in a chunk that has a name, and
 * the bytes of each file in runs of chunks with consecutive ids.
 *
 * @param complete whether all bytes are there
 * @param files what it has written
 */
record ResultIndex(boolean complete, List<ResultFile> files) {
    static final ResultIndex EMPTY = new ResultIndex(false, List.of());

    ResultIndex {
        files = List.copyOf(files);
    }

    /**
     * A file.
     *
     * @param file its name, relative to the folder of whoever fetches it
     * @param bytes its length
     * @param runs its pieces, in their order
     */
    record ResultFile(String file, long bytes, List<Run> runs) {
        ResultFile {
            runs = List.copyOf(runs);
        }
    }

    /**
     * Pieces on one peer.
     *
     * @param first chunk of the first
     * @param count how many
     */
    record Run(long first, int count) {}

    /** With one more run of pieces of the last file, or of a new one. */
    ResultIndex with(String file, long bytes, Run run) {
        List<ResultFile> more = new ArrayList<>(files);
        List<Run> runs = new ArrayList<>();
        if (!more.isEmpty() && more.getLast().file().equals(file)) {
            runs.addAll(more.removeLast().runs());
        }
        runs.add(run);
        more.add(new ResultFile(file, bytes, runs));
        return new ResultIndex(complete, more);
    }

    ResultIndex completed() {
        return new ResultIndex(true, files);
    }
}
