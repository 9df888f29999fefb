package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.NearestName;
import org.starling.graph.InvalidInputException;

/**
 * Reads {@code starling.json}. All that is wrong with it is said at once, one line each with the
 * key and what it should be. Used once, by one thread.
 */
final class SettingsFile {
    /** Name in the working directory of the file that is read without being asked for. */
    static final String USUAL_NAME = "starling.json";

    /** For values that the machine decides. */
    static final String AUTO = "auto";

    private static final long MAX_BYTES = 1 << 20;

    private final Map<?, ?> members;
    private final List<String> problems = new ArrayList<>();

    private SettingsFile(Map<?, ?> members) {
        this.members = members;
    }

    /**
     * Reads a file.
     *
     * @throws InvalidInputException if it is missing or anything in it is wrong
     */
    static Settings read(Path file) {
        String text;
        try {
            if (!Files.isRegularFile(file)) {
                throw new InvalidInputException(
                        "there is no configuration "
                                + file
                                + "; \"starling config init\" writes one");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new InvalidInputException(
                        file + " is too large for a configuration (" + MAX_BYTES + " bytes)");
            }
            text = Files.readString(file);
        } catch (IOException unreadable) {
            throw new InvalidInputException(file + " can't be read: " + unreadable, unreadable);
        }
        return parse(file.toString(), text);
    }

    static Settings parse(String label, String text) {
        Object tree;
        try {
            tree = JsonText.parse(text);
        } catch (InvalidInputException wrong) {
            throw new InvalidInputException(label + ": " + wrong.getMessage(), wrong);
        }
        if (!(tree instanceof Map<?, ?> members)) {
            throw new InvalidInputException(label + ": expected an object with settings");
        }
        SettingsFile file = new SettingsFile(members);
        Settings settings = file.settings();
        if (!file.problems.isEmpty()) {
            throw new InvalidInputException(
                    String.join(
                            "\n",
                            file.problems.stream().map(line -> label + ": " + line).toList()));
        }
        return settings;
    }

    /** How a choice is written. */
    static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    /** Throws if a transport was asked for that the peers can't use. */
    static void checkTransport(Settings settings) {
        Settings.Transport transport = settings.transport();
        if (transport == Settings.Transport.LOOPBACK && settings.processes()) {
            throw new InvalidInputException(
                    "transport: separate processes can't use loopback; take \"ethernet\" or"
                            + " \"auto\"");
        }
        if (transport == Settings.Transport.ETHERNET && !settings.processes()) {
            throw new InvalidInputException(
                    "transport: peers in one process use loopback; take \"auto\" or separate"
                            + " processes");
        }
    }

    private Settings settings() {
        Settings defaults = Settings.DEFAULT;
        List<String> known = List.copyOf(defaults.tree().keySet());
        for (Object key : members.keySet()) {
            if (!known.contains(key.toString())) {
                problems.add(key + ": unknown key" + NearestName.hint(key.toString(), known));
            }
        }
        return new Settings(
                value("peers", defaults.peers(), value -> count(value, Settings.MAX_PEERS)),
                value("processes", defaults.processes(), SettingsFile::flag),
                value("threadsPerPeer", defaults.threadsPerPeer(), SettingsFile::threads),
                value("memoryPerPeer", defaults.memoryPerPeer(), SettingsFile::memory),
                value("transport", defaults.transport(), SettingsFile::transport),
                value("progressInterval", defaults.progressInterval(), SettingsFile::duration),
                value("cancelTimeout", defaults.cancelTimeout(), SettingsFile::duration));
    }

    private <T> T value(String key, T otherwise, Function<Object, T> reader) {
        Object value = members.get(key);
        if (value == null) {
            if (members.containsKey(key)) {
                problems.add(key + ": null is no value; leave the key out for its default");
            }
            return otherwise;
        }
        try {
            return reader.apply(value);
        } catch (InvalidInputException wrong) {
            problems.add(key + ": " + wrong.getMessage());
            return otherwise;
        }
    }

    private static int count(Object value, int max) {
        if (value instanceof Long number && number >= 1 && number <= max) {
            return number.intValue();
        }
        throw new InvalidInputException(
                "expected a whole number from 1 to %d, found %s".formatted(max, shown(value)));
    }

    private static boolean flag(Object value) {
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw new InvalidInputException("expected true or false, found " + shown(value));
    }

    private static int threads(Object value) {
        return value.equals(AUTO) ? 0 : count(value, Settings.MAX_THREADS);
    }

    private static ByteSize memory(Object value) {
        if (value.equals(AUTO)) {
            return Settings.DEFAULT.memoryPerPeer();
        }
        ByteSize size = ByteSize.parse(text(value));
        if (size.bytes() < Settings.MIN_MEMORY.bytes()) {
            throw new InvalidInputException(
                    "expected at least " + Settings.MIN_MEMORY + ", found " + shown(value));
        }
        return size;
    }

    private static Settings.Transport transport(Object value) {
        String text = text(value);
        List<String> words = new ArrayList<>();
        for (Settings.Transport transport : Settings.Transport.values()) {
            if (word(transport).equals(text)) {
                return transport;
            }
            words.add(word(transport));
        }
        throw new InvalidInputException(
                "expected one of %s, found %s".formatted(String.join(", ", words), shown(value)));
    }

    private static Duration duration(Object value) {
        return TimeSpan.parse(text(value));
    }

    private static String text(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new InvalidInputException("expected a text with a unit, found " + shown(value));
    }

    private static String shown(Object value) {
        return JsonText.write(value);
    }
}
