package org.starling.benchmarks.net;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import org.starling.benchmarks.harness.WrongResultException;

/**
 * HTTP 1.1 with the JDK's server and client, over connections that stay open: a call is a POST of
 * numbers as text, which the server reads and writes anew. Has round trips only, by threads that
 * wait; each caller has a client, and with it a connection, of its own.
 */
final class HttpWire implements Wire {
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final int OK = 200;
    private static final int STOP_SECONDS = 0;

    /** Most text for the bytes of a number. */
    private static final int TEXT_PER_BYTE = 8;

    private static final int MIN_TEXT_BYTES = 1 << 10;

    /** Without it the server's answers wait 40 ms for the client's acknowledgement. */
    private static final String NO_DELAY_PROPERTY = "sun.net.httpserver.nodelay";

    /** Numbers as text. Stateless. */
    interface Form {
        String text(long[] numbers) throws IOException;

        /** Reads what {@link #text} wrote. */
        long[] numbers(String text) throws IOException;
    }

    private final NetPlan plan;
    private final List<Integer> hosted;
    private final Form form;
    private final ExecutorService threads =
            Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("http-", 0).factory());
    private final List<HttpServer> servers = new ArrayList<>();
    private final List<HttpClient> clients = new ArrayList<>();
    private Map<Integer, Integer> ports = Map.of();

    HttpWire(NetPlan plan, List<Integer> hosted, Form form) {
        this.plan = plan;
        this.hosted = hosted;
        this.form = form;
    }

    @Override
    public Map<Integer, Integer> listen() throws IOException {
        System.setProperty(NO_DELAY_PROPERTY, "true");
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Map<Integer, Integer> listening = new TreeMap<>();
        for (int node : hosted) {
            HttpServer server = HttpServer.create(anyPort, 0);
            server.setExecutor(threads);
            server.createContext("/", this::answer);
            server.start();
            servers.add(server);
            listening.put(node, server.getAddress().getPort());
        }
        return listening;
    }

    @Override
    public void connect(Map<Integer, Integer> all) {
        ports = Map.copyOf(all); // connections open on first use
    }

    @Override
    public Caller caller(Flow flow) {
        String host = InetAddress.getLoopbackAddress().getHostAddress();
        int port = Objects.requireNonNull(ports.get(flow.to()));
        URI address = URI.create("http://%s:%d/".formatted(host, port));
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        clients.add(client);
        return number -> call(client, address, number);
    }

    @Override
    public Outlet outlet(Flow flow) {
        throw new UnsupportedOperationException("HTTP has calls only");
    }

    @Override
    public Inlet inlet(Flow flow) {
        throw new UnsupportedOperationException("HTTP has calls only");
    }

    @Override
    public long writes(Flow flow) {
        return 0;
    }

    @Override
    public void close() {
        clients.forEach(HttpClient::shutdownNow);
        servers.forEach(server -> server.stop(STOP_SECONDS));
        threads.shutdownNow();
    }

    private void call(HttpClient client, URI address, long number)
            throws IOException, InterruptedException {
        long[] numbers = new long[Math.max(1, plan.bytes() / Long.BYTES)];
        Arrays.setAll(numbers, i -> i == 0 ? number : (i * MIX) >>> i);
        HttpRequest request =
                HttpRequest.newBuilder(address)
                        .POST(HttpRequest.BodyPublishers.ofString(form.text(numbers)))
                        .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != OK) {
            throw new IOException("the server answered " + response.statusCode());
        }
        if (!Arrays.equals(form.numbers(response.body()), numbers)) {
            throw new WrongResultException("message %d came back changed".formatted(number));
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] request =
                    exchange.getRequestBody()
                            .readNBytes(MIN_TEXT_BYTES + TEXT_PER_BYTE * plan.bytes());
            long[] numbers = form.numbers(new String(request, StandardCharsets.UTF_8));
            byte[] body = form.text(numbers).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(OK, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** A JSON array, by Gson. */
    static final class Json implements Form {
        private static final Gson GSON = new Gson();

        @Override
        public String text(long[] numbers) {
            return GSON.toJson(numbers);
        }

        @Override
        public long[] numbers(String text) throws IOException {
            try {
                return GSON.fromJson(text, long[].class);
            } catch (JsonParseException broken) {
                throw new IOException(broken);
            }
        }
    }

    /** An XML element for each number, through the JDK's streams. */
    static final class Xml implements Form {
        private static final XMLOutputFactory WRITERS = XMLOutputFactory.newDefaultFactory();
        private static final XMLInputFactory READERS = XMLInputFactory.newDefaultFactory();

        static {
            READERS.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        }

        @Override
        public String text(long[] numbers) throws IOException {
            StringWriter text = new StringWriter();
            try {
                XMLStreamWriter xml = WRITERS.createXMLStreamWriter(text);
                xml.writeStartElement("numbers");
                for (long number : numbers) {
                    xml.writeStartElement("n");
                    xml.writeCharacters(Long.toString(number));
                    xml.writeEndElement();
                }
                xml.writeEndElement();
                xml.close();
            } catch (XMLStreamException broken) {
                throw new IOException(broken);
            }
            return text.toString();
        }

        @Override
        public long[] numbers(String text) throws IOException {
            LongArrayList numbers = new LongArrayList();
            try {
                XMLStreamReader xml = READERS.createXMLStreamReader(new StringReader(text));
                xml.nextTag();
                while (xml.nextTag() == XMLStreamReader.START_ELEMENT) {
                    numbers.add(Long.parseLong(xml.getElementText()));
                }
                xml.close();
            } catch (XMLStreamException | NumberFormatException broken) {
                throw new IOException(broken);
            }
            return numbers.toLongArray();
        }
    }
}
