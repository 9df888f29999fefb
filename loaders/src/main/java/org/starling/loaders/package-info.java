/**
 * Readers of graph formats and generators of synthetic graphs. Each turns its part of a file, or of
 * a random stream, into vertices and edges through {@code org.starling.graph} alone, so that all
 * slaves load at the same time. Tasks call in by format name. Start with the edge list reader: the
 * other formats differ from it only in how they parse.
 */
@NullMarked
package org.starling.loaders;

import org.jspecify.annotations.NullMarked;
