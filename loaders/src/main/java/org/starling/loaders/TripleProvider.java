package org.starling.loaders;

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
public final class TripleProvider extends FormatProvider {
    public TripleProvider() {
        super(FileFormat.NTRIPLES);
    }
}
