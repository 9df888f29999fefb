package org.starling.loaders;

import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PropertyType;

/** Goes through a GraphML file; see {@link GraphMlProvider}. Confined to one thread. */
final class GraphMlFile implements ElementFile {
    /** Largest value of an attribute, in XML and as data. */
    private static final int MAX_VALUE_CHARACTERS = 1 << 16;

    /** How deep elements may lie in what is passed over. */
    private static final int MAX_DEPTH = 64;

    private final TextFile text;
    private final Map<String, Key> keys = new LinkedHashMap<>();
    private final Types nodes = new Types();
    private final Types edges = new Types();
    private @Nullable XMLStreamReader xml;

    GraphMlFile(TextFile text) {
        this.text = text;
    }

    /**
     * A declared attribute.
     *
     * @param domain what it belongs to: node, edge, all
     * @param name of the attribute; null if it is a program's own data
     */
    private record Key(String domain, @Nullable String name, @Nullable String otherwise) {
        boolean isOf(String element) {
            return domain.equals(element) || domain.equals("all");
        }
    }

    @Override
    public Said walk(Elements to) throws IOException {
        try (InputStream stream = UnpackedText.open(text.path())) {
            XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
            factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
            factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
            XMLStreamReader reader = factory.createXMLStreamReader(stream);
            xml = reader;
            boolean directed = readRoot(reader, to);
            reader.close();
            return new Said(directed, nodes, edges);
        } catch (XMLStreamException broken) {
            throw explained(broken);
        }
    }

    private IOException explained(XMLStreamException broken) throws IOException {
        if (broken.getNestedException() instanceof IOException unreadable
                && !(unreadable instanceof CharConversionException)) { // bytes that are no text
            throw unreadable;
        }
        String message = String.valueOf(broken.getMessage());
        int said = message.indexOf("Message: ");
        String reason = said < 0 ? message : message.substring(said + "Message: ".length());
        int line = broken.getLocation() == null ? 1 : broken.getLocation().getLineNumber();
        throw new InvalidInputException(
                "%s:%d: the XML can't be read: %s (is the file complete? No DTD is read, and no entity of one expanded)"
                        .formatted(
                                text.path(),
                                Math.max(1, line),
                                reason.replaceAll("\\s+", " ").replaceAll("[. ]+$", "")),
                broken);
    }

    @Override
    public String place() {
        XMLStreamReader reader = xml;
        return text.path()
                + ":"
                + (reader == null ? 1 : Math.max(1, reader.getLocation().getLineNumber()));
    }

    private InvalidInputException complaint(String wrong) {
        return new InvalidInputException(place() + ": " + wrong);
    }

    private boolean readRoot(XMLStreamReader reader, Elements to)
            throws XMLStreamException, IOException {
        requireElement(reader);
        if (!reader.getLocalName().equals("graphml")) {
            throw complaint(
                    "expected <graphml>, found <%s> (say what the file is by \"format\")"
                            .formatted(reader.getLocalName()));
        }
        Boolean directed = null;
        while (nextChild(reader)) {
            switch (reader.getLocalName()) {
                case "key" -> readKey(reader);
                case "graph" -> {
                    if (directed != null) {
                        throw complaint(
                                "there is a second <graph> (write one file for each graph)");
                    }
                    directed = readGraph(reader, to);
                }
                default -> pass(reader);
            }
        }
        while (reader.hasNext()) {
            reader.next(); // what follows must be well-formed, too
        }
        if (directed == null) {
            throw complaint("there is no <graph> in the file (fetch it again)");
        }
        return directed;
    }

    /** Moves to the first element. */
    private void requireElement(XMLStreamReader reader) throws XMLStreamException {
        while (reader.next() != XMLStreamConstants.START_ELEMENT) {
            if (reader.getEventType() == XMLStreamConstants.END_DOCUMENT) {
                throw complaint("there is no element in the file");
            }
        }
    }

    /** Moves to the next element in the one at hand; false at its end. */
    private boolean nextChild(XMLStreamReader reader) throws XMLStreamException {
        while (true) {
            switch (reader.next()) {
                case XMLStreamConstants.START_ELEMENT -> {
                    return true;
                }
                case XMLStreamConstants.END_ELEMENT, XMLStreamConstants.END_DOCUMENT -> {
                    return false;
                }
                default -> {
                    // texts and comments between elements say nothing
                }
            }
        }
    }

    private void pass(XMLStreamReader reader) throws XMLStreamException {
        int depth = 1;
        while (depth > 0) {
            int event = reader.next();
            depth +=
                    event == XMLStreamConstants.START_ELEMENT
                            ? 1
                            : event == XMLStreamConstants.END_ELEMENT ? -1 : 0;
            if (depth > MAX_DEPTH) {
                throw complaint("elements lie deeper than %d".formatted(MAX_DEPTH));
            }
        }
    }

