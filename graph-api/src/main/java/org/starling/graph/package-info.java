/**
 * What authors of graph jobs compile against. It knows no other room.
 *
 * <p>Four doors, each with a class to open first: {@link org.starling.graph.VertexProgram} and
 * {@link org.starling.graph.ShardProgram} for code that runs over vertices in supersteps ({@link
 * org.starling.graph.Declaration} names what it needs); {@link org.starling.graph.EdgeSource} for
 * what graphs are made of; {@link org.starling.graph.GraphSession} for drivers that make graphs and
 * run programs on them; {@link org.starling.graph.Task} for steps of scripts. The engine (room
 * {@code compute}) implements what these interfaces promise.
 */
@NullMarked
package org.starling.graph;

import org.jspecify.annotations.NullMarked;
