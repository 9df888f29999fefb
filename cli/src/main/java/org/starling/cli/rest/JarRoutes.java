package org.starling.cli.rest;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import io.javalin.http.NotFoundResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.starling.compute.cluster.ClusterClient;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JarInUseException;
import org.starling.compute.cluster.JarService;
import org.starling.compute.cluster.JarService.JarView;
import org.starling.compute.jars.JarRules;
import org.starling.compute.jars.UserJar;

/**
 * What each path of jars does: which are missing, bring one, list and remove. Stateless but for the
 * service; any of the server's threads.
 */
final class JarRoutes {
    static final String JARS = ClusterClient.PATH + "/jars";
    private static final String MEDIA_TYPE = "application/java-archive";
    private static final int BLOCK_BYTES = 64 << 10;

    private final ClusterService service;

    JarRoutes(ClusterService service) {
        this.service = service;
    }

    void addTo(RouteBook book, RoutesConfig routes) {
        book.add(RestRoute.JARS, this::list);
        book.add(RestRoute.MISSING_JARS, this::missing);
        book.add(RestRoute.BRING_JAR, this::bring);
        book.add(RestRoute.REMOVE_JAR, this::remove);
        RestRoutes.addFailure(routes, JarInUseException.class, HttpStatus.CONFLICT);
    }

    /** Whether the body is a jar, which may be longer than other bodies. */
    static boolean isJar(Context context) {
        return context.method().name().equals("PUT") && context.path().startsWith(JARS + "/");
    }

    private void list(Context context) {
        RestRoutes.list(context, "jars", jars().list(), JarView::tree);
    }

    private void missing(Context context) throws IOException {
        Asked asked = RestRoutes.sent(context, Asked.class, "the question is submitted");
        RestRoutes.answer(context, Map.of("missing", jars().missing(asked.jars())));
    }

    private record Asked(List<JarView> jars) {}

    private void bring(Context context) throws IOException {
        RestRoutes.requireType(context, MEDIA_TYPE, "a jar is submitted");
        String digest = UserJar.checkDigest(context.pathParam("digest"));
        String asked = context.queryParam("name");
        String name = UserJar.checkName(asked == null ? digest + ".jar" : asked);
        long length = context.req().getContentLengthLong();
        // what can't be kept is refused before a byte of it is read
        jars().missing(List.of(new JarView(digest, name, Math.max(0, length), List.of())));
        Path file = Files.createTempFile("starling-upload-", ".jar");
        try {
            receive(context, file);
            jars().bring(digest, name, file);
        } finally {
            Files.deleteIfExists(file);
        }
        RestRoutes.answer(context, HttpStatus.CREATED, Map.of("digest", digest));
    }

    /** The body, whose length may not have been declared. */
    private static void receive(Context context, Path file) throws IOException {
        byte[] block = new byte[BLOCK_BYTES];
        long bytes = 0;
        try (InputStream in = context.req().getInputStream();
                OutputStream out = Files.newOutputStream(file)) {
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                bytes += read;
                if (bytes > JarRules.MAX_BYTES) {
                    throw new HttpResponseException(
                            HttpStatus.CONTENT_TOO_LARGE,
                            "a jar has at most %d bytes".formatted(JarRules.MAX_BYTES),
                            Map.of());
                }
                out.write(block, 0, read);
            }
        }
    }

    private void remove(Context context) {
        String digest = UserJar.checkDigest(context.pathParam("digest"));
        if (!jars().remove(digest)) {
            throw new NotFoundResponse("there is no jar " + digest);
        }
        RestRoutes.answer(context, Map.of("removed", digest));
    }

    private JarService jars() {
        return service.jars();
    }
}
