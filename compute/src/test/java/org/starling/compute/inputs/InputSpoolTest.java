package org.starling.compute.inputs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;

class InputSpoolTest {
    private static final long PLENTY = 1L << 50;
    private static final byte[] TEXT = "1 2\n2 3\n".getBytes(UTF_8);
    private static final InputSpool.Watch NOBODY = new Watcher();

    @TempDir private Path folder;

    private final CountDownLatch end = new CountDownLatch(1);
    private ExecutorService threads;
    private HttpServer server;

    /** How long a server may be silent. */
    private Duration silence = Duration.ofSeconds(20);

    private static class Watcher implements InputSpool.Watch {
        @Override
        public void checkCancelled() {}

        @Override
        public void progress(String name, long bytes, long of) {}
    }

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void close() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private String host() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    private String url(String path) {
        return "http://" + host() + path;
    }

    private void serve(String path, HttpHandler handler) {
        server.createContext(path, handler);
    }

    private InputSpool spool(String... hosts) {
        return new InputSpool(
                folder,
                new OtherInputs(
                        new ByteArrayInputStream(TEXT),
                        new WebHosts(List.of(hosts)),
                        "--allow-url HOST"),
                file -> PLENTY,
                new Transfer.Patience(Duration.ofSeconds(2), silence),
                Backoff.usual());
    }

    private void assertRefused(String url, String... words) {
        try (InputSpool spool = spool(host())) {
            assertThatThrownBy(() -> spool.file(url, NOBODY))
                    .isInstanceOf(InvalidInputException.class)
                    .satisfies(wrong ->
                            assertThat(wrong.getMessage())
                                    .contains(words)
                                    .doesNotContain("\n", "java."));
        }
        assertThat(folder).isEmptyDirectory();
    }

