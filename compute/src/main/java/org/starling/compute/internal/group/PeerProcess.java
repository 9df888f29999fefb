package org.starling.compute.internal.group;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/**
 * A peer in a process of its own, from both sides: {@link #start} here, {@link #run} there.
 *
 * <p>The child says {@code ready NODE} on its standard output when it can take commands, and ends
 * when its standard input ends.
 */
public final class PeerProcess implements AutoCloseable {
    private static final String READY = "ready ";
    private static final int STOP_SECONDS = 10;
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofMillis(500);
    private static final Duration SILENCE_TIMEOUT = Duration.ofSeconds(30);

    private final Process process;
    private final BufferedReader output;

    private PeerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Configuration of a node of a cluster on this machine. A process that ends is noticed by its
     * broken connections at once; a silent one is given time, because on a busy machine it is more
     * likely to wait for a core than to be dead, and nobody could take its place.
     */
    public static StoreConfig config(long heapBytes) {
        return StoreConfig.defaults()
                .withHeapBytes(heapBytes)
                .withHeartbeats(HEARTBEAT_INTERVAL, SILENCE_TIMEOUT)
                .withRequestTimeout(SILENCE_TIMEOUT);
    }

    /** Starts a child with this process's Java, class path and flags. */
    public static PeerProcess start(InetSocketAddress superpeer, int threads, long heapBytes) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!flag.startsWith("-agent") && !flag.startsWith("-javaagent")) {
                command.add(flag);
            }
        }
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add("org.starling.compute.PeerMain");
        command.add(superpeer.getAddress().getHostAddress());
        command.add(Integer.toString(superpeer.getPort()));
        command.add(Integer.toString(threads));
        command.add(Long.toString(heapBytes));
        try {
            return new PeerProcess(
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start a peer: " + e.getMessage(), e);
        }
    }

    /** Waits until the child can take commands; its node id. */
    public int awaitNodeId() {
        try {
            String line = output.readLine();
            while (line != null && !line.startsWith(READY)) {
                line = output.readLine();
            }
            if (line == null) {
                throw new IllegalStateException(
                        "a peer ended before it was ready; its messages stand above");
            }
            return Integer.parseInt(line.substring(READY.length()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot hear a peer: " + e.getMessage(), e);
        }
    }

    /** Lets the child begin to stop. */
    public void askToStop() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroy(); // its input is gone already: it is ending or must be told otherwise
        }
    }

    /** The child's process id. */
    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        askToStop();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** The child's side: joins, serves, and returns when the standard input ends. */
    public static void run(InetSocketAddress superpeer, int threads, long heapBytes)
            throws IOException {
        InetSocketAddress bind = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        StoreConfig config = config(heapBytes);
        try (StoreNode peer =
                        StoreNode.startPeer(NodeOptions.ethernetPeer(bind, superpeer, config));
                SlaveService slave = new SlaveService(peer, threads);
                FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
            out.write((READY + slave.nodeId() + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            try (InputStreamReader in = new InputStreamReader(System.in, StandardCharsets.UTF_8)) {
                while (in.read() >= 0) {
                    // nothing is said on this line but that the parent lives
                }
            }
        }
    }
}
