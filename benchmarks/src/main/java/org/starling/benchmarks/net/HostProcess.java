package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.starling.graph.InvalidInputException;

/**
 * A JVM with some nodes of one contender. Its arguments are the name of the contender, the nodes
 * and the plan; its requests are those of {@link Host}, one line each.
 */
final class HostProcess {
    static final String OPEN = "open";
    static final String CONNECT = "connect";
    static final String MEASURE = "measure";
    static final String CLOSE = "close";

    /** Makes the nodes of a contender. */
    @FunctionalInterface
    interface Factory {
        /**
         * Makes them.
         *
         * @param plan what is measured
         * @param hosted the nodes of this JVM
         */
        Host create(NetPlan plan, List<Integer> hosted);
    }

    private HostProcess() {}

    /** Serves one of the contenders of this package, a constant of {@link Contestant}. */
    public static void main(String[] arguments) throws InterruptedException {
        Contestant contestant = Contestant.valueOf(arguments[0]);
        serve(Arrays.copyOfRange(arguments, 1, arguments.length), contestant::host);
    }

    /**
     * Serves a contender until the parent has no more requests.
     *
     * @param arguments those of {@link #arguments}
     */
    static void serve(String[] arguments, Factory factory) throws InterruptedException {
        NetPlan plan = NetPlan.of(Arrays.asList(arguments).subList(1, arguments.length));
        List<Integer> hosted =
                Arrays.stream(arguments[0].split(",", -1)).map(Integer::valueOf).toList();
        Host host = factory.create(plan, hosted);
        ParentLine.serve(request -> answer(host, request));
    }

    /** What {@link #serve} reads. */
    static List<String> arguments(NetPlan plan, List<Integer> hosted) {
        String nodes = hosted.stream().map(String::valueOf).collect(Collectors.joining(","));
        return Stream.concat(
                        Stream.of(nodes), plan.arguments().stream())
                .toList();
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

    private static String answer(Host host, String request) throws Exception {
        int blank = request.indexOf(' ');
        String word = blank < 0 ? request : request.substring(0, blank);
        String rest = blank < 0 ? "" : request.substring(blank + 1);
        switch (word) {
            case OPEN -> {
                return text(host.open(Boolean.parseBoolean(rest)));
            }
            case CONNECT -> host.connect(ports(rest));
            case MEASURE -> {
                return host.measure(Duration.ofMillis(Long.parseLong(rest))).line();
            }
            case CLOSE -> host.close();
            default -> throw new InvalidInputException("unknown request \"" + word + "\"");
        }
        return "";
    }
}
