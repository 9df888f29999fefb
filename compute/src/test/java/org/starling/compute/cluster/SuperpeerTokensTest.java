package org.starling.compute.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.Admission;
import org.starling.compute.access.TokenService.TokenView;
import org.starling.graph.InvalidInputException;
import org.starling.store.AccessRegistry;
import org.starling.store.StoreException;

/** Which tokens a superpeer takes, over a directory that a test holds. */
@Timeout(30)
final class SuperpeerTokensTest {
    private final AccessToken owner = AccessToken.fresh();
    private final AccessToken token = AccessToken.fresh();
    private final Registry registry = new Registry();
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");
    private long nanos = 7;

    private final SuperpeerTokens tokens = superpeer();

    /** Another one sees the same directory. */
    private final SuperpeerTokens other = superpeer();

    private SuperpeerTokens superpeer() {
        return new SuperpeerTokens(registry, owner, () -> now, () -> nanos);
    }

    @Test
    void letsTheOwnerDoAllWithoutAskingTheDirectory() {
        registry.isDown = true;

        assertThat(tokens.admit(owner.header()))
                .isEqualTo(new Admission.Admitted("owner", AccessRole.ADMIN));
    }

    @Test
    void knowsATokenEverywhereAsSoonAsItWasMade() {
        assertRefused(other, token.header(), "does not know");

        tokens.create("ann", AccessRole.SUBMIT, token.digest(), null);

        Admission ann = new Admission.Admitted("ann", AccessRole.SUBMIT);
        assertThat(other.admit(token.header())).isEqualTo(ann);
        assertThat(tokens.admit(token.header())).isEqualTo(ann);
        assertThat(tokens.list())
                .containsExactly(
                        new TokenView("ann", AccessRole.SUBMIT, "2026-01-02T03:04:05Z", null));
        assertThat(new String(registry.grants.get("ann"), StandardCharsets.UTF_8))
                .contains(token.digest())
                .doesNotContain(token.text().substring(4));
    }

    @Test
    void refusesARevokedTokenHereAtOnceAndElsewhereWithinASecond() {
        tokens.create("ann", AccessRole.READ, token.digest(), null);
        assertThat(other.admit(token.header())).isInstanceOf(Admission.Admitted.class);
        assertThat(tokens.admit(token.header())).isInstanceOf(Admission.Admitted.class);

        assertThat(tokens.revoke("ann")).isTrue();

        assertRefused(tokens, token.header(), "does not know");
        nanos += SuperpeerTokens.MEMORY.toNanos();
        assertRefused(other, token.header(), "does not know");
        assertThat(tokens.revoke("ann")).isFalse();
    }

    @Test
    void refusesATokenThatHasExpiredAndSaysWhen() {
        tokens.create("ann", AccessRole.READ, token.digest(), Duration.ofDays(1));
        now = now.plus(Duration.ofDays(1)).minusMillis(1);
        assertThat(tokens.admit(token.header())).isInstanceOf(Admission.Admitted.class);

        now = now.plusMillis(1);

        assertRefused(tokens, token.header(), "\"ann\" has expired at 2026-01-03T03:04:05Z");
    }

    @Test
    void takesNothingThatIsNoToken() {
        tokens.create("ann", AccessRole.READ, token.digest(), null);
        for (String header :
                new String[] {
                    null,
                    "",
                    "Bearer ",
                    token.text(),
                    "bearer " + token.text(),
                    token.header() + "0",
                    token.header().toUpperCase(java.util.Locale.ROOT),
                    "Bearer " + token.digest(),
                }) {
            assertRefused(tokens, header, "asks for a token");
        }
    }

    @Test
    void makesATokenOnceHoweverOftenItIsAsked() {
        tokens.create("ann", AccessRole.READ, token.digest(), null);
        other.create("ann", AccessRole.READ, token.digest(), null);

        String another = AccessToken.fresh().digest();
        assertThatThrownBy(() -> tokens.create("ann", AccessRole.READ, another, null))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("a token of \"ann\" already");
        assertThatThrownBy(() -> tokens.create("ann", AccessRole.ADMIN, token.digest(), null))
                .isInstanceOf(InvalidInputException.class);
        assertThat(tokens.admit(token.header()))
                .isEqualTo(new Admission.Admitted("ann", AccessRole.READ));
    }

