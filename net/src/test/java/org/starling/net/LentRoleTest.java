package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages and answers to a node whose threads receive while they wait. */
@Timeout(60)
final class LentRoleTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int CALLS = 4_000;
    private static final int MESSAGES = 8_000;

    @ParameterizedTest
    @EnumSource(names = "ETHERNET")
    void bringsEveryMessageOnceInOrderAndOneAtATime(Pair.Kind kind) throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger last = new AtomicInteger();
        AtomicReference<String> wrong = new AtomicReference<>("");
        try (Pair pair = new Pair(kind)) {
            pair.spins(2);
            Network asking = pair.node(1);
            Network other = pair.node(2);
            asking.handle(
                    Text.TYPE,
                    Execution.INLINE,
                    (source, text) -> {
                        if (inside.getAndIncrement() != 0) {
                            wrong.set("two handlers at a time");
                        }
                        if (text.number() != last.get() + 1) {
                            wrong.set(text.number() + " behind " + last);
                        }
                        last.set(text.number());
                        inside.getAndDecrement();
                    });
            CompletableFuture<?> _ = pair.serveLate(2);

            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> {
                        for (int i = 1; i <= MESSAGES; i++) {
                            other.send(1, new Text(i, ""));
                            if (i % 100 == 0) { // pauses in which the role is lent
                                pause();
                            }
                        }
                    });
            CompletableFuture<Void> beside =
                    CompletableFuture.runAsync(() -> ask(asking, CALLS / 10));
            ask(asking, CALLS);

            beside.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            sending.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            Await.that(() -> last.get() == MESSAGES, last::get);
            assertThat(wrong.get()).isEmpty();
        }
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(names = "ETHERNET_TLS")
    void bringsEveryMessageOnceInOrderAndOneAtATimeWithinTls(Pair.Kind kind) throws Exception {
        bringsEveryMessageOnceInOrderAndOneAtATime(kind);
    }

    /** Else a handler could run inside of what a thread does while it waits, under its locks. */
    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(names = {"ETHERNET", "ETHERNET_TLS"})
    void runsHandlersOnTheReceivingThreadAlone(Pair.Kind kind) throws Exception {
        AtomicInteger handled = new AtomicInteger();
        AtomicReference<String> wrong = new AtomicReference<>("");
        try (Pair pair = new Pair(kind)) {
            pair.spins(2);
            Network asking = pair.node(1);
            Network other = pair.node(2);
            asking.handle(
                    Text.TYPE,
                    Execution.INLINE,
                    (source, text) -> {
                        handled.incrementAndGet();
                        if (!Thread.currentThread().getName().startsWith("net-receive")) {
                            wrong.set(Thread.currentThread().getName());
                        }
                    });
            other.serveAsync(
                    Ask.TYPE,
                    Execution.INLINE,
                    (source, ask, responder) -> { // both are there at once
                        responder.respond(new Text(ask.number(), ""));
                        if (ask.number() % 100 == 0) {
                            other.send(1, new Text(1, ""));
                        }
                    });

            ask(asking, MESSAGES);

            Await.that(() -> handled.get() == MESSAGES / 100, handled::get);
            assertThat(wrong.get()).isEmpty();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void ask(Network asking, int times) {
        for (int i = 2; i < times + 2; i++) {
            assertThat(asking.request(2, new Ask(i), PATIENCE).join().number()).isEqualTo(i);
        }
    }
}
