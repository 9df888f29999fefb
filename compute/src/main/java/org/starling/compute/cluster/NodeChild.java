package org.starling.compute.cluster;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.starling.graph.InvalidInputException;
import org.starling.net.ClusterSecret;

/**
 * A node in a process of its own, as the process sees it that started it. Used by one thread; a
 * thread of its own reads what the child says until it is ready.
 */
public final class NodeChild implements AutoCloseable {
    static final String READY = "ready ";

    /**
     * The variable of a child's environment that holds the cluster's secret: the same user alone
     * can read it.
     */
    static final String SECRET_VARIABLE = "STARLING_SECRET";

    /** Followed by a kind, {@code input} or {@code cluster}, a blank and a sentence. */
    static final String FAILED = "failed ";

    static final String INPUT = "input";
    static final String CLUSTER = "cluster";

    /** How much is logged: a level. */
    private static final String LOG_LEVEL = "starling.log";

    /**
     * Ratis and the libraries that it brings use what the JDK warns of; a superpeer does little, so
     * its code is compiled quickly rather than well.
     */
    private static final List<String> SUPERPEER_FLAGS =
            List.of("--sun-misc-unsafe-memory-access=allow", "-XX:TieredStopAtLevel=1");

    /**
     * Processes of one machine share the pages of the class archive if it lies where it was made
     * for; moved elsewhere, which is what the JVM does otherwise, each has 27 MB of its own. A
     * later JVM may not know the option, which is a diagnostic one.
     */
    static final List<String> SHARED_ARCHIVE =
            List.of(
                    "-XX:+IgnoreUnrecognizedVMOptions",
                    "-XX:+UnlockDiagnosticVMOptions",
                    "-XX:ArchiveRelocationMode=0");

    private static final int STOP_SECONDS = 10;

    private final String name;
    private final @Nullable Path log;
    private final Process process;
    private final CompletableFuture<Integer> ready = new CompletableFuture<>();

    private NodeChild(String name, Process process, @Nullable Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        Thread.ofVirtual().name("start of " + name).start(this::listen);
    }

    /**
     * Starts a process with this one's Java, class path and flags.
     *
     * @param log where its log is appended; null for this process's standard error
     * @throws ClusterException if there can be no such process
     */
    public static NodeChild start(NodeSettings settings, ClusterSecret secret, @Nullable Path log) {
        return start(settings, secret, log, JavaCommand.inherited(), List.of());
    }

    /**
     * As {@link #start(NodeSettings, ClusterSecret, Path)}, with other and more flags for its Java.
     *
     * @param inherited in the place of this process's
     * @param flags like {@code -Dname=value}
     */
    static NodeChild start(
            NodeSettings settings,
            ClusterSecret secret,
            @Nullable Path log,
            List<String> inherited,
            List<String> flags) {
        ProcessBuilder builder = new ProcessBuilder(command(settings, log, inherited, flags));
        if (log == null) {
            builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        } else {
            builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        }
        builder.environment().put(SECRET_VARIABLE, secret.text());
        if (settings.keeper() != NodeSettings.Keeper.PARENT) {
            builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        }
        try {
            return new NodeChild(settings.name(), builder.start(), log);
        } catch (IOException broken) {
            throw new ClusterException(
                    "%s can't be started: %s".formatted(settings.name(), broken.getMessage()),
                    broken);
        }
    }

    /**
     * Waits until the child is a member of the cluster.
     *
     * @return its node id
     * @throws InvalidInputException if it refuses what it was given
     * @throws ClusterException if it ends or is not ready in time
     */
    public int awaitReady(Duration patience) {
        try {
            return ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw new ClusterException(
                    "%s is not ready after %d s%s"
                            .formatted(name, patience.toSeconds(), whereToLook()),
                    late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ClusterException("starting " + name + " was interrupted", interrupted);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new ClusterException(name + " can't be heard", failed);
        }
    }

    /** Lets a child that ends with its parent begin to stop. */
    public void askToStop() {
        try {
            process.getOutputStream().close();
        } catch (IOException gone) {
            process.destroy(); // its input is gone already: it is ending or must be told otherwise
        }
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    /** Ends the child, by force if it does not end in time. */
    @Override
    public void close() {
        askToStop();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> command(
            NodeSettings settings, @Nullable Path log, List<String> inherited, List<String> flags) {
        List<String> all = new ArrayList<>(SHARED_ARCHIVE);
        if (log != null) {
            all.addAll(logging(log, inherited));
        }
        if (settings.superpeer()) {
            all.addAll(SUPERPEER_FLAGS);
        }
        all.addAll(flags);
        return JavaCommand.of(NodeProcess.class, inherited, all, List.of(settings.argument()));
    }

    /**
     * Where a process with that log writes what it knows when its JVM crashes.
     *
     * @param pid its id, or {@code %p}, for which the JVM puts it
     */
    static Path crashReport(Path log, String pid) {
        String name = String.valueOf(log.getFileName()).replaceFirst("\\.log$", "");
        return log.resolveSibling(name + ".crash-" + pid + ".txt");
    }

    /** Flags for the Java of a process that outlives the one that starts it, behind others. */
    static List<String> logging(Path log, List<String> inherited) {
        List<String> flags = new ArrayList<>();
        String level = "-D" + LOG_LEVEL + "=";
        if (inherited.stream().noneMatch(flag -> flag.startsWith(level))) {
            flags.add(level + "info");
        }
        String literal = log.resolveSibling("x").toString().replace("%", "%%");
        flags.add(
                "-XX:ErrorFile="
                        + crashReport(Path.of(literal).resolveSibling(log.getFileName()), "%p"));
        return flags;
    }

    private void listen() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            while (line != null && !line.startsWith(READY) && !line.startsWith(FAILED)) {
                line = output.readLine();
            }
            if (line == null) {
                ready.completeExceptionally(
                        new ClusterException(name + " ended before it was ready" + whereToLook()));
            } else if (line.startsWith(READY)) {
                ready.complete(Integer.parseInt(line.substring(READY.length())));
            } else {
                ready.completeExceptionally(refusal(line.substring(FAILED.length())));
            }
        } catch (IOException | NumberFormatException broken) {
            ready.completeExceptionally(
                    new ClusterException(name + " can't be heard" + whereToLook(), broken));
        }
    }

    private RuntimeException refusal(String kindAndSentence) {
        int blank = kindAndSentence.indexOf(' ');
        String sentence = name + ": " + kindAndSentence.substring(blank + 1);
        return kindAndSentence.startsWith(INPUT)
                ? new InvalidInputException(sentence)
                : new ClusterException(sentence);
    }

    private String whereToLook() {
        return log == null ? "; its messages stand above" : "; its messages are in " + log;
    }
}
