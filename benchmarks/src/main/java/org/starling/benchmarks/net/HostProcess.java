package org.starling.benchmarks.net;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import java.io.IOException;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.starling.benchmarks.harness.ParentLine;
import org.starling.graph.InvalidInputException;

/**
 * A JVM with some nodes of one contender, whose name is its argument. Its requests are those of
 * {@link Host}, a word and a JSON text each.
 */
final class HostProcess {
    /** With an {@link Opening}; answered with ports by node. */
    static final String OPEN = "open";

    /** With the ports of all nodes. */
    static final String CONNECT = "connect";

    /** With milliseconds; answered with what {@link Repetition#line} gives. */
    static final String MEASURE = "measure";

    static final String CLOSE = "close";

    /** Answered with the {@link Cost} of this JVM so far. */
    static final String COST = "cost";

    static final Gson GSON = new Gson();
    private static final Type PORTS = new TypeToken<Map<Integer, Integer>>() {}.getType();

    /**
     * What a JVM is opened with.
     *
     * @param nodes that it has
     * @param isWhole whether receivers read all of each payload
     */
    record Opening(NetPlan plan, List<Integer> nodes, boolean isWhole) {}

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

    /** Reads ports by node. */
    static Map<Integer, Integer> ports(String text) {
        return GSON.fromJson(text, PORTS);
    }

    private String answer(String request) throws Exception {
        String[] words = request.split(" ", 2);
        switch (words[0]) {
            case OPEN -> {
                Opening opening = GSON.fromJson(words[1], Opening.class);
                host = kind.host(opening.plan, opening.nodes, opening.isWhole);
                return GSON.toJson(host.open());
            }
            case CONNECT -> opened().connect(ports(words[1]));
            case MEASURE -> {
                return opened().measure(Duration.ofMillis(Long.parseLong(words[1]))).line();
            }
            case COST -> {
                return GSON.toJson(Cost.soFar());
            }
            case CLOSE -> opened().close();
            default -> throw new InvalidInputException("unknown request \"" + words[0] + "\"");
        }
        return "";
    }

    private Host opened() {
        return Objects.requireNonNull(host, "no nodes are open");
    }
}
