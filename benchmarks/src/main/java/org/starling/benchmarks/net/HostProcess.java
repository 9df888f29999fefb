package org.starling.benchmarks.net;

import com.google.gson.Gson;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.harness.ParentLine;
import org.starling.graph.InvalidInputException;

/**
 * A JVM with some nodes of one contender, whose name is its argument. Its requests are those of
 * {@link Host}, one line each.
 */
final class HostProcess {
    /** With the nodes of the JVM, whether all bytes are read, and the plan. */
    static final String OPEN = "open";

    static final String CONNECT = "connect";
    static final String MEASURE = "measure";
    static final String CLOSE = "close";

    /** Asks for the {@link Cost} of this JVM so far. */
    static final String COST = "cost";

    private final Contender.Kind kind;
    private @Nullable Host host;

    private HostProcess(Contender.Kind kind) {
        this.kind = kind;
    }

    /** Serves a contender until the parent has no more requests. */
    public static void main(String[] arguments) throws IOException {
        HostProcess process = new HostProcess(Contender.Kind.valueOf(arguments[0]));
        ParentLine.serve(process::answer);
    }

    /** Nodes, on one line. */
    static String text(List<Integer> nodes) {
        return nodes.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static List<Integer> nodes(String text) {
        return Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList();
    }

    /** Ports by node, on one line. */
    static String text(Map<Integer, Integer> ports) {
        return ports.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }

    /** What {@link #text} wrote. */
    static Map<Integer, Integer> ports(String text) {
        Map<Integer, Integer> ports = new TreeMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            ports.put(
                    Integer.valueOf(pair.substring(0, equals)),
                    Integer.valueOf(pair.substring(equals + 1)));
        }
        return ports;
    }

    private String answer(String request) throws Exception {
        String[] words = request.split(" ", 4);
        switch (words[0]) {
            case OPEN -> {
                NetPlan plan = new Gson().fromJson(words[3], NetPlan.class);
                host = kind.host(plan, nodes(words[1]), Boolean.parseBoolean(words[2]));
                return text(host.open());
            }
            case CONNECT -> opened().connect(ports(words[1]));
            case MEASURE -> {
                return opened().measure(Duration.ofMillis(Long.parseLong(words[1]))).line();
            }
            case COST -> {
                return Cost.soFar().line();
            }
            case CLOSE -> opened().close();
            default -> throw new InvalidInputException("unknown request \"" + words[0] + "\"");
        }
        return "";
    }

    private Host opened() {
        if (host == null) {
            throw new IllegalStateException("no nodes are open");
        }
        return host;
    }
}
