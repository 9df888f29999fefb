package org.starling.compute.internal.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.internal.protocol.FileMessage.AskPiece;
import org.starling.compute.internal.protocol.FileMessage.Piece;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;
import org.starling.net.Execution;
import org.starling.net.LoopbackHub;
import org.starling.net.RecordMessage;
import org.starling.net.Server;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/** Two hosts that share no folder: each has one of its own that stands for its root directory. */
final class FileCopiesTest {
    private static final Path SENT =
            Path.of("/srv/.starling/uploads/0123456789abcdef0123456789abcdef/edges.txt");
    private static final Path FETCHED = Path.of("/srv/.starling/inputs/7261/0/edges.txt");

    /** Several pieces, the last one not whole. */
    private static final int BYTES = 3 * FileCopies.PIECE_BYTES + 17;

    @TempDir Path one;
    @TempDir Path other;
    private final LoopbackHub hub = new LoopbackHub();
    private final StoreNode superpeer = StoreNode.startSuperpeer(options());
    private final StoreNode peer = StoreNode.startPeer(options());
    private final byte[] content = new byte[BYTES];
    private FileCopies copies;

    @BeforeEach
    void begin() throws IOException {
        new Random(7).nextBytes(content);
        Files.createDirectory(one.resolve("srv"));
        Files.createDirectory(other.resolve("srv"));
        FileCopies holder = new FileCopies(superpeer, one);
        assertThat(holder).isNotNull();
        copies = new FileCopies(peer, other);
    }

    @AfterEach
    void end() {
        peer.close();
        superpeer.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void areMadeOfWhatLiesOnAnotherHostAndAreGoneWithTheirUser(boolean sent) throws IOException {
        Path file = sent ? SENT : FETCHED;
        Path there = write(one, file, content);
        Path here = at(other, file);

        try (FileCopies.User user = copies.user()) {
            user.bring(file);

            assertThat(here).hasBinaryContent(content);
            assertThat(Files.getPosixFilePermissions(other.resolve("srv/.starling")))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
            assertThat(here.getParent()).isDirectoryNotContaining("glob:**.copy-*");
        }

        assertThat(here.getParent()).doesNotExist();
        assertThat(there).hasBinaryContent(content);
    }

    @Test
    void stayUntilTheLastUserGoes() throws IOException {
        write(one, SENT, content);
        FileCopies.User first = copies.user();
        FileCopies.User second = copies.user();
        first.bring(SENT);
        second.bring(SENT);

        first.close();

        assertThat(at(other, SENT)).hasBinaryContent(content);
        second.close();
        assertThat(at(other, SENT)).doesNotExist();
    }

    @Test
    void areMadeOfAnEmptyFile() throws IOException {
        write(one, SENT, new byte[0]);

        copies.user().bring(SENT);

        assertThat(at(other, SENT)).isEmptyFile();
    }

    @Test
    void areNotMadeOfWhatIsHereNorRemoveIt() throws IOException {
        write(one, SENT, content);
        Path here = write(other, SENT, new byte[] {1, 2, 3});

        try (FileCopies.User user = copies.user()) {
            user.bring(SENT);
        }

        assertThat(here).hasBinaryContent(new byte[] {1, 2, 3});
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/srv/data/edges.txt",
                "/srv/.starling/edges.txt",
                "/srv/.starling/results/7/edges.txt",
                "/srv/.starling/uploads/7/more/edges.txt",
                "/srv/.starling/uploads/7/.draft",
                "/srv/.starling/uploads/../secret",
            })
    void areNotMadeOfOtherFilesNorGivenToOthers(String name) throws IOException {
        Path file = Path.of(name);
        write(one, file, content);

        copies.user().bring(file);

        assertThat(at(other, file)).doesNotExist();
        assertThat(length(file)).isNegative();
    }

    @Test
    void areNotMadeOfWhatALinkLeadsTo() throws IOException {
        Path secret = write(one, Path.of("/secret"), content);
        Path link = at(one, SENT);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, secret);

        copies.user().bring(SENT);

