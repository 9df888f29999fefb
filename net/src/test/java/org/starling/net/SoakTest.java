package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Four processes with small heaps under full load, all to all: nothing wrong, nothing grows. */
@Tag("slow")
class SoakTest {

    private static final int SECONDS = Integer.getInteger("starling.soak.seconds", 60);
    private static final int NODES = 4;
    private static final long MAX_HEAP_GROWTH_KIB = 4 << 10;

    /** Receive buffers and large messages under way. */
    private static final long MAX_NATIVE_GROWTH_KIB = 8 << 10;

    private static final Pattern FIGURES =
            Pattern.compile(
                    ".*wrong 0, complete true, lost 0, failures 0, heap KiB (\\d+) (\\d+), native"
                            + " KiB (\\d+) (\\d+), allocated MiB a second [0-9.]+, gc % ([0-9.]+)",
                    Pattern.DOTALL);

    @TempDir Path keys;

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void carriesFullLoadBetweenFourSmallHeapsForAMinute(SoakNode.Line line) throws Exception {
        assumeTrue(line.isAvailable(), "UCX is not installed (package libucx0): not tested");
        SoakNode.Line.prepare(keys);
        List<Process> children = new ArrayList<>();
        try {
            List<String> ports = freePorts();
            for (int id = 0; id < NODES; id++) {
                children.add(start(line, id, ports));
            }
            for (Process child : children) {
                check(new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
                assertThat(child.waitFor()).isZero();
            }
        } finally {
            children.forEach(Process::destroyForcibly);
        }
    }

    private static void check(String output) {
        System.out.print(output);
        Matcher figures = FIGURES.matcher(output.strip());
        assertThat(figures.matches()).as(output).isTrue();
        assertThat(number(figures, 2) - number(figures, 1)).isLessThan(MAX_HEAP_GROWTH_KIB);
        assertThat(number(figures, 4) - number(figures, 3)).isLessThan(MAX_NATIVE_GROWTH_KIB);
        assertThat(Double.parseDouble(figures.group(5))).isLessThan(1);
    }

    private static long number(Matcher figures, int group) {
        return Long.parseLong(figures.group(group));
    }

    private static List<String> freePorts() throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        List<String> ports = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            ports.add(Integer.toString(sockets.get(i).getLocalPort()));
        }
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }

    private Process start(SoakNode.Line line, int id, List<String> ports) throws IOException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx128m",
                                "-Duser.language=en",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                SoakNode.class.getName(),
                                line.name(),
                                keys.toString(),
                                Integer.toString(id),
                                Integer.toString(SECONDS)));
        command.addAll(ports);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
