package org.starling.compute.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.NearestName;
import org.starling.graph.InvalidInputException;
import org.starling.net.TlsOptions;

/** Whether nodes of different processes prove to each other who they are, and with what. */
public sealed interface NodeTls {

    /** Without files of the user's. */
    enum Word implements NodeTls {
        /** They believe each other. */
        OFF,
        /** With keys that are made for the cluster when it starts. */
        GENERATED
    }

    /**
     * With the user's own keys.
     *
     * @param options the files, see there
     */
    record Files(TlsOptions options) implements NodeTls {}

    /**
     * Reads what {@link #tree} makes.
     *
     * @throws InvalidInputException if it is something else
     */
    static NodeTls of(@Nullable Object tree) {
        if (tree instanceof Map<?, ?> files) {
            return new Files(
                    new TlsOptions(
                            file(files, "certificate"),
                            file(files, "key"),
                            file(files, "authority")));
        }
        for (Word word : Word.values()) {
            if (word.tree().equals(tree)) {
                return word;
            }
        }
        throw new InvalidInputException(
                "expected \"off\", \"generated\" or an object with certificate, key and authority,"
                        + " found "
                        + JsonText.write(tree));
    }

    /** As JSON: a word, or an object with the names of three files. */
    default Object tree() {
        return switch (this) {
            case Word word -> word.name().toLowerCase(Locale.ROOT);
            case Files(TlsOptions files) -> {
                Map<String, @Nullable Object> tree = new LinkedHashMap<>();
                tree.put("certificate", files.certificate().toString());
                tree.put("key", files.key().toString());
                tree.put("authority", files.authority().toString());
                yield tree;
            }
        };
    }

    /** The same, with names of files that are relative to a folder made absolute. */
    default NodeTls within(Path folder) {
        return switch (this) {
            case Word word -> word;
            case Files(TlsOptions files) ->
                    new Files(
                            new TlsOptions(
                                    folder.resolve(files.certificate()).toAbsolutePath(),
                                    folder.resolve(files.key()).toAbsolutePath(),
                                    folder.resolve(files.authority()).toAbsolutePath()));
        };
    }

    /** The files that must be there before anything starts. */
    default List<Path> needed() {
        return switch (this) {
            case Word word -> List.of();
            case Files(TlsOptions files) ->
                    List.of(files.certificate(), files.key(), files.authority());
        };
    }

    /**
     * The files of one process.
     *
     * @throws IllegalStateException if they have yet to be made
     */
    default @Nullable TlsOptions files() {
        return switch (this) {
            case Word.OFF -> null;
            case Word.GENERATED -> throw new IllegalStateException("the keys are not made yet");
            case Files(TlsOptions files) -> files;
        };
    }

    private static Path file(Map<?, ?> files, String name) {
        List<String> known = List.of("certificate", "key", "authority");
        for (Object key : files.keySet()) {
            if (!known.contains(key.toString())) {
                throw new InvalidInputException(
                        "unknown key \"%s\"%s"
                                .formatted(key, NearestName.hint(key.toString(), known)));
            }
        }
        if (files.get(name) instanceof String text && !text.isBlank() && text.indexOf('\0') < 0) {
            return Path.of(text);
        }
        throw new InvalidInputException("expected the name of a file as \"" + name + "\"");
    }
}
