package org.starling.benchmarks.studies.calls;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;

/** XML through the JDK's streams; every element of a vector is an XML element. */
final class XmlForm implements HttpCalls.Form {
    private static final XMLOutputFactory WRITERS = XMLOutputFactory.newDefaultFactory();
    private static final XMLInputFactory READERS = readers();
    private static final String UTF_8 = StandardCharsets.UTF_8.name();

    private static final String CALL = "call";
    private static final String ANSWER = "answer";
    private static final String PATTERN = "pattern";
    private static final String FIRST = "first";
    private static final String SECOND = "second";
    private static final String NUMBER = "number";
    private static final String ELEMENT = "e";

    @Override
    public String name() {
        return "http-xml";
    }

    @Override
    public String contentType() {
        return "application/xml";
    }

    @Override
    public byte[] bytes(Call call) throws IOException {
        Map<String, Long> numbers =
                Map.of(
                        PATTERN,
                        (long) call.pattern().ordinal(),
                        FIRST,
                        call.first(),
                        SECOND,
                        call.second());
        return document(CALL, numbers, call.vector());
    }

    @Override
    public byte[] bytes(Answer answer) throws IOException {
        return document(ANSWER, Map.of(NUMBER, answer.number()), answer.vector());
    }

    @Override
    public Call call(byte[] body) throws IOException {
        return parsed(
                body,
                CALL,
                xml ->
                        new Call(
                                CallPattern.of((int) number(xml, PATTERN)),
                                number(xml, FIRST),
                                number(xml, SECOND),
                                vector(xml)));
    }

    @Override
    public Answer answer(byte[] body) throws IOException {
        return parsed(body, ANSWER, xml -> new Answer(number(xml, NUMBER), vector(xml)));
    }

    /** Reads an element that has just started. */
    @FunctionalInterface
    private interface Parser<T> {
        T read(XMLStreamReader xml) throws XMLStreamException;
    }

    private static byte[] document(String root, Map<String, Long> numbers, long[] vector)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            XMLStreamWriter xml = WRITERS.createXMLStreamWriter(bytes, UTF_8);
            xml.writeStartDocument(UTF_8, "1.0");
            xml.writeStartElement(root);
            for (Map.Entry<String, Long> number : numbers.entrySet()) {
                xml.writeAttribute(number.getKey(), number.getValue().toString());
            }
            for (long element : vector) {
                xml.writeStartElement(ELEMENT);
                xml.writeCharacters(Long.toString(element));
                xml.writeEndElement();
            }
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException broken) {
            throw new IOException(broken);
        }
        return bytes.toByteArray();
    }

    private static <T> T parsed(byte[] body, String root, Parser<T> parser) throws IOException {
        try {
            XMLStreamReader xml =
                    READERS.createXMLStreamReader(new ByteArrayInputStream(body), UTF_8);
            xml.nextTag();
            xml.require(XMLStreamReader.START_ELEMENT, null, root);
            T value = parser.read(xml);
            xml.require(XMLStreamReader.END_ELEMENT, null, root);
            xml.close();
            return value;
        } catch (XMLStreamException | NumberFormatException broken) {
            throw new IOException(broken);
        }
    }

    private static long number(XMLStreamReader xml, String attribute) throws XMLStreamException {
        String text = xml.getAttributeValue(null, attribute);
        if (text == null) {
            throw new XMLStreamException("attribute " + attribute + " is missing");
        }
        return Long.parseLong(text);
    }

    private static long[] vector(XMLStreamReader xml) throws XMLStreamException {
        LongArrayList vector = new LongArrayList();
        while (xml.nextTag() == XMLStreamReader.START_ELEMENT) {
            vector.add(Long.parseLong(xml.getElementText()));
        }
        return vector.toLongArray();
    }

    private static XMLInputFactory readers() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory;
    }
}
