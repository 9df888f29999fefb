package org.starling.loaders;

import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;

/**
 * Edge source {@code ntriples}: N-Triples of RDF. Subjects and objects are vertices, whose ids are
 * texts: IRIs without their brackets, and labels of blank nodes with {@code _:} in front, {@code
 * \\uXXXX} and {@code \\UXXXXXXXX} resolved. Each edge has its predicate as a property. A triple
 * whose object is a literal has no edge: its subject is a vertex, and the line is counted as passed
 * over.
 *
 * <p>Parameters: {@code file} (absolute path), or {@code files} (several, whose blank nodes are
 * different ones); {@code badLines} ({@code fail} or {@code skip}); {@code columns} (the text
 * {@code predicate:none} leaves predicates out); {@code partBytes} (size of parts, 4 MiB).
 */
public final class TripleProvider implements EdgeSourceProvider {
    @Override
    public String name() {
        return FileFormat.NTRIPLES.title();
    }

    @Override
    public EdgeSource create(Parameters parameters) {
        return new TripleSource(parameters);
    }
}
