package org.starling.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that are packaged with this room. */
final class Resource {
    private Resource() {}

    /** A text by its name beside this class, or by its absolute one. */
    static String text(String name) {
        try (InputStream stream = Resource.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(name + " is missing in the jars");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