    private static void answer(HttpExchange exchange, byte[] body) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(7).nextBytes(noise);
        return noise;
    }

    @Test
    void bringsStandardInputOnceAndForItsOwnerAlone() throws IOException {
        Path file;
        try (InputSpool spool = spool()) {
            file = spool.file("-", NOBODY);

            assertThat(file).hasBinaryContent(TEXT).hasFileName("standard-input");
            assertThat(spool.file("-", NOBODY)).isEqualTo(file);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(spool.told(file + ":3: wrong")).isEqualTo("standard input:3: wrong");
        }

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesStandardInputThatIsEmptyOrNotThere() {
        OtherInputs empty =
                new OtherInputs(new ByteArrayInputStream(new byte[0]), WebHosts.NONE, "");
        try (InputSpool spool = new InputSpool(folder, empty)) {
            assertThatThrownBy(() -> spool.file("-", NOBODY))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("standard input is empty");
        }
        try (InputSpool spool =
                new InputSpool(folder, OtherInputs.ofCluster(WebHosts.NONE, BroughtFiles.HERE))) {
            assertThatThrownBy(() -> spool.file("-", NOBODY))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("which a cluster does not see");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void leavesAReserveOnTheDisk() {
        OtherInputs piped = new OtherInputs(new ByteArrayInputStream(TEXT), WebHosts.NONE, "");
        try (InputSpool spool =
                new InputSpool(
                        folder,
                        piped,
                        file -> SpoolFile.RESERVE_BYTES + 10,
                        Transfer.Patience.USUAL,
                        Backoff.usual())) {
            assertThatThrownBy(() -> spool.file("-", NOBODY))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("there is no room for standard input");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void fetchesWhatAServerHolds() throws IOException {
        byte[] body = noise(1 << 20);
        serve("/graph.csv.gz", exchange -> answer(exchange, body));

        try (InputSpool spool = spool(host())) {
            Path file = spool.file(url("/graph.csv.gz?token=1"), NOBODY);

            assertThat(file).hasBinaryContent(body).hasFileName("graph.csv.gz");
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void fetchesWhatAServerSendsWithoutSayingHowMuch() {
        byte[] body = noise(100_000);
        serve(
                "/chunks",
                exchange -> {
                    try (exchange) {
                        exchange.sendResponseHeaders(200, 0);
                        exchange.getResponseBody().write(body);
                    }
                });

        try (InputSpool spool = spool(host())) {
            assertThat(spool.file(url("/chunks"), NOBODY)).hasBinaryContent(body);
        }
    }

    @Test
    void asksNoHostThatIsNotAllowed() {
        AtomicInteger asked = new AtomicInteger();
        serve(
                "/",
                exchange -> {
                    asked.incrementAndGet();
                    answer(exchange, TEXT);
                });

        try (InputSpool none = spool();
                InputSpool all = spool("*.example.org", "example.org");
                InputSpool star = spool("*")) {
            for (InputSpool spool : List.of(none, all)) {
                assertThatThrownBy(() -> spool.file(url("/x"), NOBODY))
                        .isInstanceOf(InvalidInputException.class)
                        .hasMessageContaining("--allow-url " + host());
            }
            assertThatThrownBy(() -> star.file(url("/x"), NOBODY))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("own network");
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void followsRedirectionsAndChecksEach() {
        serve("/here", exchange -> redirect(exchange, "/there"));
        serve("/there", exchange -> answer(exchange, TEXT));
        serve("/away", exchange -> redirect(exchange, "http://169.254.169.254/latest/meta-data"));
        serve("/round", exchange -> redirect(exchange, "/round"));
        serve("/odd", exchange -> redirect(exchange, "file:///etc/passwd"));
        serve("/broken", exchange -> redirect(exchange, "http://["));

        try (InputSpool spool = spool(host())) {
            assertThat(spool.file(url("/here"), NOBODY)).hasBinaryContent(TEXT);
        }
        assertRefused(url("/away"), "leads to http://169.254.169.254", "may read nothing from");
        assertRefused(url("/round"), "more than 5 redirections");
        assertRefused(url("/odd"), "names no host");
        assertRefused(url("/broken"), "which is no address");
    }

    private static void redirect(HttpExchange exchange, String location) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Location", location);
            exchange.sendResponseHeaders(302, -1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "404, there is nothing at this address",
        "403, does not let everybody read it",
        "503, the server is busy",
        "500, the server has failed",
        "204, does not send it"
    })
    void saysWhatAServerRefuses(int status, String words) {
        serve(
                "/x",
                exchange -> {
                    try (exchange) {
                        exchange.sendResponseHeaders(status, -1);
                    }
                });

        assertRefused(url("/x"), url("/x"), words, "status " + status);
    }

    @Test
    void refusesAnAnswerThatBreaksOff() {
        serve(
                "/cut",
                exchange -> {
                    exchange.sendResponseHeaders(200, 1000);
                    exchange.getResponseBody().write(TEXT);
                    exchange.getResponseBody().flush();
                    exchange.close();
                });

        assertRefused(url("/cut"), "broke off after 8 bytes of 1,000");
    }

    @Test
    void takesNoMoreThanTheLengthThatWasSaid() throws IOException {
        try (ServerSocket raw = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var _ =
                    threads.submit(() -> {
                        try (var socket = raw.accept()) {
                            socket.getInputStream().read(new byte[4096]);
                            socket.getOutputStream()
                                    .write(
                                            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n1 2\n2 3\n"
                                                    .getBytes(UTF_8));
                            socket.getOutputStream().flush();
                            end.await();
                        }
                        return null;
                    });
            String host = "127.0.0.1:" + raw.getLocalPort();

            try (InputSpool spool = spool(host)) {
                assertThat(spool.file("http://" + host + "/x", NOBODY)).hasContent("1 2\n");
            }
        }
    }

    @Test
    void goesOnWhereATransferBrokeOff() {
        byte[] body = noise(300_000);
        List<String> ranges = Collections.synchronizedList(new ArrayList<>());
        serve(
                "/parts",
                exchange -> {
                    String range = exchange.getRequestHeaders().getFirst("Range");
                    ranges.add(range + " " + exchange.getRequestHeaders().getFirst("If-Range"));
                    int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
                    exchange.getResponseHeaders().set("ETag", "\"v1\"");
                    exchange.getResponseHeaders().set("Accept-Ranges", "bytes");
                    if (range != null) {
                        exchange.getResponseHeaders()
                                .set("Content-Range", "bytes " + from + "-299999/300000");
                    }
                    exchange.sendResponseHeaders(range == null ? 200 : 206, body.length - from);
                    OutputStream out = exchange.getResponseBody();
                    out.write(body, from, Math.min(120_000, body.length - from));
                    out.flush();
                    exchange.close();
                });

        try (InputSpool spool = spool(host())) {
            assertThat(spool.file(url("/parts"), NOBODY)).hasBinaryContent(body);
        }
        assertThat(ranges).hasSizeGreaterThan(2);
        assertThat(ranges.getFirst()).isEqualTo("null null");
        assertThat(ranges.get(1)).startsWith("bytes=").endsWith("- \"v1\"");
    }

    @Test
    void beginsAnewWhenTheFileHasChangedMeanwhile() {
        byte[] body = noise(1000);
        AtomicInteger asked = new AtomicInteger();
        serve(
                "/new",
                exchange -> {
                    int turn = asked.incrementAndGet();
                    exchange.getResponseHeaders().set("ETag", "\"v" + turn + "\"");
                    exchange.getResponseHeaders().set("Accept-Ranges", "bytes");
                    exchange.sendResponseHeaders(200, turn == 1 ? 5000 : body.length);
                    exchange.getResponseBody().write(turn == 1 ? Arrays.copyOf(TEXT, 100) : body);
                    exchange.getResponseBody().flush();
                    exchange.close();
                });

        try (InputSpool spool = spool(host())) {
            assertThat(spool.file(url("/new"), NOBODY)).hasBinaryContent(body);
        }
    }

    @Test
    void refusesAPartThatWasNotAskedFor() {
        serve(
                "/part",
                exchange -> {
                    try (exchange) {
                        exchange.getResponseHeaders().set("Content-Range", "bytes 5-9/10");
                        exchange.sendResponseHeaders(206, 5);
                        exchange.getResponseBody().write(new byte[5]);
                    }
                });

        assertRefused(url("/part"), "another part of the file than was asked for");
    }

    @Test
    void waitsForASilentServerNoLongerThanItsPatience() {
        serve("/silent", exchange -> await());
        serve(
                "/slow",
                exchange -> {
                    exchange.sendResponseHeaders(200, 1000);
                    exchange.getResponseBody().write(TEXT);
                    exchange.getResponseBody().flush();
                    await();
                });

        silence = Duration.ofMillis(600);

        assertRefused(url("/silent"), "sent nothing for 600 ms, after 0 bytes");
        assertRefused(url("/slow"), "sent nothing for 600 ms, after 8 bytes");
    }

    private void await() {
        try {
            end.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void endsWhenTheJobIsCancelled() {
        serve("/silent", exchange -> await());

        try (InputSpool spool = spool(host())) {
            assertThatThrownBy(() ->
                            spool.file(
                                    url("/silent"),
                                    new Watcher() {
                                        @Override
                                        public void checkCancelled() {
                                            throw new JobCancelledException("enough");
                                        }
                                    }))
                    .isInstanceOf(JobCancelledException.class);
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void saysThatNobodyListens() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String host = "127.0.0.1:" + port;

        try (InputSpool spool = spool(host)) {
            assertThatThrownBy(() -> spool.file("http://" + host + "/x", NOBODY))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("refuses the connection");
        }
    }

    @Test
    void refusesMoreThanTheDiskHasRoomForBeforeItComes() {
        serve(
                "/large",
                exchange -> {
                    exchange.sendResponseHeaders(200, 5L << 30);
                    exchange.getResponseBody().write(TEXT);
                    exchange.getResponseBody().flush();
                    await();
                });

        OtherInputs inputs = new OtherInputs(null, new WebHosts(List.of(host())), "");
        try (InputSpool spool =
                new InputSpool(
                        folder,
                        inputs,
                        file -> 2L << 30,
                        Transfer.Patience.USUAL,
                        Backoff.usual())) {
            assertThatThrownBy(() -> spool.file(url("/large"), NOBODY))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("there is no room for " + url("/large"));
        }
    }
}
