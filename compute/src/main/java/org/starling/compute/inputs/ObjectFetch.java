package org.starling.compute.inputs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Optional;
import org.starling.compute.objects.ObjectAnswer;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.objects.ObjectRefusal;
import org.starling.compute.objects.ObjectRefusal.Deed;
import org.starling.graph.InvalidInputException;

/**
 * Brings one object into a file. What breaks off goes on where it was, with the version that it
 * began with. Used once, by one thread.
 */
final class ObjectFetch {
    private static final int OK = 200;
    private static final int PARTIAL = 206;

    /** So much more makes an attempt no failure. */
    private static final long PROGRESS_BYTES = 8 << 20;

    private final ObjectStore store;
    private final ObjectName name;
    private final SpoolFile file;

    /** What the first answer said of the object; written by the client's threads. */
    private volatile Version version = Version.UNKNOWN;

    /**
     * A version of an object.
     *
     * @param etag its name; empty if the store gives none
     * @param bytes its length; -1 if the store does not say
     */
    private record Version(String etag, long bytes) {
        static final Version UNKNOWN = new Version("", -1);
    }

    ObjectFetch(ObjectStore store, ObjectName name, SpoolFile file) {
        this.store = store;
        this.name = name;
        this.file = file;
    }

    /**
     * Brings it.
     *
     * @throws InvalidInputException with one sentence if it can't be had, or not all of it
     */
    void run() throws IOException {
        int failures = 0;
        while (true) {
            long have = file.bytes();
            WebBody body = new WebBody(file);
            Optional<HttpResponse<String>> came =
                    store.transfer()
                            .fetch(
                                    store.requests().get(name, have, version.etag),
                                    info -> subscriber(info, body, have),
                                    name.toString(),
                                    body,
                                    () -> Math.max(0, version.bytes));
            boolean isWhole = version.bytes < 0 || version.bytes == file.bytes();
            if (came.isPresent() && isContent(came.get().statusCode()) && isWhole) {
                return;
            }
            failures = file.bytes() - have >= PROGRESS_BYTES ? 0 : failures + 1;
            boolean isLast = failures == Backoff.MAX_TRIES;
            if (came.isPresent() && !isContent(came.get().statusCode())) {
                requirePassing(came.get(), isLast);
            } else if (isLast || (body.hasBegun() && version.etag.isEmpty())) {
                throw new InvalidInputException(
                        "%s: the answer broke off after %s%s; try again later"
                                .formatted(
                                        name,
                                        Transfer.bytes(file.bytes()),
                                        body.hasBegun() ? "" : " (" + body.whyNone() + ")"));
            }
            store.backOff(Math.max(1, failures));
        }
    }

    private void requirePassing(HttpResponse<String> answer, boolean isLast) {
        if (isLast || !ObjectRefusal.isPassing(answer.statusCode(), answer.body())) {
            throw store.refused(
                    name,
                    Deed.READ,
                    answer.statusCode(),
                    ObjectStore.region(answer),
                    answer.body());
        }
    }

    private HttpResponse.BodySubscriber<String> subscriber(
            HttpResponse.ResponseInfo info, WebBody body, long have) {
        if (!isContent(info.statusCode())) {
            return BodySubscribers.limiting(
                    BodySubscribers.ofString(UTF_8), ObjectAnswer.MAX_CHARACTERS);
        }
        String etag = info.headers().firstValue("ETag").orElse("");
        if (!version.etag.isEmpty() && !version.etag.equals(etag)) {
            throw new InvalidInputException(
                    "%s was changed while it was read; try again".formatted(name));
        }
        boolean isRest = info.statusCode() == PARTIAL;
        String range = info.headers().firstValue("Content-Range").orElse("");
        if (isRest && !range.startsWith("bytes " + have + "-")) {
            throw new InvalidInputException(
                    "%s: the object store answers with another part than was asked for"
                            .formatted(name));
        }
        long length = info.headers().firstValueAsLong("Content-Length").orElse(-1);
        if (!isRest) {
            version = new Version(etag, length);
        }
        body.begin(!isRest, Math.max(0, length));
        return BodySubscribers.mapping(body, nothing -> "");
    }

    private static boolean isContent(int status) {
        return status == OK || status == PARTIAL;
    }
}
