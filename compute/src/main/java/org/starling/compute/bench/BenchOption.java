package org.starling.compute.bench;

import java.util.List;

/**
 * Something that can be chosen about a bench; its name is that of an option of the command line.
 */
public sealed interface BenchOption {
    /** In lower case, without dashes. */
    String name();

    /** For people: a few words. */
    String meaning();

    /**
     * A whole number.
     *
     * @param otherwise taken when none is given
     * @param min smallest allowed
     * @param max largest allowed
     */
    record Whole(String name, String meaning, long otherwise, long min, long max)
            implements BenchOption {}

    /**
     * One of some words.
     *
     * @param words all there are; the first is taken when none is given
     */
    record Word(String name, String meaning, List<String> words) implements BenchOption {
        /** Copies the words. */
        public Word {
            words = List.copyOf(words);
            if (words.isEmpty()) {
                throw new IllegalArgumentException("--" + name + " has no words");
            }
        }
    }

    /**
     * A folder, which need not exist.
     *
     * @param otherwise taken when none is given; relative to the working directory
     */
    record Folder(String name, String meaning, String otherwise) implements BenchOption {}

    /** Yes when given, else no. */
    record Flag(String name, String meaning) implements BenchOption {}
}
