package org.starling.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A peer in a process of its own, which joins a superpeer, creates one chunk, says so on its
 * standard output, and stays until its standard input ends or it is killed.
 */
final class PeerProcess implements AutoCloseable {
    private final Process process;
    private final int nodeId;
    private final long chunk;

    PeerProcess(InetSocketAddress superpeer) {
        try {
            process =
                    new ProcessBuilder(
                                    Path.of(System.getProperty("java.home"), "bin", "java")
                                            .toString(),
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-XX:+UseSerialGC",
                                    "-XX:TieredStopAtLevel=1",
                                    "-Xmx128m",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    PeerProcess.class.getName(),
                                    Integer.toString(superpeer.getPort()))
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            String line = output.readLine();
            if (line == null) {
                throw new IOException("the peer process ended early");
            }
            String[] words = line.split(" ", -1);
            nodeId = Integer.parseInt(words[0]);
            chunk = Long.parseLong(words[1]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** In the child: port of the superpeer on the loopback interface. */
    public static void main(String[] arguments) throws IOException {
        InetAddress local = InetAddress.getLoopbackAddress();
        InetSocketAddress superpeer = new InetSocketAddress(local, Integer.parseInt(arguments[0]));
        NodeOptions options =
                NodeOptions.ethernetPeer(
                        new InetSocketAddress(local, 0), superpeer, TestCluster.config());
        try (StoreNode node = StoreNode.startPeer(options);
                BufferedReader input =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            long id = node.chunks().create(3);
            node.chunks().put(id, new byte[] {1, 2, 3});
            System.out.println(node.nodeId() + " " + id);
            while (input.readLine() != null) {
                System.out.println(reads(node, id) ? "serves" : "refuses");
            }
        }
    }

    private static boolean reads(StoreNode node, long id) {
        try {
            return node.chunks().get(id).length == 3;
        } catch (StoreException e) {
            return false;
        }
    }

    /** Whether it still reads its own chunk. */
    boolean serves() {
        try {
            process.outputWriter(StandardCharsets.UTF_8).append('\n').flush();
            return "serves".equals(process.inputReader(StandardCharsets.UTF_8).readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int nodeId() {
        return nodeId;
    }

    /** The chunk it holds: 1, 2, 3. */
    long chunk() {
        return chunk;
    }

    /** Ends it as kill -9 does. */
    void kill() {
        process.destroyForcibly();
    }

    /** Stops it so that it neither answers nor closes its connections. */
    void suspend() {
        signal("-STOP");
    }

    /** Lets it go on. */
    void resume() {
        signal("-CONT");
    }

    private void signal(String name) {
        try {
            int exit =
                    new ProcessBuilder("kill", name, Long.toString(process.pid()))
                            .start()
                            .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill " + name + " failed");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the peer process does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