    @Test
    void refusesNamesDigestsAndTimesThatCannotBe() {
        String digest = token.digest();
        for (String name : List.of("", "owner", "a b", "é", "a".repeat(65), "a/b")) {
            assertThatThrownBy(() -> tokens.create(name, AccessRole.READ, digest, null))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("can't be called \"" + name + "\"");
        }
        assertThatThrownBy(() -> tokens.create("ann", AccessRole.READ, "x", null))
                .hasMessageContaining("64 hexadecimal digits");
        for (Duration wrong : List.of(Duration.ZERO, Duration.ofDays(-1), Duration.ofDays(9999))) {
            assertThatThrownBy(() -> tokens.create("ann", AccessRole.READ, digest, wrong))
                    .hasMessageContaining("expires after");
        }
        assertThat(registry.grants).isEmpty();
    }

    @Test
    void letsNobodyInByARecordThatItCannotRead() {
        registry.grants.put("ann", "{\"role\": \"king\"}".getBytes(StandardCharsets.UTF_8));
        registry.grants.put("bob", new byte[] {1, 2, 3});

        assertRefused(tokens, token.header(), "does not know");
        assertThat(tokens.list()).isEmpty();
    }

    @Test
    void believesNothingForLongWhileTheDirectoryIsDown() {
        tokens.create("ann", AccessRole.READ, token.digest(), null);
        nanos++;
        assertThat(tokens.admit(token.header())).isInstanceOf(Admission.Admitted.class);
        registry.isDown = true;

        assertThat(tokens.admit(token.header())).isInstanceOf(Admission.Admitted.class);
        nanos += SuperpeerTokens.MEMORY.toNanos();
        assertThatThrownBy(() -> tokens.admit(token.header()))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("no leader");
    }

    /** However many strangers come, the directory is asked one question at a time. */
    @Test
    void asksOneQuestionAtATimeAndKeepsFewWaiting() throws Exception {
        registry.hold = new CountDownLatch(1);
        List<Future<Admission>> asked = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < SuperpeerTokens.MAX_ASKING; i++) {
                String header = AccessToken.fresh().header();
                asked.add(threads.submit(() -> tokens.admit(header)));
            }
            while (tokens.waiting() < SuperpeerTokens.MAX_ASKING) {
                Thread.onSpinWait();
            }

            assertThatThrownBy(() -> tokens.admit(token.header()))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("ask again");
            assertThat(tokens.admit(owner.header())).isInstanceOf(Admission.Admitted.class);

            registry.hold.countDown();
            for (Future<Admission> one : asked) {
                assertThat(one.get()).isInstanceOf(Admission.Refused.class);
            }
        }
        assertThat(registry.mostAtOnce.get()).isEqualTo(1);
        assertThat(tokens.waiting()).isZero();
    }

    private static void assertRefused(SuperpeerTokens tokens, String header, String sentence) {
        assertThat(tokens.admit(header))
                .isInstanceOfSatisfying(
                        Admission.Refused.class,
                        refused -> assertThat(refused.sentence()).contains(sentence));
    }

    /** The directory's part. */
    private static final class Registry implements AccessRegistry {
        private final Map<String, byte[]> grants = new TreeMap<>();
        private final AtomicInteger askers = new AtomicInteger();
        private final AtomicInteger mostAtOnce = new AtomicInteger();
        private volatile boolean isDown;
        private volatile CountDownLatch hold = new CountDownLatch(0);

        @Override
        public synchronized boolean grant(String name, byte[] grant) {
            return grants.putIfAbsent(name, grant) == null;
        }

        @Override
        public synchronized boolean revoke(String name) {
            return grants.remove(name) != null;
        }

        @Override
        public Map<String, byte[]> grants() {
            mostAtOnce.accumulateAndGet(askers.incrementAndGet(), Math::max);
            try {
                hold.await();
                if (isDown) {
                    throw new StoreException("no leader");
                }
                synchronized (this) {
                    return new TreeMap<>(grants);
                }
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            } finally {
                askers.decrementAndGet();
            }
        }
    }
}
