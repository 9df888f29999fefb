package org.starling.store.internal.node;

import java.util.List;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;

/** What a node can ask the directory; travels in {@link NodeMessage.Ask}. */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface DirectoryQuery {
    /** Have a command carried out ({@link CommandLayout}). */
    record Apply(byte[] command) implements DirectoryQuery {
        static Apply of(Command command) {
            return new Apply(CommandLayout.write(command));
        }
    }

    /** The chunk of a name. */
    record Lookup(String name) implements DirectoryQuery {}

    /** Names greater than one. */
    record ListNames(String after) implements DirectoryQuery {}

    /** A zone, if it exists. */
    record ZoneOf(long zone) implements DirectoryQuery {}

    /** The zones that a node owns, backs up or holds on its disk. */
    record ZonesOf(int node) implements DirectoryQuery {}

    /** Which of some zones have been dropped. */
    record DroppedOf(long[] zones) implements DirectoryQuery {}

    /** The best node for another backup of a zone, none of the avoided ones. */
    record ChooseBackup(long zone, List<Integer> avoided) implements DirectoryQuery {}

    /** All jobs in few words. */
    record Jobs() implements DirectoryQuery {}

    /** One job. */
    record JobOf(long id) implements DirectoryQuery {}

    /** What was granted. */
    record Grants() implements DirectoryQuery {}

    /** How the cluster is. */
    record Status() implements DirectoryQuery {}

    /** Which nodes were lost, and what has become of what they owned. */
    record RecoveriesOf() implements DirectoryQuery {}

    /** Whether it can change the directory. */
    default boolean isWrite() {
        return this instanceof Apply;
    }
}
