package org.starling.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.starling.compute.cluster.JavaCommand;

/**
 * Hosts on this machine: network namespaces on one bridge, each with an address and a hosts file of
 * its own. Needs root and Linux's {@code ip}; tests are skipped where there are none.
 */
final class Hosts implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 20;
    private static final String NET = "10.77.0.";

    /** A name with several addresses. */
    static final String SUPERPEERS = "superpeers";

    private final String prefix = "st" + ProcessHandle.current().pid() + "-";
    private final List<String> names;
    private final int count;
    private final int superpeers;

    /** Last part of each host's address, by its name. */
    private final Map<String, Integer> addresses = new TreeMap<>();

    private Hosts(List<String> names, int superpeers) {
        this.names = List.copyOf(names);
        this.count = names.size();
        this.superpeers = superpeers;
    }

    /**
     * So many hosts, {@code host-0} to {@code host-(count - 1)}.
     *
     * @param superpeers how many of them, the first, have the name {@value #SUPERPEERS} in common
     */
    static Hosts open(int count, int superpeers) throws IOException {
        return open(IntStream.range(0, count).mapToObj(i -> "host-" + i).toList(), superpeers);
    }

    /** Hosts of these names. */
    static Hosts open(String... names) throws IOException {
        return open(List.of(names), 0);
    }

    private static Hosts open(List<String> names, int superpeers) throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can make hosts");
        Hosts hosts = new Hosts(names, superpeers);
        assumeTrue(
                hosts.tries("ip", "netns", "add", hosts.prefix + "switch"),
                "there are no network namespaces");
        try {
            hosts.connect();
            return hosts;
        } catch (IOException | RuntimeException | Error failed) {
            hosts.close();
            throw failed;
        }
    }

    private void connect() throws IOException {
        String bridge = prefix + "switch";
        run("ip", "-n", bridge, "link", "add", "br0", "type", "bridge");
        run("ip", "-n", bridge, "link", "set", "br0", "up");
        for (int i = 0; i < count; i++) {
            String host = prefix + i;
            addresses.put(name(i), i + 1);
            run("ip", "netns", "add", host);
            run(
                    "ip",
                    "link",
                    "add",
                    "name",
                    "eth0",
                    "netns",
                    host,
                    "type",
                    "veth",
                    "peer",
                    "name",
                    "port" + i,
                    "netns",
                    bridge);
            run("ip", "-n", bridge, "link", "set", "port" + i, "master", "br0", "up");
            run("ip", "-n", host, "addr", "add", address(i) + "/24", "dev", "eth0");
            run("ip", "-n", host, "link", "set", "eth0", "up");
            run("ip", "-n", host, "link", "set", "lo", "up");
        }
        writeNames();
    }

    /** Its name, which all hosts know. */
    String name(int host) {
        return names.get(host);
    }

    /** Its address now. */
    String address(int host) {
        return NET + addresses.get(name(host));
    }

    /** Moves a host to another address, under the same name. */
    void move(int host, int lastPart) throws IOException {
        String before = address(host);
        addresses.put(name(host), lastPart);
        run("ip", "-n", prefix + host, "addr", "del", before + "/24", "dev", "eth0");
        run("ip", "-n", prefix + host, "addr", "add", address(host) + "/24", "dev", "eth0");
        writeNames();
    }

    /** The command line of a {@code starling} command on a host. */
    List<String> starling(int host, List<String> flags, String... words) {
        return on(host, JavaCommand.of(Main.class, flags, List.of(words)));
    }

    /** A command line that runs there. */
    List<String> on(int host, List<String> words) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", prefix + host));
        command.addAll(words);
        return command;
    }

    /**
     * The same on a host that sees a folder of its own in place of one: what hosts share is not
     * shared then.
     *
     * @param own what the host sees there
     */
    List<String> starling(int host, Path place, Path own, List<String> flags, String... words) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "ip",
                                "netns",
                                "exec",
                                prefix + host,
                                "sh",
                                "-c",
                                "mount --bind \"$1\" \"$2\" && shift 2 && exec \"$@\"",
                                "sh",
                                own.toString(),
                                place.toString()));
        command.addAll(JavaCommand.of(Main.class, flags, List.of(words)));
        return command;
    }

    @Override
    public void close() throws IOException {
        for (int i = 0; i < count; i++) {
            boolean _ = tries("ip", "netns", "del", prefix + i);
            Path folder = folder(i);
            Files.deleteIfExists(folder.resolve("hosts"));
            Files.deleteIfExists(folder);
        }
        boolean _ = tries("ip", "netns", "del", prefix + "switch");
    }

    /** In place: processes of a host see the file that there was when they were started. */
    private void writeNames() throws IOException {
        StringBuilder names = new StringBuilder("127.0.0.1 localhost\n");
        addresses.forEach((name, last) -> names.append("%s%d %s%n".formatted(NET, last, name)));
        for (int i = 0; i < superpeers; i++) {
            names.append("%s %s%n".formatted(address(i), SUPERPEERS));
        }
        for (int i = 0; i < count; i++) {
            Files.createDirectories(folder(i));
            Files.writeString(folder(i).resolve("hosts"), names);
        }
    }

    private Path folder(int host) {
        return Path.of("/etc/netns", prefix + host);
    }

    private void run(String... command) throws IOException {
        if (!tries(command)) {
            throw new IOException(String.join(" ", command) + " failed");
        }
    }

    private boolean tries(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
