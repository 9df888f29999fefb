package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.NodeTls;
import org.starling.compute.cluster.NodeTuning;
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

    /** For values that the machine decides. */
    static final String AUTO = "auto";

    private static final long MAX_BYTES = 1 << 20;

    /** Most folders that are allowed beside the working directory. */
    private static final int MAX_FOLDERS = 16;

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
            throw new InvalidInputException(
                    file + " can't be read: " + FileTrouble.reason(unreadable), unreadable);
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

    /** How a choice is written. */
    static String word(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    /** How a text is written of which the empty one stands for {@link #AUTO}. */
    static String textOrAuto(String text) {
        return text.isEmpty() ? AUTO : text;
    }

    /** How a size is written of which 0 bytes stand for {@link #AUTO}. */
    static String sizeOrAuto(ByteSize size) {
        return size.bytes() == 0 ? AUTO : size.toString();
    }

    /** Throws if a transport was asked for that the peers can't use, or keys that are not there. */
    static void checkTransport(Settings settings) {
        Settings.Transport transport = settings.transport();
        if (transport == Settings.Transport.LOOPBACK && settings.processes()) {
            throw new InvalidInputException(
                    "transport: separate processes can't use loopback; take \"ethernet\" or"
                            + " \"auto\"");
        }
        boolean sockets =
                transport == Settings.Transport.ETHERNET
                        || transport == Settings.Transport.INFINIBAND;
        if (sockets && !settings.processes()) {
            throw new InvalidInputException(
                    "transport: peers in one process use loopback; take \"auto\" or separate"
                            + " processes");
        }
        checkTls(settings.cluster().tls(), transport);
    }

    private static void checkTls(NodeTls tls, Settings.Transport transport) {
        if (transport == Settings.Transport.INFINIBAND && tls != NodeTls.Word.OFF) {
            throw new InvalidInputException(
                    "tls: there is none over infiniband; take \"off\" or the transport \"ethernet\"");
        }
        for (Path file : tls.needed()) {
            if (!Files.isReadable(file)) {
                throw new InvalidInputException(
                        "tls: there is no file " + file + " that can be read");
            }
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
                value("cancelTimeout", defaults.cancelTimeout(), SettingsFile::duration),
                cluster(defaults.cluster()));
    }

    private ClusterSettings cluster(ClusterSettings defaults) {
        return new ClusterSettings(
                value("superpeers", defaults.superpeers(), SettingsFile::superpeers),
                value(
                        "replication",
                        defaults.replication(),
                        value -> between(value, 0, NodeTuning.MAX_REPLICATION)),
                value(
                        "durability",
                        defaults.durability(),
                        value -> choice(NodeTuning.Durability.values(), value)),
                value("zoneBytes", defaults.zoneBytes(), SettingsFile::zone),
                value("checkpointInterval", defaults.checkpointInterval(), SettingsFile::positive),
                value("dataDirectory", defaults.dataDirectory(), SettingsFile::folder),
                value("basePort", defaults.basePort(), SettingsFile::port),
                value("restPort", defaults.restPort(), SettingsFile::port),
                value("ucxTls", defaults.ucxTls(), SettingsFile::ucxTls),
                value("ucxDevices", defaults.ucxDevices(), SettingsFile::ucxDevices),
                value("tls", defaults.tls(), NodeTls::of),
                value("socketSendBytes", defaults.socketSendBytes(), SettingsFile::socket),
                value("socketReceiveBytes", defaults.socketReceiveBytes(), SettingsFile::socket),
                value("allow", defaults.allow(), SettingsFile::folders));
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
        return between(value, 1, max);
    }

    private static int between(Object value, int min, int max) {
        if (value instanceof Long number && number >= min && number <= max) {
            return number.intValue();
        }
        throw new InvalidInputException(
                "expected a whole number from %d to %d, found %s"
                        .formatted(min, max, shown(value)));
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
        return choice(Settings.Transport.values(), value);
    }

    private static <C extends Enum<C>> C choice(C[] choices, Object value) {
        String text = text(value);
        List<String> words = new ArrayList<>();
        for (C choice : choices) {
            if (word(choice).equals(text)) {
                return choice;
            }
            words.add(word(choice));
        }
        throw new InvalidInputException(
                "expected one of %s, found %s".formatted(String.join(", ", words), shown(value)));
    }

    private static int superpeers(Object value) {
        if (value.equals(1L) || value.equals(3L)) {
            return ((Long) value).intValue();
        }
        throw new InvalidInputException("expected 1 or 3, found " + shown(value));
    }

    private static int port(Object value) {
        return between(value, 1, ClusterPlan.MAX_PORT);
    }

    private static ByteSize zone(Object value) {
        return size(value, NodeTuning.MIN_ZONE_BYTES, NodeTuning.MAX_ZONE_BYTES);
    }

    private static ByteSize socket(Object value) {
        return value.equals(AUTO)
                ? new ByteSize(0)
                : size(value, NodeTuning.MIN_SOCKET_BYTES, NodeTuning.MAX_SOCKET_BYTES);
    }

    private static ByteSize size(Object value, long minBytes, long maxBytes) {
        ByteSize size = ByteSize.parse(text(value));
        if (size.bytes() < minBytes || size.bytes() > maxBytes) {
            throw new InvalidInputException(
                    "expected %s to %s, found %s"
                            .formatted(
                                    new ByteSize(minBytes), new ByteSize(maxBytes), shown(value)));
        }
        return size;
    }

    private static Duration positive(Object value) {
        Duration duration = duration(value);
        if (duration.isZero()) {
            throw new InvalidInputException(
                    "expected more than no time at all, found " + shown(value));
        }
        return duration;
    }

    private static List<String> folders(Object value) {
        if (value instanceof List<?> names && names.size() <= MAX_FOLDERS) {
            return names.stream()
                    .map(name -> folder(Objects.requireNonNullElse(name, "")))
                    .toList();
        }
        throw new InvalidInputException(
                "expected a list of at most %d folders, found %s"
                        .formatted(MAX_FOLDERS, shown(value)));
    }

    private static String folder(Object value) {
        if (value instanceof String name && !name.isBlank() && name.indexOf('\0') < 0) {
            return name;
        }
        throw new InvalidInputException("expected the name of a folder, found " + shown(value));
    }

    /** {@code auto}, or names as in {@code posix,tcp}. */
    private static String ucxTls(Object value) {
        return names(value, "[A-Za-z0-9_^:]+", "UCX transports like \"posix,self\"");
    }

    /** {@code auto}, or names as in {@code mlx5_0:1,eth0}. */
    private static String ucxDevices(Object value) {
        return names(value, "[A-Za-z0-9_.:-]+", "network devices like \"mlx5_0:1\" or \"eth0\"");
    }

    private static String names(Object value, String name, String what) {
        String text = text(value);
        if (text.equals(AUTO)) {
            return "";
        }
        if (text.matches("%s(,%s)*".formatted(name, name))) {
            return text;
        }
        throw new InvalidInputException(
                "expected names of %s, found %s".formatted(what, shown(value)));
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
