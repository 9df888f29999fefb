package org.starling.compute.inputs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import org.starling.compute.objects.ObjectAnswer;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.objects.ObjectPage;
import org.starling.compute.objects.ObjectRefusal;
import org.starling.compute.objects.ObjectRefusal.Deed;
import org.starling.compute.objects.ObjectRequests;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;

/**
 * An object store as a script's runner asks it. Answers that say that it is busy or has failed, and
 * answers that break off, are asked for again, a bounded number of times. One thread at a time.
 */
final class ObjectStore implements AutoCloseable {
    private static final int OK = 200;
    private static final int FAILED = 500;

    /** What the last question of an upload is answered when an earlier one has ended it. */
    static final int GONE = 404;

    private static final String CONNECTION_REMEDY =
            "check AWS_ENDPOINT_URL and AWS_REGION in this node's environment";

    /** Keys that a list may have looked at before it is given up. */
    private static final int MAX_LISTED = 1_000_000;

    /** Pages that a list may have: as many as those keys are on, as stores cut their lists. */
    private static final int MAX_PAGES = 1_000;

    private final ObjectRequests requests;
    private final Transfer.Patience patience;
    private final Transfer transfer;
    private final Backoff backoff;
    private final InputSpool.Watch watch;

    ObjectStore(
            ObjectRequests requests,
            Transfer.Patience patience,
            Backoff backoff,
            InputSpool.Watch watch) {
        this.requests = requests;
        this.patience = patience;
        this.transfer =
                new Transfer(
                        patience,
                        watch,
                        new Transfer.Server(requests.account().place(), CONNECTION_REMEDY, true));
        this.backoff = backoff;
        this.watch = watch;
    }

    /** What to ask. */
    ObjectRequests requests() {
        return requests;
    }

    /** The same store for what has to be done though the job is cancelled, within a time. */
    ObjectStore uncancelled(Duration most) {
        long begin = System.nanoTime();
        InputSpool.Watch until =
                new InputSpool.Watch() {
                    @Override
                    public void checkCancelled() {
                        if (System.nanoTime() - begin > most.toNanos()) {
                            throw new JobCancelledException(
                                    "the object store took more than %d s"
                                            .formatted(most.toSeconds()));
                        }
                    }

                    @Override
                    public void progress(String name, long bytes, long of) {}
                };
        return new ObjectStore(requests, patience, backoff, until);
    }

    Transfer transfer() {
        return transfer;
    }

    /** Waits after so many failures in a row. */
    void backOff(int failures) {
        backoff.await(failures, watch);
    }

    @Override
    public void close() {
        transfer.close();
    }

    /**
     * The objects that a folder's or a pattern's name stands for, in the order of their keys.
     * Hidden and empty ones are left out.
     *
     * @param most how many there may be
     * @throws InvalidInputException if there is none, or more
     */
    List<ObjectName> list(ObjectName wanted, int most) {
        Pattern pattern = wanted.lastPattern();
        List<ObjectName> found = new ArrayList<>();
        forEach(
                wanted,
                one -> {
                    String last = one.key().substring(one.key().lastIndexOf('/') + 1);
                    boolean isHidden =
                            last.isEmpty() || last.startsWith(".") || last.startsWith("_");
                    boolean isInside =
                            one.key().length() - last.length() == wanted.folder().length();
                    if (isInside
                            && !isHidden
                            && one.bytes() > 0
                            && pattern.matcher(last).matches()) {
                        found.add(wanted.sibling(one.key()));
                    }
                    if (found.size() > most) {
                        throw tooMany(wanted, most);
                    }
                });
        if (found.isEmpty()) {
            throw new InvalidInputException(
                    "there is no object \"%s\" that has anything in it".formatted(wanted));
        }
        return found;
    }

    /**
     * Looks at all that lies in a folder, or begins as a pattern does; but for the empty object
     * that some tools make for the folder itself.
     *
     * @throws InvalidInputException if that is too much, or the list has no end
     */
    void forEach(ObjectName wanted, Consumer<ObjectPage.Listed> look) {
        Set<String> asked = new HashSet<>();
        int listed = 0;
        String next = "";
        do {
            watch.checkCancelled();
            ObjectPage page = page(wanted, next);
            page.objects().stream()
                    .filter(one -> one.bytes() > 0 || !one.key().equals(wanted.folder()))
                    .forEach(look);
            listed += page.objects().size();
            next = page.next();
            watch.progress("listing " + wanted, listed, 0);
            if (listed > MAX_LISTED) {
                throw tooMany(wanted, MAX_LISTED);
            }
            if (asked.size() == MAX_PAGES) {
                throw new InvalidInputException(
                        "%s can't be listed: the list has more than %d pages; name a folder with less in it"
                                .formatted(wanted, MAX_PAGES));
            }
            if (!asked.add(next)) {
                throw new InvalidInputException(
                        "%s can't be listed: %s leads to the same page of the list again and again; check AWS_ENDPOINT_URL"
                                .formatted(wanted, requests.account().place()));
            }
        } while (!next.isEmpty());
    }

