package org.starling.loaders;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Something that is made when it is first asked for, and then kept. Safe for several threads. */
final class Kept<T> {
    private final Maker<T> maker;

    /** Guarded by this. */
    private @Nullable T made;

    Kept(Maker<T> maker) {
        this.maker = maker;
    }

    /** Makes it. */
    @FunctionalInterface
    interface Maker<T> {
        T make() throws IOException;
    }

    synchronized T get() throws IOException {
        T known = made;
        if (known == null) {
            known = maker.make();
            made = known;
        }
        return known;
    }

    /** The same where it has been made before, so that nothing is read any more. */
    T known() {
        try {
            return get();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
