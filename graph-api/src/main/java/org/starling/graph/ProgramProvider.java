package org.starling.graph;

import java.util.Map;

/**
 * Declares programs. Found through {@link java.util.ServiceLoader}; scripts and drivers know only
 * the names.
 */
public interface ProgramProvider {
    /**
     * What makes the instances of each program, by its name, dotted, for example {@code
     * Map.of("examples.friendsOfFriends", parameters -> new FriendsOfFriends())}.
     */
    Map<String, ProgramFactory> programs();
}
