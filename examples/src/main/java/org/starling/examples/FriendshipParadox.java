package org.starling.examples;

import org.starling.graph.Argument;
import org.starling.graph.GraphInfo;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.RunResult;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/**
 * Task {@code example.friendship}: do your friends have more friends than you? (S. L. Feld, "Why
 * your friends have more friends than you do", 1991.)
 */
public final class FriendshipParadox implements Task {
    @Override
    public TaskSignature signature() {
        return TaskSignature.of(
                        "example.friendship",
                        "Compares how many friends people and their friends have; leaves the state"
                                + " friendsOfFriends.")
                .with(Argument.required("graph", Argument.Type.GRAPH, "an undirected graph"))
                .returns("friends", "number", "neighbours of a vertex, on average")
                .returns(
                        "friendsOfFriends",
                        "number",
                        "neighbours of a vertex's neighbours, on average for the vertex, and these"
                                + " averaged over all vertices; 0 for one without neighbours")
                .returns("holds", "boolean", "whether the second is larger");
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) {
        String graph = arguments.text("graph");
        GraphInfo info = context.graphs().info(graph);
        if (info.directed()) {
            throw new InvalidInputException(
                    "friendship goes both ways, but \"" + graph + "\" is directed");
        }
        RunResult run = context.graphs().run(graph, FriendsOfFriendsProvider.NAME, Parameters.NONE);
        double vertices = Math.max(1, info.vertices());
        double friends = info.storedEdges() / vertices;
        double friendsOfFriends = run.doubleAggregate("sum") / vertices;
        return new TaskResult()
                .put("friends", friends)
                .put("friendsOfFriends", friendsOfFriends)
                .put("holds", friendsOfFriends > friends);
    }
}
