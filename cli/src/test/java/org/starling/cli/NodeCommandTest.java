package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code node} and {@code keys} refuse, before anything listens. */
final class NodeCommandTest {
    private static final List<String> PROPERTIES =
            List.of("log4j2.configurationFile", "starling.log.format");

    @TempDir Path folder;

    @AfterEach
    void forgetTheLog() {
        PROPERTIES.forEach(System::clearProperty);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                            | 2 | a peer needs --seeds",
                "--seeds a                                   | 2 | found \"a\"",
                "--seeds a:0                                 | 2 | found \"a:0\"",
                "--seeds a:70000                             | 2 | found \"a:70000\"",
                "--seeds ::1:7400                            | 2 | found \"::1:7400\"",
                "--seeds a:1,b:1 --superpeers 3              | 2 | 3 of them; found 2: a:1,b:1",
                "--seeds a:1,a:2,a:3,a:4,a:5,a:6,a:7,a:8,a:9,b:1 | 2 | at most 9; found 10: a:1,",
                "--seeds a:1,b:1                             | 3 | there is no secret",
                "--seeds a:1,A:1,b:1                         | 2 | names a superpeer twice",
                "--seeds a:1 --superpeers 3                  | 2 | 3 of them; found 1",
                "--seeds [fd00::1]:7400 --superpeers 3       | 2 | found 1: [fd00:0:0:0:0:0:0:1]:7400",
                "--seeds [fd00::x]:1                         | 2 | found \"[fd00::x]:1\"",
                "--seeds [a]:1                               | 2 | found \"[a]:1\"",
                "--seeds [::1]:1,[0:0::1]:1,b:1              | 2 | names a superpeer twice",
                "--seeds [::1]:7400 --role superpeer --listen ::1 | 3 | there is no secret",
                "--seeds [::1]:7400 --role superpeer --advertise [0::1] | 3 | there is no secret",
                "--seeds a:1 --advertise b:2                 | 2 | --advertise wants a host name or an address",
                "--seeds a:1 --zone rack7/                   | 2 | --zone: a place is names with / between them, like rack7/host3, found \"rack7/\"",
                "--seeds a:1 --zone a/b/c/d/e                | 2 | --zone: a place has at most 4 names",
                "--seeds file:none                           | 3 | none",
                "--seeds dns:a                               | 2 | found \"a\"",
                "--seeds dns:a,b:1                           | 2 | found \"a,b:1\"",
                "--seeds dns:a:1 --superpeers 3              | 3 | there is no secret",
                "--seeds dns:a:1 --role superpeer            | 2 | leave dns: to peers",
                "--seeds a:1,b:1,c:1 --role superpeer        | 3 | there is no secret",
                "--role boss                                 | 2 | --role: expected one of peer, superpeer",
                "--port 99999 --seeds a:1                    | 2 | --port: expected a port from 0 (any) to 65535",
                "--port x --seeds a:1                        | 2 | --port: expected a port",
                "--port 7400-7300 --seeds a:1                | 2 | --port: expected a port",
                "--port 7400-7402 --seeds a:7400 --role superpeer | 2 | a superpeer has one port, which --seeds names on every node; found --port 7400-7402",
                "--port 0 --role superpeer                   | 2 | found --port 0",
                "--memory 1 --seeds a:1                      | 2 | --memory:",
                "--listen no.such.host.invalid --seeds a:1   | 3 | there is no address",
                "--listen 0.0.0.0 --seeds a:1                | 3 | without TLS",
                "--listen 0.0.0.0 --insecure --seeds a:1     | 2 | say with --advertise",
                "--log xml --seeds a:1                       | 2 | --log must be text or json",
                "--seeds a:1 more                            | 2 | takes options only, found \"more\"",
                "--seeds a:1                                 | 3 | there is no secret",
            })
    void refuses(String words, int code, String sentence) {
        Said said = run(Map.of(), words == null ? "" : words);

        assertThat(said.text).contains(sentence).startsWith("starling: ");
        assertThat(said.text.lines()).hasSize(1);
        assertThat(said.code.number()).isEqualTo(code);
    }

    @Test
    void takesOptionsFromTheEnvironmentAndTheConfiguration() throws Exception {
        Files.writeString(folder.resolve("starling.json"), "{\"seeds\": \"a:1,b:1\"}");

        assertThat(run(Map.of(), "--superpeers 3").text).contains("found 2: a:1,b:1");
        assertThat(run(Map.of("STARLING_SEEDS", "c:1,d:1"), "--superpeers 3").text)
                .contains("found 2: c:1,d:1");
        assertThat(run(Map.of("STARLING_SEEDS", "c:1,d:1"), "--seeds e:1,f:1 --superpeers 3").text)
                .contains("found 2: e:1,f:1");
        assertThat(run(Map.of("STARLING_REST_PORT", "0"), "").text)
                .contains("the variable STARLING_REST_PORT: expected a whole number");
        assertThat(run(Map.of("STARLING_SECRET", "x"), "--seeds a:1").text)
                .contains("the variable STARLING_SECRET: a cluster's secret is 64 hexadecimal");
    }

    @Test
    void readsSeedsFromAFileWithComments() throws Exception {
        Files.writeString(folder.resolve("seeds"), "# ours\na:1\n\nb:1 # the second\n");

        assertThat(run(Map.of(), "--seeds file:seeds --superpeers 3").text)
                .contains("found 2: a:1,b:1");
    }

    @Test
    void makesKeysOnceForTheirOwnerAlone() throws Exception {
        assertThat(keys("init k").code).isEqualTo(ExitCode.DONE);
        String secret = Files.readString(folder.resolve("k/secret"));
        assertThat(Files.getPosixFilePermissions(folder.resolve("k/secret"))).hasSize(2);
        assertThat(Files.getPosixFilePermissions(folder.resolve("k/token"))).hasSize(2);

        assertThat(keys("init k").text).contains("has a secret already");
        assertThat(Files.readString(folder.resolve("k/secret"))).isEqualTo(secret);
        assertThat(keys("init").text).contains("needs one folder");
        assertThat(keys("burn k").text).contains("found \"burn\"");
    }

    @Test
    void issuesAndExchangesKeys() throws Exception {
        assertThat(keys("init k").text).contains("keys issue");
        assertThat(keys("issue k --for alpha,10.0.0.1 --nodes 0").text)
                .contains("made " + folder.resolve("k/alpha"));
        assertThat(keys("issue k --for ann --client").text).contains("--certificate");
        assertThat(keys("rotate k --days 30").text).contains("of alpha, ann anew");
        assertThat(keys("rotate k --new-authority").text)
                .contains("authority.crt.pem to every host");
        assertThat(keys("rotate k --json").text).contains("\"hosts\": [\"alpha\", \"ann\"]");
        assertThat(keys("rotate k --drop-old").code).isEqualTo(ExitCode.DONE);
        assertThat(keys("rotate k --drop-old").text).contains("no earlier authority is trusted");

        assertThat(Files.getPosixFilePermissions(folder.resolve("k/alpha/node.key.pem")))
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "issue k                                 | 2 | keys issue needs --for",
                "issue k --for a b                       | 2 | needs one folder",
                "issue k --for a/b                       | 3 | can't be for \"a/b\"",
                "issue k --for a,,b                      | 3 | can't be for \"\"",
                "issue k --for a --nodes x               | 2 | --nodes wants node ids like 0 or 3-65535, found \"x\"",
                "issue k --for a --nodes 9-3             | 3 | found 9 to 3",
                "issue k --for a --nodes 0-99999         | 3 | found 0 to 99999",
                "issue k --for a --days 0                | 2 | --days wants a whole number from 1 to 3650",
                "issue k --for a --days x                | 2 | found \"x\"",
                "issue k --for a,b --client              | 2 | --client takes one name",
                "issue k --for a --drop-old              | 2 | keys issue takes no --drop-old",
                "issue none --for a                      | 3 | there is no authority in",
                "rotate k                                | 3 | there is no authority in",
                "rotate k --new-authority --drop-old     | 2 | one of --new-authority and --drop-old",
                "rotate k --for a                        | 2 | keys rotate takes no --for",
                "init k2 --days 3                        | 2 | keys init takes no --days",
            })
    void refusesKeys(String words, int code, String sentence) {
        assertThat(keys("init k").code).isEqualTo(ExitCode.DONE);

        Said said = keys(words);

        assertThat(said.text).contains(sentence).startsWith("starling: ");
        assertThat(said.text.lines()).hasSize(1);
        assertThat(said.code.number()).isEqualTo(code);
    }

    @Test
    void usesTheCertificateInItsFolderOfKeysAndNeedsNoLeaveThen() throws Exception {
        keys("init k");
        keys("issue k --for alpha");
        String line = "--listen 0.0.0.0 --seeds a:1 --keys k";

        assertThat(run(Map.of(), line).text).contains("without TLS");
        assertThat(run(Map.of(), line + "/alpha").text).contains("say with --advertise");
        assertThat(run(Map.of(), line + " --rest-mutual-tls").text)
                .contains("restMutualTls: there is no TLS without a certificate");
        assertThat(run(Map.of("STARLING_REST_MUTUAL_TLS", "true"), line).text)
                .contains("restMutualTls");
        Files.delete(folder.resolve("k/alpha/node.key.pem"));
        assertThat(run(Map.of(), line + "/alpha").text)
                .contains("there is no file " + folder.resolve("k/alpha/node.key.pem"));
    }

    private record Said(ExitCode code, String text) {}

    private Said keys(String words) {
        return run(new KeysCommand(), "keys " + words);
    }

    private Said run(Map<String, String> environment, String words) {
        return run(new NodeCommand(environment), "node " + words);
    }

    private Said run(Command command, String words) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        ExitCode code =
                new Commands(List.of(command))
                        .run(
                                words.strip().split("\\s+"),
                                new Terminal(
                                        InputStream.nullInputStream(),
                                        stream,
                                        stream,
                                        false,
                                        folder),
                                new Interruption());
        return new Said(code, bytes.toString(StandardCharsets.UTF_8));
    }
}
