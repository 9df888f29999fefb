package org.starling.store.internal.log;

import java.io.IOException;
import java.util.List;

/**
 * The file system below the logs: one folder for each zone, files in it. Thread-safe. Tests put
 * disks in its place that are full, fail or lose power.
 */
interface LogFiles {
    /** Names of the folders. */
    List<String> folders() throws IOException;

    /** Names of the files in a folder. */
    List<String> files(String folder) throws IOException;

    /** Makes an empty folder, and makes that safe. */
    void makeFolder(String folder) throws IOException;

    /** Deletes a folder with all that is in it; a crash leaves it whole or not at all. */
    void deleteFolder(String folder) throws IOException;

    /**
     * Puts a folder in the place of another, which is deleted if it is there; a crash leaves one of
     * both, whole, in that place, and perhaps the new one in its old place.
     */
    void replaceFolder(String folder, String by) throws IOException;

    /** Makes a file for writing, and makes its name safe. */
    LogFile create(String folder, String name) throws IOException;

    /** Opens a file that is there. */
    LogFile open(String folder, String name) throws IOException;

    /** Deletes a file, and makes that safe before it returns. */
    void delete(String folder, String name) throws IOException;
}
