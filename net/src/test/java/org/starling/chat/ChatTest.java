package org.starling.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The chat of the README runs between two processes and is what the README shows. */
@Timeout(30)
class ChatTest {

    @SuppressWarnings("try") // the end of what one says is a part of the test
    @Test
    void carriesLinesBothWaysBetweenTwoProcesses() throws Exception {
        String first = Integer.toString(freePort());
        String second = Integer.toString(freePort());
        Process one = start("1", first, second);
        Process two = start("2", first, second);
        try (BufferedReader heardByOne = one.inputReader(StandardCharsets.UTF_8);
                BufferedReader heardByTwo = two.inputReader(StandardCharsets.UTF_8);
                Writer saidByOne = one.outputWriter(StandardCharsets.UTF_8);
                Writer saidByTwo = two.outputWriter(StandardCharsets.UTF_8)) {
            assertThat(heardByOne.readLine()).startsWith("node 1 is here");
            assertThat(heardByTwo.readLine()).startsWith("node 2 is here");

            say(saidByOne, "grüß dich");
            assertThat(heardByTwo.readLine()).isEqualTo("1> grüß dich");
            say(saidByTwo, "and you");
            assertThat(heardByOne.readLine()).isEqualTo("2> and you");
            say(saidByOne, "bye");
            saidByOne.close(); // and with it the network, after its last line has arrived
            assertThat(heardByTwo.readLine()).isEqualTo("1> bye");
            assertThat(one.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(one.exitValue()).isZero();
        } finally {
            one.destroyForcibly().waitFor();
            two.destroyForcibly().waitFor();
        }
    }

    @Test
    void standsInTheReadmeAsItIs() throws Exception {
        Path source = Path.of("src/test/java/org/starling/chat/Chat.java");
        String readme = Files.readString(Path.of("README.md"));
        int start = readme.indexOf("```java\n") + "```java\n".length();
        int end = readme.indexOf("```", start);

        assertThat(readme.substring(start, end)).isEqualTo(Files.readString(source));
    }

    private static void say(Writer to, String text) throws IOException {
        to.write(text + "\n");
        to.flush();
    }

    private static Process start(String... args) throws IOException {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-Dstdout.encoding=UTF-8",
                        "-cp",
                        Objects.requireNonNull(System.getProperty("java.class.path")),
                        Chat.class.getName());
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(command));
        builder.command().addAll(List.of(args));
        return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
