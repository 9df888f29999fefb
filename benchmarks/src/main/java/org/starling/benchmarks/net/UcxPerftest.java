package org.starling.benchmarks.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.starling.net.Waiting;

/**
 * UCX's own benchmark with active messages, between two processes of this machine over what {@code
 * UCX_TLS} says. Its messages leave one by one; its latency is half of a round trip.
 *
 * <p>It counts messages, not time: how many are sent follows from the rate of the run before, at
 * first from their size.
 */
final class UcxPerftest implements Contender {
    private static final String PROGRAM = "ucx_perftest";
    private static final int MAX_TRIES = 40;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long FIRST_BYTES = 64L << 20;
    private static final long MIN_MESSAGES = 100;
    private static final long MAX_FIRST_MESSAGES = 100_000;
    private static final long MAX_MESSAGES = 1_000_000_000;
    private static final long MAX_WARM_UP = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final double[] RANKS = {50, 99, 99.9};
    private static final Pattern FIGURES =
            Pattern.compile("(?m)^\\s*(\\d+),([\\d.]+),[\\d.]+,[\\d.]+,[\\d.]+,[\\d.]+,\\d+,(\\d+)\\s*$");

    /**
     * What a run printed.
     *
     * @param latencyMicros one way, at the rank that was asked for
     * @param messagesPerSecond of the whole run
     */
    record Figures(double latencyMicros, double messagesPerSecond) {}

    private final Path program;
    private final NetPlan plan;
    private double messagesPerSecond;

    private UcxPerftest(Path program, NetPlan plan) {
        this.program = program;
        this.plan = plan;
    }

    /** UCX's benchmark for a plan, or null if it is not installed or can't do that. */
    static @Nullable UcxPerftest of(NetPlan plan) {
        Path program = find();
        return program == null || !canDo(plan) ? null : new UcxPerftest(program, plan);
    }

    /** Whether it has the shape of a plan: one thread, one connection. */
    static boolean canDo(NetPlan plan) {
        return plan.mode() != Mode.ALLTOALL && plan.senders() == 1 && plan.connections() == 1;
    }

    @Override
    public String title() {
        return PROGRAM;
    }

    @Override
    public Measured measure(Duration time, boolean whole) {
        if (plan.mode() == Mode.ONEWAY) {
            return new Measured(run(RANKS[0], time).messagesPerSecond(), null, 0);
        }
        double[] micros = new double[RANKS.length];
        double rate = 0;
        for (int i = 0; i < RANKS.length; i++) {
            Figures figures = run(RANKS[i], time.dividedBy(RANKS.length));
            micros[i] = 2 * figures.latencyMicros();
            rate = i == 0 ? figures.messagesPerSecond() / 2 : rate;
        }
        return new Measured(rate, new RoundTripMicros(micros[0], micros[1], micros[2]), 0);
    }

    @Override
    public void close() {
        // its processes end with each run
    }

    /**
     * Reads what the client printed.
     *
     * @throws ChildFailedException if there are no figures in it
     */
    static Figures parse(String output) {
        Matcher matcher = FIGURES.matcher(output);
        if (!matcher.find()) {
            throw new ChildFailedException(
                    "%s printed no figures: %s"
                            .formatted(PROGRAM, output.strip().replaceAll("\\R", "; ")));
        }
        return new Figures(
                Double.parseDouble(matcher.group(2)), Double.parseDouble(matcher.group(3)));
    }

    /** The program, if it is installed. */
    private static @Nullable Path find() {
        String folders = System.getenv("PATH");
        if (folders != null) {
            for (String folder : folders.split(":", -1)) {
                Path program = Path.of(folder, PROGRAM);
                if (Files.isExecutable(program)) {
                    return program;
                }
            }
        }
        return null;
    }

    private Figures run(double rank, Duration time) {
        long messages = messages(time);
        String port = Integer.toString(freePort());
        Process server = start(List.of("-p", port));
        try {
            for (int i = 0; i < MAX_TRIES; i++) {
                List<String> client = new ArrayList<>();
                client.add(InetAddress.getLoopbackAddress().getHostAddress());
                client.addAll(List.of("-p", port));
                client.addAll(arguments(rank, messages));
                String output = output(start(client), time.plus(PATIENCE));
                if (!output.contains("Connection refused")) {
                    Figures figures = parse(output);
                    messagesPerSecond = figures.messagesPerSecond();
                    return figures;
                }
                LockSupport.parkNanos(this, PAUSE_NANOS); // the server does not listen yet
            }
            throw new ChildFailedException(PROGRAM + " does not listen");
        } finally {
            server.destroyForcibly();
        }
    }

    private List<String> arguments(double rank, long messages) {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(
                List.of("-t", plan.mode() == Mode.ROUNDTRIP ? "ucp_am_lat" : "ucp_am_bw"));
        arguments.addAll(List.of("-s", Integer.toString(plan.bytes())));
        arguments.addAll(List.of("-n", Long.toString(messages)));
        arguments.addAll(List.of("-w", Long.toString(Math.min(MAX_WARM_UP, messages / 10))));
        arguments.addAll(List.of("-R", Double.toString(rank)));
        arguments.addAll(List.of("-E", plan.waiting() == Waiting.SLEEP ? "sleep" : "poll"));
        arguments.addAll(List.of("-f", "-v"));
        return arguments;
    }

    private long messages(Duration time) {
        if (messagesPerSecond == 0) {
            return Math.clamp(FIRST_BYTES / plan.bytes(), MIN_MESSAGES, MAX_FIRST_MESSAGES);
        }
        double seconds = time.toNanos() / (double) TimeUnit.SECONDS.toNanos(1);
        return Math.clamp(Math.round(seconds * messagesPerSecond), MIN_MESSAGES, MAX_MESSAGES);
    }

    private Process start(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(program.toString());
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException broken) {
            throw new ChildFailedException(PROGRAM + " can't be started", broken);
        }
    }

    private static String output(Process client, Duration patience) {
        try {
            if (!client.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new ChildFailedException(
                        "%s did not end within %d s".formatted(PROGRAM, patience.toSeconds()));
            }
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new ChildFailedException(PROGRAM + " can't be heard", broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ChildFailedException("the bench was interrupted", interrupted);
        } finally {
            client.destroyForcibly();
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException none) {
            throw new ChildFailedException("there is no free port", none);
        }
    }
}
