package org.starling.compute.inputs;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.compute.objects.ObjectAnswer;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.objects.ObjectRefusal.Deed;
import org.starling.graph.InvalidInputException;

/**
 * Brings files into an object store: small ones at once, larger ones in parts of which nothing can
 * be seen, or stays, unless all have come. One thread at a time, and used once.
 */
final class ObjectUpload {
    private static final Logger LOG = LogManager.getLogger(ObjectUpload.class);

    /** The smallest part, and the largest object that is sent at once. */
    static final int PART_BYTES = 16 << 20;

    /** Most parts of an object; a limit of the protocol. */
    private static final int MAX_PARTS = 10_000;

    /** How the parts of a table are named. */
    private static final Pattern PART = Pattern.compile("part-[0-9]{5,}(\\.[A-Za-z0-9.]+)?");

    /** Sent between two looks at whether anything goes. */
    private static final int PIECE_BYTES = 1 << 16;

    /** All that a clean-up may take: less than a cancelled job's process is given to end. */
    private static final Duration CLEAN_UP = Duration.ofSeconds(4);

    private final ObjectStore store;
    private final int partBytes;

    /** What is to be taken back if this fails; the last first. */
    private final Deque<Undo> undos = new ArrayDeque<>();

    private record Undo(ObjectName name, Supplier<HttpRequest> request) {}

    ObjectUpload(ObjectStore store) {
        this(store, PART_BYTES);
    }

    /** With other parts. */
    ObjectUpload(ObjectStore store, int partBytes) {
        this.store = store;
        this.partBytes = partBytes;
    }

    /**
     * Brings a file, or the files of a folder, which become objects under that name, in the place
     * of the parts of a table that an earlier attempt has left there.
     *
     * @throws InvalidInputException with one sentence if that can't be; then nothing stays
     */
    void send(Path file, ObjectName name) throws IOException {
        try {
            if (Files.isDirectory(file)) {
                sendFolder(file, name);
            } else {
                sendFile(file, name);
            }
        } catch (IOException | RuntimeException failed) {
            cleanUp();
            throw failed;
        }
    }

    private void sendFolder(Path file, ObjectName name) throws IOException {
        ObjectName folder = name.sibling(name.key() + "/");
        Set<ObjectName> surplus = earlierParts(folder);
        for (Path part : files(file)) {
            ObjectName own = folder.sibling(folder.key() + part.getFileName());
            undos.push(new Undo(own, () -> store.requests().delete(own)));
            sendFile(part, own);
            surplus.remove(own);
        }
        for (ObjectName old : surplus) {
            HttpResponse<String> _ = store.ask(() -> store.requests().delete(old), old, Deed.WRITE);
        }
    }

    /** What an earlier attempt has left; nothing else may be there. */
    private Set<ObjectName> earlierParts(ObjectName folder) {
        Set<ObjectName> parts = new LinkedHashSet<>();
        store.forEach(
                folder,
                one -> {
                    if (!PART.matcher(one.key().substring(folder.key().length())).matches()) {
                        throw new InvalidInputException(
                                "%s is not empty, and parts of a table are written into an empty folder; name another one"
                                        .formatted(folder));
                    }
                    parts.add(folder.sibling(one.key()));
                });
        return parts;
    }

