package org.starling.compute.inputs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Locale;
import java.util.Optional;
import org.starling.graph.InvalidInputException;

/**
 * Brings what a web server holds into a file. Redirections are followed one by one, and each is
 * checked as the first address was. A transfer that breaks off goes on where it was, if the server
 * can send parts and names the version that it sends (RFC 9110, sections 13 and 14). Used once, by
 * one thread.
 */
final class WebFetch {
    private static final int MAX_REDIRECTS = 5;
    private static final int MAX_RESUMES = 5;
    private static final int OK = 200;
    private static final int PARTIAL = 206;

    private final OtherInputs inputs;
    private final Transfer transfer;

    /** What the server said of what it sends; of the first answer that was not a part. */
    private Version version = Version.UNKNOWN;

    /**
     * What a server says of a file.
     *
     * @param bytes its length; -1 if it does not say
     * @param validator what tells it from later versions; empty if nothing does, or the server
     *     can't send parts
     */
    private record Version(long bytes, String validator) {
        static final Version UNKNOWN = new Version(-1, "");
    }

    WebFetch(OtherInputs inputs, Transfer transfer) {
        this.inputs = inputs;
        this.transfer = transfer;
    }

    /**
     * Brings it.
     *
     * @throws InvalidInputException with one sentence if it can't be had, or not all of it
     */
    void fetch(URI first, SpoolFile file) throws IOException {
        URI address = first;
        int redirects = 0;
        int resumes = 0;
        while (true) {
            inputs.hosts().requireReachable(address);
            WebBody body = new WebBody(file);
            Optional<HttpResponse<Void>> came = ask(address, body, file.bytes());
            if (came.isPresent() && isRedirection(came.get().statusCode())) {
                redirects++;
                address = next(first, address, came.get(), redirects);
            } else if (came.isPresent() && !isContent(came.get().statusCode())) {
                throw refused(first, came.get().statusCode());
            } else if (came.isPresent() && isWhole(file)) {
                return;
            } else if (came.isEmpty() && !body.hasBegun()) {
                throw new InvalidInputException(
                        "%s can't be fetched: %s".formatted(first, body.whyNone()));
            } else if (version.validator.isEmpty() || resumes == MAX_RESUMES) {
                throw cut(first, file.bytes());
            } else {
                resumes++;
            }
        }
    }

    private boolean isWhole(SpoolFile file) {
        return version.bytes < 0 || version.bytes == file.bytes();
    }

    /** Empty if the answer broke off in the middle. */
    private Optional<HttpResponse<Void>> ask(URI address, WebBody body, long have)
            throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address)
                        .header("Accept-Encoding", "identity")
                        .header("User-Agent", "starling");
        if (have > 0) {
            request.header("Range", "bytes=" + have + "-").header("If-Range", version.validator);
        }
        return transfer.fetch(
                request.GET().build(),
                info -> subscriber(info, address, body, have),
                address.toString(),
                body,
                () -> Math.max(0, version.bytes));
    }

    private HttpResponse.BodySubscriber<Void> subscriber(
            HttpResponse.ResponseInfo info, URI address, WebBody body, long have) {
        boolean isRest = info.statusCode() == PARTIAL && have > 0;
        if (isRest && isFrom(info, have)) {
            body.begin(false, 0);
            return body;
        }
        if (info.statusCode() == OK) {
            version = version(info);
            body.begin(true, Math.max(0, version.bytes));
            return body;
        }
        if (info.statusCode() == PARTIAL) {
            throw new InvalidInputException(
                    "%s: the server answers with another part of the file than was asked for; fetch it by hand"
                            .formatted(address));
        }
        return BodySubscribers.discarding();
    }

    private boolean isFrom(HttpResponse.ResponseInfo info, long have) {
        String range = info.headers().firstValue("Content-Range").orElse("");
        return range.startsWith("bytes " + have + "-")
                && (version.bytes < 0 || range.endsWith("/" + version.bytes));
    }

    private static Version version(HttpResponse.ResponseInfo info) {
        long bytes = info.headers().firstValueAsLong("Content-Length").orElse(-1);
        boolean parts =
                info.headers()
                        .firstValue("Accept-Ranges")
                        .filter(word -> word.equalsIgnoreCase("bytes"))
                        .isPresent();
        String validator =
                info.headers()
                        .firstValue("ETag")
                        .filter(tag -> !tag.startsWith("W/"))
                        .or(() -> info.headers().firstValue("Last-Modified"))
                        .orElse("");
        return new Version(bytes, parts ? validator : "");
    }

    private URI next(URI first, URI address, HttpResponse<Void> answer, int redirects) {
        if (redirects > MAX_REDIRECTS) {
            throw new InvalidInputException(
                    "%s: more than %d redirections, the last one to %s; name the address where the file is"
                            .formatted(first, MAX_REDIRECTS, address));
        }
        String location = answer.headers().firstValue("Location").orElse("");
        URI next;
        try {
            next = OtherInputs.address(address.resolve(location).toString());
        } catch (IllegalArgumentException wrong) {
            throw new InvalidInputException(
                    "%s: the server leads to \"%s\", which is no address"
                            .formatted(address, location),
                    wrong);
        }
        boolean isSafe = "https".equalsIgnoreCase(next.getScheme());
        if (!isSafe
                && (!"http".equalsIgnoreCase(next.getScheme())
                        || "https".equalsIgnoreCase(address.getScheme()))) {
            throw new InvalidInputException(
                    "%s: the server leads to %s, which is less safe than https; name the address where the file is"
                            .formatted(address, next));
        }
        try {
            inputs.hosts().require(next, inputs.hostRemedy());
        } catch (InvalidInputException stranger) {
            throw new InvalidInputException(
                    "%s leads to %s".formatted(address, stranger.getMessage()), stranger);
        }
        return next;
    }

    private static boolean isRedirection(int status) {
        return switch (status) {
            case 301, 302, 303, 307, 308 -> true;
            default -> false;
        };
    }

    private static boolean isContent(int status) {
        return status == OK || status == PARTIAL;
    }

    private static InvalidInputException refused(URI address, int status) {
        String why =
                switch (status) {
                    case 401, 403, 407 -> "the server does not let everybody read it";
                    case 404, 410 -> "there is nothing at this address";
                    case 429, 503 -> "the server is busy; try again later";
                    default ->
                            status >= 500
                                    ? "the server has failed; try again later"
                                    : "the server does not send it";
                };
        return new InvalidInputException("%s: %s (status %d)".formatted(address, why, status));
    }

    private InvalidInputException cut(URI address, long bytes) {
        return new InvalidInputException(
                "%s: the answer broke off after %s%s; try again, or fetch the file by hand"
                        .formatted(
                                address,
                                Transfer.bytes(bytes),
                                version.bytes < 0
                                        ? ""
                                        : String.format(Locale.ROOT, " of %,d", version.bytes)));
    }
}
