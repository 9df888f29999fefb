package org.starling.compute.inputs;

import java.nio.file.Path;

/**
 * Files that were sent along with scripts, or fetched for them, perhaps to other hosts; as one user
 * of them sees them, who closes this when it reads none any more.
 */
@FunctionalInterface
public interface BroughtFiles extends AutoCloseable {
    /** Of somebody who has all of them here. */
    BroughtFiles HERE = file -> {};

    /**
     * Sees to it that a file is here if another host has it; does nothing with one that was not
     * brought.
     *
     * @param file absolute
     * @throws org.starling.graph.InvalidInputException if there is no room or no folder for it
     */
    void bring(Path file);

    /** Lets go of all. */
    @Override
    default void close() {}
}
