/**
 * Readers of graph formats and generators of synthetic graphs. Each turns its part of a file, or of
 * a random stream, into vertices and edges through {@code org.starling.graph} alone, so that all
 * slaves load at the same time. The engine calls in by the name of an {@link
 * org.starling.graph.EdgeSourceProvider}.
 *
 * <p>Start with {@link org.starling.loaders.EdgeListProvider}: the other formats differ from it
 * only in how they parse; all share {@code TextFile} (parts, line numbers), {@code UnpackedText}
 * (compression) and {@code ByteCursor}. {@link org.starling.loaders.FileFormat} lists them; {@link
 * org.starling.loaders.GraphConversion} writes some. Of the generators, {@link
 * org.starling.loaders.KroneckerEdges} is the one of Graph500; beside it stand its search keys and
 * the hashes by which graphs are compared.
 */
@NullMarked
package org.starling.loaders;

import org.jspecify.annotations.NullMarked;
