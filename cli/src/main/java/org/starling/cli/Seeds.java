package org.starling.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.starling.graph.FileTrouble;

/** Where superpeers listen, as people write it: {@code HOST:PORT,…} or {@code file:PATH}. */
final class Seeds {
    private static final String FILE = "file:";

    private Seeds() {}

    /**
     * The addresses that a text names, in its order; host names are not resolved.
     *
     * @throws UsageException if it is not of that form, or names one twice
     * @throws org.starling.graph.InvalidInputException if its file can't be read
     */
    static List<InetSocketAddress> read(String text, Terminal terminal) {
        List<InetSocketAddress> seeds = new ArrayList<>();
        for (String word : words(text, terminal)) {
            seeds.add(address(word));
        }
        if (new HashSet<>(seeds).size() < seeds.size()) {
            throw new UsageException("--seeds names a superpeer twice: " + text(seeds));
        }
        return seeds;
    }

    /**
     * Which of the superpeers listens there.
     *
     * @throws UsageException if none does
     */
    static int index(List<InetSocketAddress> seeds, String host, int port) {
        for (int i = 0; i < seeds.size(); i++) {
            InetSocketAddress seed = seeds.get(i);
            if (seed.getPort() == port && seed.getHostString().equalsIgnoreCase(host)) {
                return i;
            }
        }
        throw new UsageException(
                "this superpeer is to be reached at %s:%d, which is none of the seeds (%s); name it with --advertise and --port as they do"
                        .formatted(host, port, text(seeds)));
    }

    /** As people write them. */
    static String text(List<InetSocketAddress> seeds) {
        return String.join(
                ",",
                seeds.stream()
                        .map(seed -> {
                            String host = seed.getHostString();
                            return (host.contains(":") ? "[" + host + "]" : host)
                                    + ":"
                                    + seed.getPort();
                        })
                        .toList());
    }

    private static List<String> words(String text, Terminal terminal) {
        if (!text.startsWith(FILE)) {
            return Arrays.stream(text.split(","))
                    .map(String::strip)
                    .filter(word -> !word.isEmpty())
                    .toList();
        }
        Path file = terminal.file(text.substring(FILE.length()));
        try {
            return Files.readAllLines(file).stream()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
    }

    private static InetSocketAddress address(String word) {
        int colon = word.lastIndexOf(':');
        String host = colon < 0 ? "" : word.substring(0, colon).toLowerCase(Locale.ROOT);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.contains(":")) {
            host = "";
        }
        String port = word.substring(colon + 1);
        if (host.isBlank()
                || !port.matches("\\d{1,5}")
                || Integer.parseInt(port) < 1
                || Integer.parseInt(port) > Settings.MAX_PORT) {
            throw new UsageException(
                    "--seeds wants addresses like 10.0.0.1:7400 or [fd00::1]:7400 with commas between them, or file:PATH with one on each line; found \"%s\""
                            .formatted(word));
        }
        return InetSocketAddress.createUnresolved(host, Integer.parseInt(port));
    }
}
