package org.starling.compute.objects;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.StringReader;
import java.net.URLDecoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads the XML of answers: no document type, no entities, nothing from outside. Stateless.
 *
 * <p>What a server writes about an error may hold the account's name and the text that was signed,
 * so of it only a code and a region come out of here.
 */
public final class ObjectAnswer {
    /** Longest answer in characters; a page of 1000 keys has less. */
    public static final int MAX_CHARACTERS = 16 << 20;

    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9.-]{1,64}");
    private static final int MAX_DEPTH = 16;

    private ObjectAnswer() {}

    /** An error's code, such as {@code NoSuchKey}; none if the answer tells no error. */
    public static Optional<String> errorCode(String xml) {
        return word(xml, "Code");
    }

    /** The region that an error says a bucket is in. */
    public static Optional<String> errorRegion(String xml) {
        return word(xml, "Region");
    }

    /**
     * The name of an upload that has begun.
     *
     * @throws XMLStreamException if the answer is something else
     */
    public static String upload(String xml) throws XMLStreamException {
        return required(text(xml, "InitiateMultipartUploadResult", "UploadId"), "UploadId");
    }

    /** Whether an upload has ended well; a server may find out after it has said that it would. */
    public static boolean isCompleted(String xml) throws XMLStreamException {
        XMLStreamReader reader = reader(xml);
        while (reader.hasNext() && !reader.isStartElement()) {
            reader.next();
        }
        return reader.isStartElement()
                && reader.getLocalName().equals("CompleteMultipartUploadResult");
    }

    /**
     * A page of a list.
     *
     * @throws XMLStreamException if the answer is something else
     */
    public static ObjectPage page(String xml) throws XMLStreamException {
        boolean isEscaped = "url".equals(text(xml, "ListBucketResult", "EncodingType"));
        boolean isCut = "true".equals(text(xml, "ListBucketResult", "IsTruncated"));
        List<ObjectPage.Listed> objects = new ArrayList<>();
        List<String> keys = texts(xml, "ListBucketResult/Contents", "Key");
        List<String> sizes = texts(xml, "ListBucketResult/Contents", "Size");
        if (keys.size() != sizes.size()) {
            throw new XMLStreamException("objects without a key or a size");
        }
        for (int i = 0; i < keys.size(); i++) {
            objects.add(
                    new ObjectPage.Listed(
                            isEscaped ? unescaped(keys.get(i)) : keys.get(i), size(sizes.get(i))));
        }
        String next =
                isCut
                        ? required(
                                text(xml, "ListBucketResult", "NextContinuationToken"),
                                "NextContinuationToken")
                        : "";
        if (objects.isEmpty()) {
            requireList(xml);
        }
        return new ObjectPage(objects, next);
    }

    private static void requireList(String xml) throws XMLStreamException {
        required(text(xml, "ListBucketResult", "IsTruncated"), "IsTruncated");
    }

    private static String unescaped(String key) throws XMLStreamException {
        try {
            return URLDecoder.decode(key, UTF_8);
        } catch (IllegalArgumentException wrong) {
            throw new XMLStreamException("a key that is not escaped", wrong);
        }
    }

    private static long size(String digits) throws XMLStreamException {
        try {
            return Long.parseLong(digits.strip());
        } catch (NumberFormatException wrong) {
            throw new XMLStreamException("a size that is no number", wrong);
        }
    }

    private static Optional<String> word(String xml, String element) {
        try {
            return Optional.ofNullable(text(xml, "Error", element))
                    .map(String::strip)
                    .filter(text -> WORD.matcher(text).matches());
        } catch (XMLStreamException other) {
            return Optional.empty(); // a page of some server on the way, perhaps
        }
    }

    private static String required(@Nullable String text, String element)
            throws XMLStreamException {
        if (text == null || text.isEmpty()) {
            throw new XMLStreamException("no " + element);
        }
        return text;
    }

    private static @Nullable String text(String xml, String parent, String element)
            throws XMLStreamException {
        List<String> found = texts(xml, parent, element);
        return found.isEmpty() ? null : found.getFirst();
    }

    /** The texts of all elements of that name whose parents are those. */
    private static List<String> texts(String xml, String parent, String element)
            throws XMLStreamException {
        List<String> found = new ArrayList<>();
        XMLStreamReader reader = reader(xml);
        Deque<String> open = new ArrayDeque<>();
        StringBuilder text = new StringBuilder();
        while (reader.hasNext()) {
            int event = reader.next();
            if (event == XMLStreamConstants.START_ELEMENT) {
                open.addLast(reader.getLocalName());
                text.setLength(0);
                if (open.size() > MAX_DEPTH) {
                    throw new XMLStreamException("elements deeper than " + MAX_DEPTH);
                }
            } else if (event == XMLStreamConstants.END_ELEMENT) {
                String name = open.removeLast();
                if (name.equals(element) && String.join("/", open).equals(parent)) {
                    found.add(text.toString());
                }
            } else if (event == XMLStreamConstants.DTD
                    || event == XMLStreamConstants.ENTITY_REFERENCE) {
                throw new XMLStreamException("a document type or an entity");
            } else if (reader.isCharacters()) {
                text.append(reader.getText());
            }
        }
        return found;
    }

    private static XMLStreamReader reader(String xml) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory.createXMLStreamReader(new StringReader(xml));
    }
}
