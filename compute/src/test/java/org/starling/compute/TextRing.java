package org.starling.compute;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/** A ring of many vertices, whose ids are texts with traps in them, or numbers. */
public final class TextRing implements EdgeSource {
    /** Name of the provider. */
    public static final String NAME = "test.textRing";

    private static final int PARTS = 6;

    private final int count;
    private final boolean texts;

    private TextRing(int count, boolean texts) {
        this.count = count;
        this.texts = texts;
    }

    /** The text of a vertex. */
    public static String id(int vertex) {
        return switch (vertex % 8) {
            case 0 -> "person " + vertex;
            case 1 -> "\"q" + vertex + "\"";
            case 2 -> "%09d".formatted(vertex);
            case 3 -> "caf\u00E9" + vertex;
            case 4 -> "cafe\u0301" + (vertex - 1);
            case 5 -> "\uD83D\uDE00" + vertex;
            case 6 -> "a\tb" + vertex;
            default ->
                    Long.toString((vertex * 0x9E3779B97F4A7C15L) >>> 1, Character.MAX_RADIX) + "/";
        };
    }

    /** Says little of how large it is, so that small clusters take it. */
    @Override
    public SourceDescription describe() {
        return new SourceDescription(PARTS, false, 0, 1, 1, false, List.of(), List.of(), 0, texts);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) {
        for (int vertex = part; vertex < count; vertex += PARTS) {
            sink.edge(number(vertex, sink), number((vertex + 1) % count, sink), 1);
        }
        return new PartSummary(0, 0, 0, 0);
    }

    private long number(int vertex, EdgeSink sink) {
        if (!texts) {
            return 3L * vertex;
        }
        byte[] utf8 = id(vertex).getBytes(StandardCharsets.UTF_8);
        return sink.number(utf8, 0, utf8.length);
    }

    /** Makes rings. */
    public static final class Provider implements EdgeSourceProvider {
        @Override
        public String name() {
            return NAME;
        }

        @Override
        public EdgeSource create(Parameters parameters) {
            return new TextRing((int) parameters.integer("count"), parameters.flag("texts"));
        }
    }
}
