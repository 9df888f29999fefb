package org.starling.cli;

import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.starling.compute.script.NearestName;

/** One word after {@code ./starling}. Stateless; runs on the main thread. */
abstract class Command {
    private final String name;
    private final String operands;
    private final String summary;

    /**
     * A command.
     *
     * @param name the word
     * @param operands what follows it, for the first line of its help; without options
     * @param summary one sentence
     */
    Command(String name, String operands, String summary) {
        this.name = name;
        this.operands = operands;
        this.summary = summary;
    }

    final String name() {
        return name;
    }

    String operands() {
        return operands;
    }

    final String summary() {
        return summary;
    }

    /** Its own options; those that every command has are added. */
    abstract Options options();

    /**
     * Does the work. Problems are exceptions: {@link UsageException} for wrong words, and those of
     * {@code org.starling.graph} for the rest.
     */
    abstract ExitCode run(CommandLine line, Terminal terminal, Interruption interruption);

    /** An option that takes a value. */
    static Option valued(String option, String value, String meaning) {
        return Option.builder().longOpt(option).hasArg().argName(value).desc(meaning).get();
    }

    /** An option that is given or not. */
    static Option flag(String option, String meaning) {
        return Option.builder().longOpt(option).desc(meaning).get();
    }

    /** Options in the order in which help tells them. */
    static Options optionsOf(Option... options) {
        return with(new Options(), options);
    }

    /** These options, and more of them. */
    static Options with(Options options, Option... more) {
        for (Option option : more) {
            options.addOption(option);
        }
        return options;
    }

    /** The only operand, which is what is said. */
    final String operand(CommandLine line, String what) {
        int found = line.getArgList().size();
        if (found != 1) {
            throw new UsageException(
                    "%s needs one %s, found %d; see starling %s --help"
                            .formatted(name, what, found, name));
        }
        return line.getArgList().getFirst();
    }

    /** Refuses words that are no options. */
    final void requireNoOperands(CommandLine line) {
        if (!line.getArgList().isEmpty()) {
            throw new UsageException(
                    "%s takes options only, found \"%s\""
                            .formatted(name, line.getArgList().getFirst()));
        }
    }

    /** Refuses fewer or more words than a verb has with it; {@code needs} says what it takes. */
    final void requireWords(CommandLine line, int words, String needs) {
        int found = line.getArgList().size();
        if (found != words) {
            throw new UsageException(
                    "%s %s, found %d more; see starling %s --help"
                            .formatted(name, needs, found - 1, name));
        }
    }

    /** What is wrong with a word that is none of those that can follow; empty if none does. */
    final UsageException unknown(String word, List<String> words) {
        return new UsageException(
                "%s needs one of %s%s".formatted(name, listed(words), found(word, words)));
    }

    /** What stood there instead, and what was perhaps meant; empty if nothing did. */
    static String found(String word, List<String> words) {
        return word.isEmpty() ? "" : ", found \"" + word + "\"" + NearestName.hint(word, words);
    }

    /** "a, b and c". */
    static String listed(List<String> words) {
        return String.join(", ", words.subList(0, words.size() - 1)) + " and " + words.getLast();
    }

    /** The only operand; empty if there is none, or more. */
    static String verb(CommandLine line) {
        return line.getArgList().size() == 1 ? line.getArgList().getFirst() : "";
    }
}