    private static InvalidInputException tooMany(ObjectName wanted, int most) {
        return new InvalidInputException("\"%s\" are more than %d files".formatted(wanted, most));
    }

    private ObjectPage page(ObjectName wanted, String next) {
        HttpResponse<String> answer =
                ask(
                        () -> requests.list(wanted.bucket(), wanted.literalPrefix(), next),
                        wanted,
                        Deed.LIST);
        try {
            return ObjectAnswer.page(answer.body());
        } catch (XMLStreamException other) {
            throw new InvalidInputException(
                    "%s can't be listed: what answers at %s is no object store; check AWS_ENDPOINT_URL"
                            .formatted(wanted, requests.account().place()),
                    other);
        }
    }

    /**
     * Asks until there is an answer that stays.
     *
     * @param request makes it anew, with the time of then
     * @throws InvalidInputException if it is a refusal
     */
    HttpResponse<String> ask(Supplier<HttpRequest> request, ObjectName name, Deed deed) {
        return ask(request, name, deed, new Sent());
    }

    /** The same with a body whose way is watched. */
    HttpResponse<String> ask(Supplier<HttpRequest> request, ObjectName name, Deed deed, Sent sent) {
        for (int failures = 1; ; failures++) {
            sent.begin();
            int status;
            String body;
            Optional<String> region = Optional.empty();
            try {
                HttpResponse<String> answer =
                        transfer.ask(
                                request.get(), info -> text(sent), name.toString(), sent.course());
                body = answer.body();
                status = answer.statusCode();
                if (status == OK && ObjectAnswer.errorCode(body).isPresent()) {
                    status = FAILED; // found out after it had begun to answer
                }
                boolean isEnded =
                        sent.isLast
                                && failures > 1
                                && status == GONE
                                && ObjectAnswer.errorCode(body)
                                        .filter("NoSuchUpload"::equals)
                                        .isPresent();
                if (status / 100 == 2 || isEnded) {
                    return answer;
                }
                region = region(answer);
            } catch (IOException broken) {
                if (failures == Backoff.MAX_TRIES) {
                    throw new InvalidInputException(
                            "%s: %s does not answer: %s; try again later"
                                    .formatted(
                                            name,
                                            requests.account().place(),
                                            FileTrouble.reason(broken)),
                            broken);
                }
                status = FAILED;
                body = "";
            }
            if (!ObjectRefusal.isPassing(status, body) || failures == Backoff.MAX_TRIES) {
                throw refused(name, deed, status, region, body);
            }
            backoff.await(failures, watch);
        }
    }

    /**
     * Brings an object into a file.
     *
     * @throws InvalidInputException with one sentence if it can't be had, or not all of it
     */
    void fetch(ObjectName name, SpoolFile file) throws IOException {
        new ObjectFetch(this, name, file).run();
    }

    /** An answer's text. A store that takes long sends blanks meanwhile, so that it is heard of. */
    private static HttpResponse.BodySubscriber<String> text(Sent sent) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        HttpResponse.BodySubscriber<Void> pieces =
                BodySubscribers.ofByteArrayConsumer(piece -> {
                    sent.heard();
                    piece.ifPresent(text::writeBytes);
                });
        return BodySubscribers.limiting(
                BodySubscribers.mapping(pieces, end -> text.toString(UTF_8).strip()),
                ObjectAnswer.MAX_CHARACTERS);
    }

    InvalidInputException refused(
            ObjectName name, Deed deed, int status, Optional<String> region, String body) {
        return ObjectRefusal.of(name, deed, status, region, body, requests.account());
    }

    static Optional<String> region(HttpResponse<?> answer) {
        return answer.headers().firstValue("x-amz-bucket-region");
    }

    /** The way of a body to the store: who sends says when some of it has gone. Any thread. */
    static final class Sent {
        private final String what;
        private final long before;
        private final long of;
        private volatile long heardNanos;
        private final AtomicLong bytes = new AtomicLong();

        private final boolean isLast;

        /** Of what has no body. */
        Sent() {
            this("asking the object store", 0, 0, false);
        }

        /** Of the question that ends an upload: it can be answered well only once. */
        static Sent last() {
            return new Sent("asking the object store", 0, 0, true);
        }

        /**
         * Of a part of something.
         *
         * @param before bytes of it that have gone
         * @param of bytes of all of it
         */
        Sent(String what, long before, long of) {
            this(what, before, of, false);
        }

        private Sent(String what, long before, long of, boolean isLast) {
            this.what = what;
            this.before = before;
            this.of = of;
            this.isLast = isLast;
        }

        void begin() {
            heardNanos = System.nanoTime();
            bytes.set(before);
        }

        void heard() {
            heardNanos = System.nanoTime();
        }

        void gone(int more) {
            heard();
            bytes.addAndGet(more);
        }

        Transfer.Course course() {
            return new Transfer.Course(what, () -> heardNanos, bytes::get, () -> of);
        }
    }
}
