package org.starling.benchmarks.studies;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.starling.graph.Adjacency;
import org.starling.graph.IntState;
import org.starling.graph.LongState;
import org.starling.graph.Team;

/** One worker's way through all levels of a search. */
final class Walk {
    private final Frontiers shared;
    private final Team team;
    private final Adjacency rows;
    private final MemorySegment memory;
    private final IntState level;
    private final LongState parent;
    private final long allEdges;
    private int depth;
    private long foundVertices;
    private long foundEdges;

    Walk(Frontiers shared, Team team, IntState level, LongState parent, long allEdges) {
        this.shared = shared;
        this.team = team;
        this.rows = team.adjacency();
        this.memory = rows.memory();
        this.level = level;
        this.parent = parent;
        this.allEdges = allEdges;
    }

    /** Walks until no frontier is left. */
    void run() {
        shared.await(team.size(), team::check, () -> shared.choose(allEdges));
        while (!shared.done) {
            depth++;
            foundVertices = 0;
            foundEdges = 0;
            if (shared.pulls) {
                pull();
            } else {
                push();
            }
            shared.found(foundVertices, foundEdges);
            shared.await(team.size(), team::check, () -> shared.turn(allEdges));
        }
    }

    private void push() {
        long[] frontier = shared.frontier;
        long[] next = shared.next;
        for (int first = shared.claim(); first < frontier.length; first = shared.claim()) {
            for (int word = first; word < shared.end(first); word++) {
                long rest = frontier[word];
                frontier[word] = 0;
                for (; rest != 0; rest &= rest - 1) {
                    pushRow((word << 6) + Long.numberOfTrailingZeros(rest), next);
                }
            }
        }
    }

    private void pushRow(int vertex, long[] next) {
        long at = rows.address(vertex);
        long end = at + 4L * rows.degree(vertex);
        for (; at < end; at += 4) {
            int neighbour = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            if (Frontiers.set(shared.visited, neighbour)) {
                Frontiers.set(next, neighbour);
                adopt(neighbour, vertex, rows.degree(neighbour));
            }
        }
    }

    /** The words of the vertices that look for a parent are this worker's alone. */
    private void pull() {
        long[] frontier = shared.frontier;
        long[] next = shared.next;
        long[] visited = shared.visited;
        for (int first = shared.claim(); first < frontier.length; first = shared.claim()) {
            for (int word = first; word < shared.end(first); word++) {
                long found = 0;
                long empty = 0;
                for (long rest = ~visited[word]; rest != 0; rest &= rest - 1) {
                    int vertex = (word << 6) + Long.numberOfTrailingZeros(rest);
                    int degree = vertex < shared.vertexCount ? rows.degree(vertex) : 0;
                    if (degree == 0) {
                        empty |= rest & -rest;
                    } else if (pullRow(vertex, degree, frontier)) {
                        found |= rest & -rest;
                    }
                }
                visited[word] |= found | empty;
                next[word] = found;
            }
        }
    }

    private boolean pullRow(int vertex, int degree, long[] frontier) {
        long at = rows.address(vertex);
        long end = at + 4L * degree;
        for (; at < end; at += 4) {
            int neighbour = memory.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            if ((frontier[neighbour >>> 6] >>> neighbour & 1) != 0) {
                adopt(vertex, neighbour, degree);
                return true;
            }
        }
        return false;
    }

    private void adopt(int vertex, int by, int degree) {
        level.set(vertex, depth);
        parent.set(vertex, by);
        foundVertices++;
        foundEdges += degree;
    }
}