        assertThat(at(other, SENT)).doesNotExist();
        assertThat(length(SENT)).isNegative();
    }

    @Test
    void areNotMadeWhereNobodyHasTheFile() {
        copies.user().bring(SENT);

        assertThat(other.resolve("srv")).isEmptyDirectory();
    }

    @Test
    void needTheFolderOnEachHost() throws IOException {
        write(one, SENT, content);
        Files.delete(other.resolve("srv"));

        assertThatThrownBy(() -> copies.user().bring(SENT))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "node %d has no folder %s for the files that are sent along; make it on its host, too",
                        peer.nodeId(), "/srv");
    }

    @Test
    void areNotMadeForAJobThatHasEnded() throws IOException {
        write(one, SENT, content);
        FileCopies.User user = copies.user();
        user.close();

        assertThatThrownBy(() -> user.bring(SENT)).isInstanceOf(JobCancelledException.class);
        assertThat(at(other, SENT)).doesNotExist();
    }

    @Test
    void ofAProcessThatWasKilledGoAfterADay() throws IOException {
        write(one, SENT, content);
        Path old = write(other, Path.of("/srv/.starling/uploads/aa/old.txt"), content);
        Path young = write(other, Path.of("/srv/.starling/uploads/bb/young.txt"), content);
        FileTime twoDaysAgo = FileTime.from(Instant.now().minus(Duration.ofDays(2)));
        Files.setLastModifiedTime(old, twoDaysAgo);
        Files.setLastModifiedTime(old.resolveSibling(""), twoDaysAgo);
        Files.setLastModifiedTime(young.resolveSibling(""), twoDaysAgo);

        copies.user().bring(SENT);

        assertThat(old.resolveSibling("")).doesNotExist();
        assertThat(young).exists();
    }

    /** A host that gives the first piece of a file and then takes its time. */
    @Test
    void areMadeOnceForAllWhoWaitAndKeepNobodyElseWaiting() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        Semaphore begun = new Semaphore(0);
        AtomicInteger pieces = new AtomicInteger();
        StoreNode slow =
                host((source, question) -> {
                    if (!question.file().equals(SENT.toString())) {
                        return new Piece(-1, new byte[0]);
                    }
                    if (question.bytes() > 0) {
                        pieces.incrementAndGet();
                    }
                    if (question.offset() > 0) {
                        begun.release();
                        goOn.await();
                    }
                    int first = (int) question.offset();
                    int end = Math.min(BYTES, first + question.bytes());
                    return new Piece(BYTES, Arrays.copyOfRange(content, first, end));
                });
        FileCopies.User first = copies.user();
        FileCopies.User second = copies.user();
        FileCopies.User gone = copies.user();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> making = threads.submit(() -> first.bring(SENT));
            begun.acquire();
            Future<?> waiting = threads.submit(() -> second.bring(SENT));
            Future<?> leaving = threads.submit(() -> gone.bring(SENT));

            write(one, FETCHED, content);
            FileCopies.User quick = copies.user();
            quick.bring(FETCHED); // while the first one is still made
            assertThat(at(other, FETCHED)).hasBinaryContent(content);
            quick.close();
            gone.close();
            assertThatThrownBy(leaving::get).hasCauseInstanceOf(JobCancelledException.class);
            assertThat(making).isNotDone();
            assertThat(waiting).isNotDone();

            goOn.countDown();
            making.get();
            waiting.get();
        } finally {
            goOn.countDown();
        }

        assertThat(pieces).hasValue((BYTES + FileCopies.PIECE_BYTES - 1) / FileCopies.PIECE_BYTES);
        first.close();
        assertThat(at(other, SENT)).hasBinaryContent(content);
        second.close();
        assertThat(at(other, SENT)).doesNotExist();
        slow.close();
    }

    @Test
    void areNotLeftWhereTheirOnlyUserGoesInTheMiddle() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        Semaphore begun = new Semaphore(0);
        StoreNode slow =
                host((source, question) -> {
                    if (question.bytes() > 0) {
                        begun.release();
                        goOn.await();
                    }
                    return new Piece(1, Arrays.copyOf(content, question.bytes() > 0 ? 1 : 0));
                });
        FileCopies.User user = copies.user();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> making = threads.submit(() -> user.bring(SENT));
            begun.acquire();

            user.close(); // the last piece is on its way
            goOn.countDown();

            making.get();
        }
        assertThat(at(other, SENT)).doesNotExist();
        slow.close();
    }

    private long length(Path file) {
        return peer.network()
                .request(
                        superpeer.nodeId(),
                        new AskPiece(file.toString(), 0, 1),
                        Duration.ofSeconds(10))
                .join()
                .length();
    }

    private static Path write(Path top, Path file, byte[] content) throws IOException {
        Path place = at(top, file);
        Files.createDirectories(place.resolveSibling(""));
        return Files.write(place, content);
    }

    private static Path at(Path top, Path file) {
        return top.resolve(file.getRoot().relativize(file));
    }

    /** A node more, which answers in its own way. */
    private StoreNode host(Server<AskPiece, Piece> server) {
        StoreNode host = StoreNode.startPeer(options());
        host.network().serve(RecordMessage.type(AskPiece.class), Execution.WORKER, server);
        return host;
    }

    private NodeOptions options() {
        return NodeOptions.loopback(hub, StoreConfig.defaults().withHeapBytes(16 << 20));
    }
}
