package org.starling.compute.internal.group;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a job leaves when nothing happens: found out once, on the first group that is asked. */
final class Undisturbed<T> {
    private @Nullable T left;

    /**
     * What it leaves.
     *
     * @param job runs it, if nobody has
     */
    synchronized T orFrom(Supplier<T> job) {
        T known = left;
        if (known == null) {
            known = job.get();
            left = known;
        }
        return known;
    }
}
