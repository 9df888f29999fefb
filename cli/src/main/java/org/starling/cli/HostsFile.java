package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * The hosts of a cluster: one on each line, with what it is and, where that is not the usual one,
 * the folder for its data. What follows {@code #} is left out.
 */
final class HostsFile {
    /** Below the home of whoever {@code ssh} logs in. */
    private static final String USUAL_DATA = ".starling/node";

    /** Nothing that {@code ssh} could take for an option. */
    private static final Pattern TARGET = Pattern.compile("(\\w[\\w.-]*@)?\\w[\\w.:-]*");

    private static final int MOST_WORDS = 3;

    /**
     * One of them.
     *
     * @param target as {@code ssh} knows it
     * @param superpeer whether it is a superpeer
     * @param data its folder there
     */
    record Host(String target, boolean superpeer, String data) {
        /** By which the others reach it. */
        String name() {
            return target.substring(target.indexOf('@') + 1);
        }

        /** Its name as it stands before a port. */
        String address() {
            return Seeds.bracketed(name());
        }

        String role() {
            return superpeer ? "superpeer" : "peer";
        }
    }

    private HostsFile() {}

    /**
     * Reads one.
     *
     * @return superpeers first, each in the order of the file
     * @throws InvalidInputException if a line is not of that form, a host is named twice, or there
     *     are not one or three superpeers and a peer
     */
    static List<Host> read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
        List<Host> hosts = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (line.isEmpty()) {
                continue;
            }
            String place = "%s:%d: ".formatted(file, i + 1);
            Host host = host(place, line);
            if (!names.add(host.name().toLowerCase(Locale.ROOT))) {
                throw new InvalidInputException(
                        "%shost %s is there already; a host has one node"
                                .formatted(place, host.name()));
            }
            hosts.add(host);
        }
        long superpeers = hosts.stream().filter(Host::superpeer).count();
        if ((superpeers != 1 && superpeers != 3) || superpeers == hosts.size()) {
            throw new InvalidInputException(
                    "%s names %d superpeers and %d peers; a cluster has 1 or 3 superpeers, and at least 1 peer"
                            .formatted(file, superpeers, hosts.size() - superpeers));
        }
        List<Host> sorted = new ArrayList<>(hosts.stream().filter(Host::superpeer).toList());
        sorted.addAll(hosts.stream().filter(host -> !host.superpeer()).toList());
        return List.copyOf(sorted);
    }

    private static Host host(String place, String line) {
        List<String> words = List.of(line.split("\\s+"));
        boolean isRole =
                words.size() > 1
                        && (words.get(1).equals("superpeer") || words.get(1).equals("peer"));
        if (!isRole || words.size() > MOST_WORDS || !TARGET.matcher(words.getFirst()).matches()) {
            throw new InvalidInputException(
                    "%sexpected a host, superpeer or peer, and perhaps a folder for its data, like \"alpha superpeer /srv/starling\"; found \"%s\""
                            .formatted(place, line));
        }
        return new Host(
                words.getFirst(),
                words.get(1).equals("superpeer"),
                words.size() == MOST_WORDS ? words.get(2) : USUAL_DATA);
    }
}
