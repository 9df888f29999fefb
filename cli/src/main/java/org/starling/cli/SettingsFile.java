package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.NearestName;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * Reads {@code starling.json}. All that is wrong with it is said at once, one line each with the
 * key and what it should be. Used once, by one thread.
 */
final class SettingsFile {
    /** Name in the working directory of the file that is read without being asked for. */
    static final String USUAL_NAME = "starling.json";

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
                        "there is no configuration %s; \"starling config init\" writes one"
                                .formatted(file));
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new InvalidInputException(
                        file + " is too large for a configuration (" + MAX_BYTES + " bytes)");
            }
            text = Files.readString(file);
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file has one");
        return parse(file.toString(), text).within(folder);
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

    private Settings settings() {
        List<String> known = Settings.ALL.stream().map(Setting::key).toList();
        for (Object key : members.keySet()) {
            if (!known.contains(key.toString())) {
                problems.add(key + ": unknown key" + NearestName.hint(key.toString(), known));
            }
        }
        Settings settings = Settings.DEFAULT;
        for (Setting<?> setting : Settings.ALL) {
            if (members.containsKey(setting.key())) {
                settings = with(settings, setting, members.get(setting.key()));
            }
        }
        return settings;
    }

    private <T> Settings with(Settings settings, Setting<T> setting, @Nullable Object value) {
        try {
            if (value != null) {
                return settings.with(setting, setting.read().apply(value));
            }
            problems.add(setting.key() + ": null is no value; leave the key out for its default");
        } catch (InvalidInputException wrong) {
            problems.add(setting.key() + ": " + wrong.getMessage());
        }
        return settings;
    }
}
