package org.starling.compute.inputs;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobCancelledException;

/**
 * Asks servers, and waits for them with an eye on whether the job goes on, and whether anything
 * comes. One thread at a time; closed by whoever made it.
 */
final class Transfer implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(100);

    private final Patience patience;
    private final InputSpool.Watch watch;
    private final Server server;
    private final HttpClient client;

    /** Whether anything has come; written by the client's threads. */
    private volatile boolean hasAnswered;

    /**
     * How long a server may take.
     *
     * @param connect to take the connection
     * @param silence between two pieces of its answer, or of what it is sent
     */
    record Patience(Duration connect, Duration silence) {
        static final Patience USUAL = new Patience(Duration.ofSeconds(10), Duration.ofSeconds(60));
    }

    /**
     * Who is asked.
     *
     * @param name for people
     * @param remedy what to do if no connection comes about
     * @param isAskedAgain whether that, or silence, passes once it has answered
     */
    record Server(String name, String remedy, boolean isAskedAgain) {
        /** The one that an address names. */
        static final Server OF_ADDRESS =
                new Server("the host", "check the address and its port", false);
    }

    /**
     * What is known of what is under way; asked while the client's threads work.
     *
     * @param what it is, for people who watch
     * @param heardNanos when something came, or went, last
     * @param bytes how many have come, or gone
     * @param of how many there will be; 0 if that is not known
     */
    record Course(String what, LongSupplier heardNanos, LongSupplier bytes, LongSupplier of) {}

    Transfer(Patience patience, InputSpool.Watch watch, Server server) {
        this.patience = patience;
        this.watch = watch;
        this.server = server;
        this.client =
                HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(patience.connect)
                        .build();
    }

    /**
     * Asks once.
     *
     * @param told what for, as people name it
     * @throws InvalidInputException if the server can't be reached or falls silent, or what the
     *     handler has thrown
     * @throws IOException if the answer breaks off, or none comes though the server is there
     */
    <T> HttpResponse<T> ask(
            HttpRequest request, HttpResponse.BodyHandler<T> handler, String told, Course course)
            throws IOException {
        try {
            return await(
                    client.sendAsync(
                            request,
                            info -> {
                                hasAnswered = true;
                                return handler.apply(info);
                            }),
                    told,
                    course);
        } catch (HttpConnectTimeoutException slow) {
            requireStranger("it takes no connection within " + seconds(patience.connect), slow);
            throw new InvalidInputException(
                    "%s: %s does not answer within %s; %s, or try again later"
                            .formatted(told, server.name, seconds(patience.connect), server.remedy),
                    slow);
        } catch (ConnectException refused) {
            requireStranger("it refuses the connection", refused);
            throw new InvalidInputException(
                    "%s: %s refuses the connection; %s".formatted(told, server.name, server.remedy),
                    refused);
        }
    }

    /**
     * Asks for what goes into a file.
     *
     * @param handler has the body take what is content
     * @param of bytes that there will be; 0 if that is not known
     * @return empty if the answer broke off, or none came: the body knows
     * @throws IOException if the file can't take it
     */
    <T> Optional<HttpResponse<T>> fetch(
            HttpRequest request,
            HttpResponse.BodyHandler<T> handler,
            String told,
            WebBody body,
            LongSupplier of)
            throws IOException {
        Course course = new Course("fetching " + told, body::heardNanos, body::bytes, of);
        try {
            return Optional.of(ask(request, handler, told, course));
        } catch (IOException broken) {
            IOException own = body.failure();
            if (own != null) {
                throw own;
            }
            body.breakOff(broken);
            return Optional.empty();
        }
    }

    /** What may be a wrong address at first is a passing trouble of a server that has answered. */
    private void requireStranger(String trouble, Exception why) throws IOException {
        if (hasAnswered && server.isAskedAgain) {
            throw new IOException(trouble, why);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private <T> HttpResponse<T> await(
            CompletableFuture<HttpResponse<T>> answer, String told, Course course)
            throws IOException {
        while (true) {
            try {
                return answer.get(TICK.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException later) {
                try {
                    watch.checkCancelled();
                } catch (RuntimeException cancelled) {
                    answer.cancel(true);
                    throw cancelled;
                }
                watch.progress(course.what(), course.bytes().getAsLong(), course.of().getAsLong());
                if (System.nanoTime() - course.heardNanos().getAsLong()
                        > patience.silence.toNanos()) {
                    answer.cancel(true);
                    requireStranger("it has sent nothing for " + seconds(patience.silence), later);
                    throw new InvalidInputException(
                            "%s: the server has sent nothing for %s, after %s; try again later"
                                    .formatted(
                                            told,
                                            seconds(patience.silence),
                                            bytes(course.bytes().getAsLong())),
                            later);
                }
            } catch (InterruptedException stopped) {
                answer.cancel(true);
                Thread.currentThread().interrupt();
                throw new JobCancelledException("interrupted while " + told + " was fetched");
            } catch (ExecutionException broken) {
                throw thrown(broken);
            }
        }
    }

    private static IOException thrown(ExecutionException failed) {
        @Nullable IOException broken = null;
        for (Throwable at = failed; at != null; at = at.getCause()) {
            if (at instanceof InvalidInputException told) {
                throw told;
            }
            broken = broken == null && at instanceof IOException io ? io : broken;
        }
        return broken == null ? new IOException(failed.getMessage(), failed) : broken;
    }

    static String bytes(long bytes) {
        return String.format(Locale.ROOT, "%,d bytes", bytes);
    }

    private static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
