package org.starling.store.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Hosts on this machine: network namespaces on one bridge, each with an address of its own; the
 * last one is the machine itself. Links between them can be cut, in one direction or both, without
 * a word to anybody: what is sent is lost. Needs root and Linux's {@code ip}. Used by one thread;
 * closing removes all.
 */
final class Hosts implements AutoCloseable {
    private static final long TIMEOUT_SECONDS = 20;
    private static final String NET = "10.78.0.";

    /** Frames to it come to nobody. */
    private static final String NOWHERE = "02:00:00:00:00:99";

    private final String prefix = "sk" + ProcessHandle.current().pid() + "-";
    private final int count;

    private record Link(int from, int to) {}

    private final List<Link> cut = new ArrayList<>();
    private final List<Integer> unplugged = new ArrayList<>();

    private Hosts(int count) {
        this.count = count;
    }

    /** Whether there can be any here. */
    static boolean arePossible() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return false;
        }
        String probe = "sk" + ProcessHandle.current().pid() + "-probe";
        return tries("ip", "netns", "add", probe) && tries("ip", "netns", "del", probe);
    }

    /** So many hosts, and the machine itself behind them. */
    static Hosts open(int count) {
        Hosts hosts = new Hosts(count);
        try {
            hosts.connect();
            return hosts;
        } catch (RuntimeException | Error failed) {
            hosts.close();
            throw failed;
        }
    }

    private void connect() {
        String bridge = prefix + "switch";
        run("ip", "netns", "add", bridge);
        run("ip", "-n", bridge, "link", "add", "br0", "type", "bridge");
        run("ip", "-n", bridge, "link", "set", "br0", "up");
        for (int i = 0; i <= count; i++) {
            List<String> add = new ArrayList<>(List.of("ip", "link", "add", "name", device(i)));
            if (i < count) {
                run("ip", "netns", "add", prefix + i);
                add.addAll(List.of("netns", prefix + i));
            }
            add.addAll(List.of("type", "veth", "peer", "name", "port" + i, "netns", bridge));
            run(add.toArray(String[]::new));
            run("ip", "-n", bridge, "link", "set", "port" + i, "master", "br0", "up");
            ip(i, "addr", "add", address(i) + "/24", "dev", device(i));
            ip(i, "link", "set", device(i), "up");
            if (i < count) {
                ip(i, "link", "set", "lo", "up");
            }
        }
    }

    /** How many, without the machine itself. */
    int count() {
        return count;
    }

    /** Its address; that of the machine itself for {@link #count()}. */
    String address(int host) {
        return NET + (host + 1);
    }

    /** Words before a command that runs it on a host. */
    List<String> on(int host) {
        return List.of("ip", "netns", "exec", prefix + host);
    }

    /** From now on all is lost that one sends to another. */
    void cut(int from, int to) {
        cut.add(new Link(from, to));
        ip(
                from,
                "neigh",
                "replace",
                address(to),
                "lladdr",
                NOWHERE,
                "dev",
                device(from),
                "nud",
                "permanent");
    }

    /** Takes a host off the bridge, which it notices no more than the others do. */
    void unplug(int host) {
        unplugged.add(host);
        run("ip", "-n", prefix + "switch", "link", "set", "port" + host, "nomaster");
    }

    /** Undoes all that was cut and unplugged. */
    void heal() {
        for (int host : unplugged) {
            run("ip", "-n", prefix + "switch", "link", "set", "port" + host, "master", "br0");
        }
        unplugged.clear();
        for (Link link : cut) {
            ip(link.from(), "neigh", "del", address(link.to()), "dev", device(link.from()));
        }
        cut.clear();
    }

    @Override
    public void close() {
        for (int i = 0; i < count; i++) {
            boolean _ = tries("ip", "netns", "del", prefix + i);
        }
        boolean _ = tries("ip", "link", "del", device(count));
        boolean _ = tries("ip", "netns", "del", prefix + "switch");
    }

    /** At most 15 letters. */
    private String device(int host) {
        return host < count ? "eth0" : prefix + "out";
    }

    private void ip(int host, String... words) {
        List<String> command = new ArrayList<>(List.of("ip"));
        if (host < count) {
            command.addAll(List.of("-n", prefix + host));
        }
        command.addAll(List.of(words));
        run(command.toArray(String[]::new));
    }

    private static void run(String... command) {
        if (!tries(command)) {
            throw new IllegalStateException(String.join(" ", command) + " failed");
        }
    }

    private static boolean tries(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
