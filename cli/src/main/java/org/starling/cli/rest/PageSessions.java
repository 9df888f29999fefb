package org.starling.cli.rest;

import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.SessionSeal;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.script.InvalidJsonException;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;

/**
 * Sessions of people at the page, see {@code docs/design/page.md}. Nothing of them is kept here: a
 * cookie holds the sealed token, and is worth nothing without the page's key, which only scripts of
 * the page's own origin can read; of the key the seal holds a digest. A ticket is the same for the
 * minute in which a page moves on to another superpeer. Any thread.
 */
final class PageSessions {
    /** The header with the page's key. */
    static final String KEY_HEADER = "X-Starling-Page";

    /** So long after the token was shown it is asked for again. */
    static final Duration LIFETIME = Duration.ofHours(8);

    /** So long a page can move on to another superpeer after the last word of its own. */
    static final Duration TICKET_LIFETIME = Duration.ofMinutes(2);

    private static final String COOKIE = "starling-";
    private static final String TICKET_SCHEME = "Ticket ";
    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final int KEY_BYTES = 32;

    /** What a seal is for. */
    private enum Purpose {
        SESSION,
        TICKET
    }

    /**
     * What is sealed.
     *
     * @param authorization header with the token
     * @param keyDigest of the page's key
     * @param until when this seal is worth nothing any more, in milliseconds of the epoch
     * @param end the same for the session
     */
    private record Sealed(
            Purpose purpose, String authorization, String keyDigest, long until, long end) {}

    /**
     * A session that has begun.
     *
     * @param key for the page
     * @param cookie for the header {@code Set-Cookie}
     * @param end when the token has to be shown again
     */
    record Begun(String key, String cookie, Instant end) {}

    private final SessionSeal seal;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    PageSessions(SessionSeal seal, InstantSource clock) {
        this.seal = seal;
        this.clock = clock;
    }

    /**
     * The header {@value AccessToken#HEADER} that a request has, or that its cookie stands for;
     * null for none.
     *
     * @param begins whether it is to begin a session: a ticket does, too, and a session does not
     */
    @Nullable String authorization(Context context, boolean begins) {
        String header = context.header(AccessToken.HEADER);
        if (header == null) {
            return !begins && fromOwnPage(context)
                    ? open(Purpose.SESSION, context.cookie(cookieName(context)), context)
                            .map(Sealed::authorization)
                            .orElse(null)
                    : null;
        }
        if (begins && header.startsWith(TICKET_SCHEME)) {
            return ticket(context).map(Sealed::authorization).orElse(null);
        }
        return header;
    }

    /** Begins a session for whoever was let in with that header. */
    Begun begin(Context context, String authorization) {
        Instant end =
                ticket(context)
                        .map(sealed -> Instant.ofEpochMilli(sealed.end()))
                        .orElseGet(() -> clock.instant().plus(LIFETIME));
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        String key = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        String sealed =
                seal(
                        new Sealed(
                                Purpose.SESSION,
                                authorization,
                                digest(key),
                                end.toEpochMilli(),
                                end.toEpochMilli()));
        long seconds = Math.max(0, Duration.between(clock.instant(), end).toSeconds());
        return new Begun(key, cookie(context, sealed, seconds), end);
    }

    /** What the page needs at another superpeer; nothing if a request is none of a session. */
    Optional<String> ticketFor(Context context) {
        return session(context)
                .map(own ->
                        seal(
                                new Sealed(
                                        Purpose.TICKET,
                                        own.authorization(),
                                        own.keyDigest(),
                                        Math.min(
                                                own.end(),
                                                clock.instant()
                                                        .plus(TICKET_LIFETIME)
                                                        .toEpochMilli()),
                                        own.end())));
    }

    /** When the session of a request ends; nothing if it is none of a session. */
    Optional<Instant> end(Context context) {
        return session(context).map(own -> Instant.ofEpochMilli(own.end()));
    }

    /** A header {@code Set-Cookie} that lets a browser forget the session. */
    static String forget(Context context) {
        return cookie(context, "", 0);
    }

    private Optional<Sealed> session(Context context) {
        return context.header(AccessToken.HEADER) == null
                ? open(Purpose.SESSION, context.cookie(cookieName(context)), context)
                : Optional.empty();
    }

    private Optional<Sealed> ticket(Context context) {
        String header = context.header(AccessToken.HEADER);
        return header != null && header.startsWith(TICKET_SCHEME)
                ? open(Purpose.TICKET, header.substring(TICKET_SCHEME.length()), context)
                : Optional.empty();
    }

    /** Browsers say where a request comes from; others have no cookies that they did not make. */
    private static boolean fromOwnPage(Context context) {
        String site = context.header("Sec-Fetch-Site");
        return site == null || site.equals("same-origin");
    }

    private Optional<Sealed> open(Purpose purpose, @Nullable String closed, Context context) {
        String key = context.header(KEY_HEADER);
        if (closed == null || key == null || !KEY.matcher(key).matches()) {
            return Optional.empty();
        }
        return seal.open(closed)
                .flatMap(PageSessions::read)
                .filter(sealed -> sealed.purpose() == purpose)
                .filter(sealed -> sealed.until() > clock.millis())
                .filter(sealed -> isSame(sealed.keyDigest(), digest(key)));
    }

    private static Optional<Sealed> read(String text) {
        try {
            return Optional.of(RecordJson.PLAIN.of(Sealed.class, JsonText.parse(text)));
        } catch (InvalidJsonException | IllegalArgumentException otherVersion) {
            return Optional.empty();
        }
    }

    private String seal(Sealed sealed) {
        return seal.close(JsonText.write(RecordJson.PLAIN.tree(sealed)));
    }

    private static boolean isSame(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    private static String digest(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(key.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }

    /** Cookies do not tell ports apart, so the name does. */
    private static String cookieName(Context context) {
        return COOKIE + context.req().getServerPort();
    }

    private static String cookie(Context context, String value, long seconds) {
        return "%s=%s; Path=/api/v1; Max-Age=%d; HttpOnly; SameSite=Strict%s"
                .formatted(
                        cookieName(context),
                        value,
                        seconds,
                        context.scheme().equals("https") ? "; Secure" : "");
    }
}
