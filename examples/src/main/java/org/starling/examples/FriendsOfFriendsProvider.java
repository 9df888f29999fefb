package org.starling.examples;

import org.starling.graph.Parameters;
import org.starling.graph.Program;
import org.starling.graph.ProgramProvider;

/** Makes the instances of {@link FriendsOfFriends}, one for each worker thread. */
public final class FriendsOfFriendsProvider implements ProgramProvider {
    static final String NAME = "examples.friendsOfFriends";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Program create(Parameters parameters) {
        return new FriendsOfFriends();
    }
}