    private static Iterable<Path> files(Path folder) throws IOException {
        TreeSet<Path> files = new TreeSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            all.forEach(files::add);
        }
        return files;
    }

    private void sendFile(Path file, ObjectName name) throws IOException {
        long bytes = Files.size(file);
        try (InputStream in = Files.newInputStream(file)) {
            if (bytes <= partBytes) {
                byte[] body = in.readNBytes(partBytes);
                ObjectStore.Sent sent = sent(name, 0, bytes);
                HttpResponse<String> _ =
                        store.ask(
                                () -> store.requests().put(name, body, pieces(sent)),
                                name,
                                Deed.WRITE,
                                sent);
                return;
            }
            String upload = begin(name);
            undos.push(new Undo(name, () -> store.requests().abort(name, upload)));
            complete(name, upload, sendParts(in, bytes, name, upload));
            undos.pop();
        }
    }

    private String begin(ObjectName name) {
        HttpResponse<String> answer =
                store.ask(() -> store.requests().begin(name), name, Deed.WRITE);
        try {
            return ObjectAnswer.upload(answer.body());
        } catch (XMLStreamException other) {
            throw noStore(name, other);
        }
    }

    private List<String> sendParts(InputStream in, long bytes, ObjectName name, String upload)
            throws IOException {
        int length = Math.toIntExact(Math.max(partBytes, bytes / MAX_PARTS + 1));
        List<String> etags = new ArrayList<>();
        long done = 0;
        for (byte[] part = in.readNBytes(length);
                part.length > 0;
                done += part.length, part = in.readNBytes(length)) {
            byte[] body = part;
            ObjectStore.Sent sent = sent(name, done, bytes);
            int number = etags.size() + 1;
            HttpResponse<String> answer =
                    store.ask(
                            () -> store.requests().part(name, upload, number, body, pieces(sent)),
                            name,
                            Deed.WRITE,
                            sent);
            etags.add(
                    answer.headers()
                            .firstValue("ETag")
                            .orElseThrow(() -> noStore(name, new XMLStreamException("no ETag"))));
        }
        return etags;
    }

    /** If the answer to a first try is lost, the second finds no upload, for that has ended. */
    private void complete(ObjectName name, String upload, List<String> etags) {
        HttpResponse<String> answer =
                store.ask(
                        () -> store.requests().complete(name, upload, etags),
                        name,
                        Deed.WRITE,
                        ObjectStore.Sent.last());
        if (answer.statusCode() == ObjectStore.GONE) {
            return;
        }
        try {
            if (!ObjectAnswer.isCompleted(answer.body())) {
                throw noStore(name, new XMLStreamException("no end of an upload"));
            }
        } catch (XMLStreamException other) {
            throw noStore(name, other);
        }
    }

    /** Also for a job that was cancelled, or is interrupted; ends when it is interrupted again. */
    private void cleanUp() {
        if (undos.isEmpty()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try (ObjectStore uncancelled = store.uncancelled(CLEAN_UP)) {
            while (!undos.isEmpty()) {
                Undo last = undos.element();
                HttpResponse<String> _ = uncancelled.ask(last.request(), last.name(), Deed.WRITE);
                undos.pop();
            }
        } catch (RuntimeException left) {
            LOG.warn(
                    "something of {} is left behind: {}",
                    undos.stream().map(undo -> undo.name().toString()).distinct().toList(),
                    left.getMessage());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private InvalidInputException noStore(ObjectName name, XMLStreamException other) {
        return new InvalidInputException(
                "%s can't be written: what answers at %s is no object store; check AWS_ENDPOINT_URL"
                        .formatted(name, store.requests().account().place()),
                other);
    }

    private static ObjectStore.Sent sent(ObjectName name, long before, long of) {
        return new ObjectStore.Sent("writing " + name, before, of);
    }

    /** A body that tells when some of it has gone. */
    private static Function<byte[], BodyPublisher> pieces(ObjectStore.Sent sent) {
        return body ->
                body.length == 0
                        ? BodyPublishers.noBody()
                        : BodyPublishers.fromPublisher(
                                BodyPublishers.ofByteArrays(() -> new Pieces(body, sent)),
                                body.length);
    }

    private static final class Pieces implements Iterator<byte[]> {
        private final byte[] body;
        private final ObjectStore.Sent sent;
        private int at;

        Pieces(byte[] body, ObjectStore.Sent sent) {
            this.body = body;
            this.sent = sent;
        }

        @Override
        public boolean hasNext() {
            return at < body.length;
        }

        @Override
        public byte[] next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            byte[] piece = Arrays.copyOfRange(body, at, Math.min(body.length, at + PIECE_BYTES));
            at += piece.length;
            sent.gone(piece.length);
            return piece;
        }
    }
}
