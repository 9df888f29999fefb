package org.starling.cli.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that are packaged with this room. */
public final class PackagedText {
    private PackagedText() {}

    /**
     * A text.
     *
     * @param beside a class of its package
     * @param name its name there, or its absolute one
     */
    public static String of(Class<?> beside, String name) {
        try (InputStream stream = beside.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(name + " is missing in the jars");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
