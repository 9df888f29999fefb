package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits in tests for what comes soon and tells nobody. */
public final class Await {

    private Await() {}

    /** Waits up to ten seconds until the condition holds, and fails when it does not. */
    public static void that(BooleanSupplier condition) throws InterruptedException {
        that(condition, () -> "waited ten seconds");
    }

    /** The same; a failure shows what things are like then. */
    public static void that(BooleanSupplier condition, Supplier<?> state)
            throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
            assertThat(never.await(2, TimeUnit.MILLISECONDS)).isFalse();
        }
        assertThat(condition.getAsBoolean()).as(() -> String.valueOf(state.get())).isTrue();
    }
}
