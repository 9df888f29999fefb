package org.starling.cli.rest;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotFoundResponse;
import java.net.URI;
import java.util.List;
import java.util.stream.Collectors;
import org.starling.dashboard.PageFile;
import org.starling.dashboard.PageFiles;

/**
 * The files of the page, for all: what they show they ask for, like everybody else. A browser loads
 * nothing from elsewhere, and connects with the superpeers only. Any of the server's threads.
 */
final class PageRoutes {
    /** Files of the page lie under it. */
    static final String FOLDER = "/page/";

    private final PageFiles files = PageFiles.read();
    private final String policy;

    /**
     * For a page that may look whether other superpeers live.
     *
     * @param doors of the superpeers
     */
    PageRoutes(List<URI> doors) {
        String others = doors.stream().map(door -> " " + door).collect(Collectors.joining());
        policy =
                "default-src 'self'; connect-src 'self'%s; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
                        .formatted(others);
    }

    void addTo(RouteBook book) {
        book.add(RestRoute.PAGE, context -> answer(context, PageFiles.START));
        book.add(RestRoute.PAGE_FILE, context -> answer(context, context.pathParam("file")));
    }

    private void answer(Context context, String name) {
        PageFile file =
                files.file(name)
                        .orElseThrow(() ->
                                new NotFoundResponse(
                                        "the page has no file \"%s\"".formatted(name)));
        context.header("Content-Security-Policy", policy);
        context.header("X-Content-Type-Options", "nosniff");
        context.header("Referrer-Policy", "no-referrer");
        context.header("Cross-Origin-Opener-Policy", "same-origin");
        context.header("Cross-Origin-Resource-Policy", "same-origin");
        context.header("Cache-Control", "no-cache");
        context.header("ETag", file.tag());
        if (file.tag().equals(context.header("If-None-Match"))) {
            context.status(HttpStatus.NOT_MODIFIED);
            return;
        }
        context.contentType(file.contentType()).result(file.bytes());
    }
}
