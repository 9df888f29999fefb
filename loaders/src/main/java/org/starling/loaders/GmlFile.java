package org.starling.loaders;

import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PropertyType;

/** Goes through a GML file; see {@link GmlProvider}. Confined to one thread. */
final class GmlFile implements ElementFile {
    /** How deep lists may lie in each other. */
    private static final int MAX_DEPTH = 32;

    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,5})?");

    private final TextFile text;
    private final Types nodes = new Types();
    private final Types edges = new Types();
    private final Set<String> repeatedOfNodes = new HashSet<>();
    private final Set<String> repeatedOfEdges = new HashSet<>();
    private long element;

    GmlFile(TextFile text) {
        this.text = text;
    }

    @Override
    public String place() throws IOException {
        return text.where(element);
    }

    private InvalidInputException complaint(String wrong) throws IOException {
        return new InvalidInputException(place() + ": " + wrong);
    }

    @Override
    public Said walk(Elements to) throws IOException {
        Boolean directed = null;
        try (GmlTokens tokens = new GmlTokens(text)) {
            while (tokens.next() != GmlTokens.Kind.END) {
                String key = key(tokens);
                element = tokens.offset();
                if (!key.equals("graph")) {
                    pass(tokens);
                } else if (directed != null) {
                    throw complaint("there is a second graph (write one file for each)");
                } else {
                    directed = readGraph(tokens, to);
                }
            }
        }
        if (directed == null) {
            throw new InvalidInputException(
                    text.path()
                            + ": there is no \"graph [\" in the file (say what the file is by \"format\")");
        }
        repeatedOfNodes.forEach(nodes::remove);
        repeatedOfEdges.forEach(edges::remove);
        return new Said(directed, nodes, edges);
    }

    private static String key(GmlTokens tokens) throws IOException {
        if (tokens.kind() != GmlTokens.Kind.KEY) {
            throw tokens.complaint("a key");
        }
        return tokens.word();
    }

    private boolean readGraph(GmlTokens tokens, Elements to) throws IOException {
        if (tokens.next() != GmlTokens.Kind.OPEN) {
            throw tokens.complaint("[ behind graph");
        }
        boolean directed = false;
        while (tokens.next() != GmlTokens.Kind.CLOSE) {
            switch (key(tokens)) {
                case "directed" -> directed = flag(tokens);
                case "node" -> {
                    Map<String, String> found =
                            readElement(tokens, nodes, repeatedOfNodes, Set.of("id"));
                    to.node(take(found, "id"), found);
                }
                case "edge" -> {
                    Map<String, String> found =
                            readElement(tokens, edges, repeatedOfEdges, Set.of("source", "target"));
                    to.edge(take(found, "source"), take(found, "target"), null, found);
                }
                default -> pass(tokens);
            }
        }
        return directed;
    }

    private static boolean flag(GmlTokens tokens) throws IOException {
        if (tokens.next() != GmlTokens.Kind.NUMBER || !tokens.word().matches("[01]")) {
            throw tokens.complaint("0 or 1 behind directed");
        }
        return tokens.word().equals("1");
    }

    private String take(Map<String, String> found, String key) throws IOException {
        String id = found.remove(key);
        if (id == null) {
            throw complaint("there is no %s in it (add it)".formatted(key));
        }
        return id;
    }

    /** The values of a node or an edge by their keys. */
    private Map<String, String> readElement(
            GmlTokens tokens, Types types, Set<String> repeated, Set<String> ids)
            throws IOException {
        element = tokens.offset();
        String what = tokens.word();
        if (tokens.next() != GmlTokens.Kind.OPEN) {
            throw tokens.complaint("[ behind " + what);
        }
        Map<String, String> values = new LinkedHashMap<>();
        while (tokens.next() != GmlTokens.Kind.CLOSE) {
            String key = key(tokens);
            PropertyType type =
                    switch (tokens.next()) {
                        case STRING -> PropertyType.STRING;
                        case NUMBER, KEY -> type(tokens, key);
                        case OPEN -> {
                            passList(tokens);
                            yield null;
                        }
                        case CLOSE, END -> throw tokens.complaint("a value of " + key);
                    };
            if (type == null) {
                repeated.add(key);
            } else if (values.put(key, tokens.word()) != null) {
                if (ids.contains(key)) {
                    throw complaint("there are two of %s in it (take one out)".formatted(key));
                }
                repeated.add(key);
            } else if (!ids.contains(key)) {
                types.note(key, type);
                if (types.all().size() > Types.MAX_ATTRIBUTES) {
                    throw complaint(
                            "there are more than %d different keys"
                                    .formatted(Types.MAX_ATTRIBUTES));
                }
            }
        }
        return values;
    }

    private static @Nullable PropertyType type(GmlTokens tokens, String key) throws IOException {
        String word = tokens.word();
        if (WHOLE.matcher(word).matches()) {
            long value = Long.parseLong(word);
            return value == (int) value ? PropertyType.INT : PropertyType.LONG;
        }
        if (!NUMBER.matcher(word).matches()) {
            throw tokens.complaint(
                    "a number, a text in quotation marks or a list as the value of " + key);
        }
        return PropertyType.DOUBLE;
    }

    private static void pass(GmlTokens tokens) throws IOException {
        String key = tokens.word();
        switch (tokens.next()) {
            case STRING, NUMBER, KEY -> {
                // a value that says nothing of the graph
            }
            case OPEN -> passList(tokens);
            case CLOSE, END -> throw tokens.complaint("a value of " + key);
        }
    }

    private static void passList(GmlTokens tokens) throws IOException {
        int depth = 1;
        while (depth > 0) {
            switch (tokens.next()) {
                case OPEN -> depth++;
                case CLOSE -> depth--;
                case KEY, NUMBER, STRING -> {
                    // passed over
                }
                case END -> throw tokens.complaint("] at the end of a list");
            }
            if (depth > MAX_DEPTH) {
                throw tokens.complaint("lists that lie at most %d deep".formatted(MAX_DEPTH));
            }
        }
    }
}
