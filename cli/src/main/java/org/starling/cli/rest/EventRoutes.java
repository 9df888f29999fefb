package org.starling.cli.rest;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessGate;
import org.starling.compute.access.Admission;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.script.JsonText;

/**
 * One stream of server-sent events per page, with all that a page shows: first all there is, then
 * what changes, at most {@value #PER_SECOND} events a second. A stream has a thread of its own that
 * waits for its browser and for nobody else, and the number of the version that it has sent; one
 * that was broken off goes on behind {@code Last-Event-ID}. A token that does not hold any more
 * ends it. Any thread.
 */
final class EventRoutes {
    static final String TYPE = "text/event-stream";
    private static final int PER_SECOND = 4;
    private static final Duration PAUSE = Duration.ofSeconds(1).dividedBy(PER_SECOND);

    /**
     * After so long without news there is a line all the same, so that both sides know they live.
     */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    /** So often it is asked whether the token still holds. */
    private static final Duration PROOF = Duration.ofSeconds(5);

    private final LiveFeed feed;
    private final AccessGate gate;
    private final PageSessions sessions;

    EventRoutes(LiveFeed feed, AccessGate gate, PageSessions sessions) {
        this.feed = feed;
        this.gate = gate;
        this.sessions = sessions;
    }

    void addTo(RouteBook book) {
        book.add(RestRoute.EVENTS, this::open);
    }

    private void open(Context context) throws IOException {
        String accepted = context.header("Accept");
        if (accepted == null || !accepted.contains(TYPE)) {
            RestRoutes.fail(
                    context,
                    HttpStatus.NOT_ACCEPTABLE,
                    "events come as %s: say so in the header Accept".formatted(TYPE));
            return;
        }
        if (!feed.watch()) {
            RestRoutes.fail(
                    context,
                    HttpStatus.TOO_MANY_REQUESTS,
                    "%d pages watch this superpeer already; close some, or ask another superpeer"
                            .formatted(LiveFeed.MAX_WATCHERS));
            return;
        }
        String authorization = sessions.authorization(context, false);
        long known = feed.state().version(context.header("Last-Event-ID"));
        context.res().setContentType(TYPE + "; charset=utf-8");
        context.header("Cache-Control", "no-store");
        context.header("X-Accel-Buffering", "no");
        ServletOutputStream out = context.res().getOutputStream();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        context.future(() -> {
            Thread.ofVirtual()
                    .name("page-events")
                    .start(() -> {
                        try {
                            tell(out, known, authorization);
                        } catch (IOException gone) {
                            // the browser has closed it, as it always does in the end
                        } catch (InterruptedException stopped) {
                            Thread.currentThread().interrupt();
                        } finally {
                            feed.unwatch();
                            if (isOpen(context)) {
                                ended.complete(null);
                            }
                        }
                    });
            return ended;
        });
    }

    /**
     * Whether the endpoint still answers. While it stops its requests are gone, and Javalin would
     * try to answer this one without end.
     */
    private static boolean isOpen(Context context) {
        ServletContextHandler handler =
                ServletContextHandler.getServletContextHandler(context.req().getServletContext());
        return handler != null && handler.isRunning() && handler.getServer().isRunning();
    }

    private void tell(ServletOutputStream out, long known, @Nullable String authorization)
            throws IOException, InterruptedException {
        LiveState state = feed.state();
        long version = known;
        long proved = System.nanoTime();
        while (true) {
            LiveState.News news = state.since(version);
            write(out, news.isEmpty() ? ": nothing new\n\n" : event(state, news));
            version = news.version();
            long told = System.nanoTime();
            state.await(version, SILENCE);
            LockSupport.parkNanos(PAUSE.toNanos() - (System.nanoTime() - told));
            if (System.nanoTime() - proved > PROOF.toNanos()) {
                if (!holds(authorization)) {
                    write(out, "event: end\ndata: {}\n\n");
                    return;
                }
                proved = System.nanoTime();
            }
        }
    }

    /** What can't be asked now is asked later. */
    private boolean holds(@Nullable String authorization) {
        try {
            return gate.admit(authorization) instanceof Admission.Admitted;
        } catch (ClusterException down) {
            return true;
        }
    }

    private static String event(LiveState state, LiveState.News news) {
        StringBuilder text = new StringBuilder();
        text.append("event: ").append(news.whole() ? "all" : "news").append('\n');
        text.append("id: ").append(state.id(news.version())).append('\n');
        text.append("data: {");
        news.changed()
                .forEach((name, json) -> {
                    text.append(text.charAt(text.length() - 1) == '{' ? "" : ", ");
                    text.append(JsonText.write(name));
                    text.append(": ").append(json == null ? "null" : json);
                });
        return text.append("}\n\n").toString();
    }

    private static void write(ServletOutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
