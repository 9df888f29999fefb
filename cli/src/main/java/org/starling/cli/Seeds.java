package org.starling.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.starling.compute.cluster.NodeSettings;
import org.starling.graph.FileTrouble;

/**
 * Where superpeers listen, as people write it: {@code HOST:PORT,…}, {@code file:PATH}, or {@code
 * dns:NAME:PORT} for one name that has the addresses of all of them.
 */
final class Seeds {
    private static final String FILE = "file:";
    private static final String DNS = "dns:";

    private Seeds() {}

    /**
     * The addresses that a text names, in its order; host names are not resolved. One name for all
     * stands there as often as there are superpeers.
     *
     * @param superpeers how many there are, where the text does not say
     * @throws UsageException if it is not of that form, or names one twice
     * @throws org.starling.graph.InvalidInputException if its file can't be read
     */
    static List<InetSocketAddress> read(String text, int superpeers, Terminal terminal) {
        if (isOneName(text)) {
            return Collections.nCopies(superpeers, address(text.substring(DNS.length())));
        }
        List<InetSocketAddress> seeds = new ArrayList<>();
        for (String word : words(text, terminal)) {
            seeds.add(address(word));
        }
        if (new HashSet<>(seeds).size() < seeds.size()) {
            throw new UsageException("--seeds names a superpeer twice: " + text(seeds));
        }
        return seeds;
    }

    /** Whether a text names one host for all superpeers. */
    static boolean isOneName(String text) {
        return text.startsWith(DNS);
    }

    /** Which of the superpeers listens there; {@link NodeSettings#NEWCOMER} if none does. */
    static int index(List<InetSocketAddress> seeds, String host, int port) {
        for (int i = 0; i < seeds.size(); i++) {
            InetSocketAddress seed = seeds.get(i);
            if (seed.getPort() == port && seed.getHostString().equalsIgnoreCase(host)) {
                return i;
            }
        }
        return NodeSettings.NEWCOMER;
    }

    /** As people write them. */
    static String text(List<InetSocketAddress> seeds) {
        return String.join(
                ",",
                seeds.stream()
                        .map(seed -> bracketed(seed.getHostString()) + ":" + seed.getPort())
                        .toList());
    }

    /** A host as it stands before a port. */
    static String bracketed(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
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

    /**
     * A host with an IPv6 address in the one form that Java writes, whatever people write, brackets
     * or not; other hosts as they are. Empty for what is no address.
     */
    static String literal(String host) {
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        String bare = bracketed ? host.substring(1, host.length() - 1) : host;
        if (!bare.contains(":")) {
            return bracketed ? "" : bare;
        }
        try {
            return InetAddress.ofLiteral(bare).getHostAddress();
        } catch (IllegalArgumentException other) {
            return "";
        }
    }

    private static InetSocketAddress address(String word) {
        int colon = word.lastIndexOf(':');
        String host = colon < 0 ? "" : word.substring(0, colon).toLowerCase(Locale.ROOT);
        host = host.contains(":") && !host.startsWith("[") ? "" : literal(host);
        String port = word.substring(colon + 1);
        if (!host.matches("[^\\s,/]+")
                || !port.matches("\\d{1,5}")
                || Integer.parseInt(port) < 1
                || Integer.parseInt(port) > Settings.MAX_PORT) {
            throw new UsageException(
                    "--seeds wants addresses like 10.0.0.1:7400 or [fd00::1]:7400 with commas between them, file:PATH with one on each line, or dns:NAME:PORT; found \"%s\""
                            .formatted(word));
        }
        return InetSocketAddress.createUnresolved(host, Integer.parseInt(port));
    }
}
