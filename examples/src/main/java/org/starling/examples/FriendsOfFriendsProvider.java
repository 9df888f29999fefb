package org.starling.examples;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** Makes the instances of {@link FriendsOfFriends}, one for each worker thread. */
public final class FriendsOfFriendsProvider implements ProgramProvider {
    static final String NAME = "examples.friendsOfFriends";

    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.of(NAME, parameters -> new FriendsOfFriends());
    }
}
