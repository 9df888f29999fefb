package org.starling.compute.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessGate;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.Admission;
import org.starling.compute.access.TokenService;
import org.starling.compute.script.RecordJson;
import org.starling.graph.InvalidInputException;
import org.starling.store.AccessRegistry;

/**
 * The tokens that a node takes: the one in the cluster's folder, whose owner may do all, and those
 * that the directory keeps by their digests. Superpeers make and revoke them; peers look at them
 * alone.
 *
 * <p>What the directory said is believed for {@link #MEMORY}. A token that is not in it is asked
 * for, so one that has just been made is known everywhere at once. Whoever brings tokens that there
 * are not makes a superpeer ask for one list at a time, however many they bring, and no more than
 * {@value #MAX_ASKING} threads wait for it. Any thread.
 */
public final class SuperpeerTokens implements TokenService, AccessGate {
    /** What the token in the cluster's folder is called. */
    public static final String OWNER = "owner";

    /** So long a revoked token may pass at superpeers that have not been asked to revoke it. */
    public static final Duration MEMORY = Duration.ofSeconds(1);

    /** Most requests that wait for the directory to say who they are from. */
    static final int MAX_ASKING = 32;

    private static final Duration MAX_LIFETIME = Duration.ofDays(3650);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@-]{1,64}");
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    private static final String STRANGER =
            "this cluster asks for a token, and there is none in the request, or one that it does"
                    + " not know (any more): send \"Authorization: Bearer …\" with the text of the file"
                    + " \"token\" in the cluster's folder, or of a token that \"starling tokens"
                    + " create\" made (commands: --data DIR or --token FILE)";

    /** What the directory keeps of a token; JSON. */
    private record Grant(AccessRole role, String digest, long created, long expires) {
        /** The {@link #expires} of a token that never does. */
        static final long NEVER = 0;

        /** Nothing for what this version can't read: nobody is let in by it. */
        static Optional<Grant> of(byte[] bytes) {
            return RecordJson.PLAIN.ofBytes(Grant.class, bytes);
        }

        boolean hasExpired(Instant now) {
            return expires != NEVER && expires <= now.toEpochMilli();
        }
    }

    private record Named(String name, Grant grant) {}

    /**
     * What the directory has said.
     *
     * @param asked when it was asked, in nanoseconds of the clock that only goes forward
     */
    private record Known(Map<String, Named> byDigest, long asked) {}

    private final AccessRegistry registry;
    private final @Nullable AccessToken owner;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Semaphore asking = new Semaphore(MAX_ASKING);

    /** The last answer. */
    private volatile @Nullable Known known;

    /** Answers to questions from before this superpeer has changed something are not believed. */
    private volatile long changed;

    /** The question that is under way, with the time when it began. */
    private final AtomicReference<@Nullable Question> underWay = new AtomicReference<>();

    private record Question(CompletableFuture<Known> answer, long asked) {}

    /**
     * The tokens of a cluster.
     *
     * @param owner the token in the cluster's folder; null if this node has none
     * @param clock by which tokens expire
     * @param nanos a clock that only goes forward
     */
    public SuperpeerTokens(
            AccessRegistry registry,
            @Nullable AccessToken owner,
            InstantSource clock,
            LongSupplier nanos) {
        this.registry = registry;
        this.owner = owner;
        this.clock = clock;
        this.nanos = nanos;
        this.changed = nanos.getAsLong();
    }

    @Override
    public Admission admit(@Nullable String header) {
        if (owner != null && owner.admits(header)) {
            return new Admission.Admitted(OWNER, AccessRole.ADMIN);
        }
        Optional<String> digest = AccessToken.digestIn(header);
        Named named = digest.map(this::find).orElse(null);
        if (named == null) {
            return new Admission.Refused(STRANGER);
        }
        Grant grant = named.grant();
        if (grant.hasExpired(clock.instant())) {
            return new Admission.Refused(
                    "the token of \"%s\" has expired at %s; \"starling tokens create\" makes another one (commands take it by --token FILE)"
                            .formatted(named.name(), Instant.ofEpochMilli(grant.expires())));
        }
        return new Admission.Admitted(named.name(), grant.role());
    }

    @Override
    public void create(String name, AccessRole role, String digest, @Nullable Duration lifetime) {
        check(name, digest, lifetime);
        Instant now = clock.instant();
        Grant grant =
                new Grant(
                        role,
                        digest,
                        now.toEpochMilli(),
                        lifetime == null ? Grant.NEVER : now.plus(lifetime).toEpochMilli());
        if (!SuperpeerService.ask(() -> registry.grant(name, RecordJson.PLAIN.bytes(grant)))) {
            Named there = SuperpeerService.ask(this::byDigest).get(digest);
            boolean isAgain =
                    there != null && there.name().equals(name) && there.grant().role() == role;
            if (!isAgain) {
                throw new InvalidInputException(
                        "there is a token of \"%s\" already; take another name, or revoke it first"
                                .formatted(name));
            }
        }
        changed = nanos.getAsLong();
    }

    private static void check(String name, String digest, @Nullable Duration lifetime) {
        if (!NAME.matcher(name).matches() || name.equals(OWNER)) {
            throw new InvalidInputException(
                    "a token can't be called \"%s\": expected 1 to 64 of A–Z, a–z, 0–9 and \"._@-\", and not \"%s\", which is the token in the cluster's folder"
                            .formatted(name, OWNER));
        }
        if (!DIGEST.matcher(digest).matches()) {
            throw new InvalidInputException(
                    "digest: expected the SHA-256 of the token, 64 hexadecimal digits in lower"
                            + " case");
        }
        if (lifetime != null && (!lifetime.isPositive() || lifetime.compareTo(MAX_LIFETIME) > 0)) {
            throw new InvalidInputException(
                    "a token expires after 1 second to %d days, or never"
                            .formatted(MAX_LIFETIME.toDays()));
        }
    }

    @Override
    public List<TokenView> list() {
        List<TokenView> tokens = new ArrayList<>();
        SuperpeerService.ask(registry::grants)
                .forEach((name, bytes) ->
                        Grant.of(bytes).ifPresent(grant -> tokens.add(view(name, grant))));
        return tokens;
    }

    private static TokenView view(String name, Grant grant) {
        return new TokenView(
                name,
                grant.role(),
                Instant.ofEpochMilli(grant.created()).toString(),
                grant.expires() == Grant.NEVER
                        ? null
                        : Instant.ofEpochMilli(grant.expires()).toString());
    }

    @Override
    public boolean revoke(String name) {
        boolean isRevoked = SuperpeerService.ask(() -> registry.revoke(name));
        changed = nanos.getAsLong();
        return isRevoked;
    }

    /** How many requests wait for the directory now. */
    int waiting() {
        return MAX_ASKING - asking.availablePermits();
    }

    private @Nullable Named find(String digest) {
        Known now = known;
        if (now != null
                && now.asked() - changed > 0
                && nanos.getAsLong() - now.asked() < MEMORY.toNanos()) {
            Named named = now.byDigest().get(digest);
            if (named != null) {
                return named;
            }
        }
        if (!asking.tryAcquire()) {
            throw new ClusterException(
                    "%d requests wait to be told from those of strangers, no more can; ask again"
                            .formatted(MAX_ASKING));
        }
        try {
            return askedSince(nanos.getAsLong()).byDigest().get(digest);
        } finally {
            asking.release();
        }
    }

    /** An answer to a question that was not put before a certain time. */
    private Known askedSince(long time) {
        while (true) {
            Question question = underWay.get();
            if (question == null) {
                Question mine = new Question(new CompletableFuture<>(), nanos.getAsLong());
                if (underWay.compareAndSet(null, mine)) {
                    return put(mine);
                }
            } else if (question.asked() - time >= 0) {
                return answer(question);
            } else {
                boolean _ = question.answer().handle((_, _) -> true).join();
            }
        }
    }

    /** Whoever has put it waits for it like the others. */
    private Known put(Question question) {
        try {
            Known answer = new Known(SuperpeerService.ask(this::byDigest), question.asked());
            known = answer;
            underWay.set(null);
            question.answer().complete(answer);
        } catch (RuntimeException | Error failed) {
            underWay.set(null);
            question.answer().completeExceptionally(failed);
        }
        return answer(question);
    }

    private static Known answer(Question question) {
        try {
            return question.answer().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof ClusterException down
                    ? new ClusterException(String.valueOf(down.getMessage()), down)
                    : failed;
        }
    }

    private Map<String, Named> byDigest() {
        Map<String, Named> byDigest = new HashMap<>();
        registry.grants()
                .forEach((name, bytes) ->
                        Grant.of(bytes)
                                .ifPresent(grant ->
                                        byDigest.putIfAbsent(
                                                grant.digest(), new Named(name, grant))));
        return byDigest;
    }
}