    private void readKey(XMLStreamReader reader) throws XMLStreamException {
        String id = required(reader, "id");
        String domain = Objects.requireNonNullElse(attribute(reader, "for"), "all");
        String name = attribute(reader, "attr.name");
        String typeName = attribute(reader, "attr.type");
        PropertyType type = name == null ? null : type(name, typeName);
        String otherwise = null;
        while (nextChild(reader)) {
            if (reader.getLocalName().equals("default") && name != null) {
                otherwise = content(reader);
            } else {
                pass(reader);
            }
        }
        Key key = new Key(domain, name, otherwise);
        if (keys.put(id, key) != null) {
            throw complaint("there are two keys %s (rename one)".formatted(Quote.of(id)));
        }
        if (keys.size() > 2 * Types.MAX_ATTRIBUTES) {
            throw complaint("there are more than %d keys".formatted(2 * Types.MAX_ATTRIBUTES));
        }
        if (name != null && type != null) {
            if (key.isOf("node")) {
                nodes.note(name, type);
            }
            if (key.isOf("edge")) {
                edges.note(name, type);
            }
        }
    }

    private PropertyType type(String name, @Nullable String type) {
        return switch (type) {
            case null -> PropertyType.STRING;
            case "boolean" -> PropertyType.BOOLEAN;
            case "int", "integer" -> PropertyType.INT;
            case "long" -> PropertyType.LONG;
            case "float" -> PropertyType.FLOAT;
            case "double" -> PropertyType.DOUBLE;
            case "string" -> PropertyType.STRING;
            default ->
                    throw complaint(
                            "attribute %s has the type %s (types are boolean, int, long, float, double and string)"
                                    .formatted(Quote.of(name), Quote.of(type)));
        };
    }

    private boolean readGraph(XMLStreamReader reader, Elements to)
            throws XMLStreamException, IOException {
        String edgeDefault = Objects.requireNonNullElse(attribute(reader, "edgedefault"), "");
        if (!edgeDefault.matches("directed|undirected")) {
            throw complaint(
                    "expected edgedefault=\"directed\" or \"undirected\" in <graph>, found %s"
                            .formatted(Quote.of(edgeDefault)));
        }
        while (nextChild(reader)) {
            switch (reader.getLocalName()) {
                case "node" -> {
                    String id = required(reader, "id");
                    to.node(id, readData(reader, "node"));
                }
                case "edge" -> readEdge(reader, to);
                case "hyperedge" ->
                        throw complaint(
                                "a <hyperedge> joins more than two vertices, which no edge does (write edges)");
                default -> pass(reader);
            }
        }
        return edgeDefault.equals("directed");
    }

    private void readEdge(XMLStreamReader reader, Elements to)
            throws XMLStreamException, IOException {
        String source = required(reader, "source");
        String target = required(reader, "target");
        String own = attribute(reader, "directed");
        if (own != null && !own.matches("true|false")) {
            throw complaint(
                    "expected directed=\"true\" or \"false\" in <edge>, found %s"
                            .formatted(Quote.of(own)));
        }
        Boolean directed = own == null ? null : Boolean.valueOf(own);
        to.edge(source, target, directed, readData(reader, "edge"));
    }

    private Map<String, String> readData(XMLStreamReader reader, String element)
            throws XMLStreamException {
        Map<String, String> values = new LinkedHashMap<>();
        for (Key key : keys.values()) {
            if (key.isOf(element) && key.name != null && key.otherwise != null) {
                values.put(key.name, key.otherwise);
            }
        }
        while (nextChild(reader)) {
            switch (reader.getLocalName()) {
                case "data" -> {
                    String id = required(reader, "key");
                    Key key = keys.get(id);
                    if (key == null || !key.isOf(element)) {
                        throw complaint(
                                "no <key> before the graph declares %s for a <%s>"
                                        .formatted(Quote.of(id), element));
                    }
                    if (key.name == null) {
                        pass(reader);
                    } else {
                        values.put(key.name, content(reader));
                    }
                }
                case "graph" ->
                        throw complaint(
                                "a <graph> lies in a <%s>: nested graphs are not read (write one level)"
                                        .formatted(element));
                case "port" ->
                        throw complaint(
                                "a <port> lies in a <%s>: ports are not read (take them out)"
                                        .formatted(element));
                default -> pass(reader);
            }
        }
        return values;
    }

    /** The text in an element, which has no elements in it. */
    private String content(XMLStreamReader reader) throws XMLStreamException {
        StringBuilder content = new StringBuilder();
        while (true) {
            switch (reader.next()) {
                case XMLStreamConstants.CHARACTERS,
                        XMLStreamConstants.CDATA,
                        XMLStreamConstants.SPACE ->
                        content.append(reader.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    return content.toString().strip();
                }
                case XMLStreamConstants.START_ELEMENT ->
                        throw complaint(
                                "expected the text of an attribute, found <%s> in it"
                                        .formatted(reader.getLocalName()));
                default -> {
                    // comments say nothing
                }
            }
            if (content.length() > MAX_VALUE_CHARACTERS) {
                throw complaint(
                        "a value is longer than %d characters".formatted(MAX_VALUE_CHARACTERS));
            }
        }
    }

    private String required(XMLStreamReader reader, String name) {
        String value = attribute(reader, name);
        if (value == null) {
            throw complaint(
                    "<%s> has no attribute %s (add it)".formatted(reader.getLocalName(), name));
        }
        return value;
    }

    private @Nullable String attribute(XMLStreamReader reader, String name) {
        String value = reader.getAttributeValue(null, name);
        if (value != null && value.length() > MAX_VALUE_CHARACTERS) {
            throw complaint(
                    "the attribute %s of <%s> is longer than %d characters"
                            .formatted(name, reader.getLocalName(), MAX_VALUE_CHARACTERS));
        }
        return value;
    }
}
