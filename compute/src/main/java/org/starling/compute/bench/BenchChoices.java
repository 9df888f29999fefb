package org.starling.compute.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What was chosen of the options of a bench. Immutable.
 *
 * @param options all there are
 * @param given by name: a {@link Long} for a number, a {@link String} for a word, {@link Path} for
 *     a folder, {@link Boolean#TRUE} for a flag; within the bounds of its option
 */
public record BenchChoices(List<BenchOption> options, Map<String, Object> given) {
    /** Copies the collections and checks that everything given is an option's. */
    public BenchChoices {
        options = List.copyOf(options);
        given = Map.copyOf(given);
        for (Map.Entry<String, Object> choice : given.entrySet()) {
            if (!isAllowed(option(options, choice.getKey()), choice.getValue())) {
                throw new IllegalArgumentException(
                        "--%s can't be %s".formatted(choice.getKey(), choice.getValue()));
            }
        }
    }

    /** Whether the option was given. */
    public boolean isGiven(String name) {
        return given.containsKey(option(options, name).name());
    }

    /** The value of a {@link BenchOption.Whole}. */
    public long number(String name) {
        if (option(options, name) instanceof BenchOption.Whole whole) {
            return given.get(name) instanceof Long number ? number : whole.otherwise();
        }
        throw new IllegalArgumentException("--" + name + " is no number");
    }

    /** The value of a {@link BenchOption.Word}. */
    public String word(String name) {
        if (option(options, name) instanceof BenchOption.Word word) {
            return given.get(name) instanceof String text ? text : word.words().getFirst();
        }
        throw new IllegalArgumentException("--" + name + " is no word");
    }

    /** The value of a {@link BenchOption.Folder}. */
    public Path folder(String name) {
        if (option(options, name) instanceof BenchOption.Folder folder) {
            return given.get(name) instanceof Path path ? path : Path.of(folder.otherwise());
        }
        throw new IllegalArgumentException("--" + name + " is no folder");
    }

    /** Whether a {@link BenchOption.Flag} was given. */
    public boolean flag(String name) {
        if (option(options, name) instanceof BenchOption.Flag) {
            return given.containsKey(name);
        }
        throw new IllegalArgumentException("--" + name + " is no flag");
    }

    private static BenchOption option(List<BenchOption> options, String name) {
        return options.stream()
                .filter(option -> option.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no --" + name));
    }

    private static boolean isAllowed(BenchOption option, Object value) {
        return switch (option) {
            case BenchOption.Whole whole ->
                    value instanceof Long number && number >= whole.min() && number <= whole.max();
            case BenchOption.Word word ->
                    value instanceof String text && word.words().contains(text);
            case BenchOption.Folder folder -> value instanceof Path;
            case BenchOption.Flag flag -> value.equals(true);
        };
    }
}
