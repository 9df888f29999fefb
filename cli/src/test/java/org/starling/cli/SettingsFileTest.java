package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.cluster.NodeTls;
import org.starling.compute.cluster.NodeTuning;
import org.starling.compute.inputs.WebHosts;
import org.starling.compute.script.JsonText;
import org.starling.graph.InvalidInputException;

final class SettingsFileTest {
    @Test
    void readsWhatItWrites() {
        String written = JsonText.writeIndented(Settings.DEFAULT.tree());

        assertThat(SettingsFile.parse("s.json", written)).isEqualTo(Settings.DEFAULT);
    }

    @Test
    void readsEveryKey() {
        Settings settings =
                SettingsFile.parse(
                        "s.json",
                        """
                        {"peers": 3, "processes": true, "threadsPerPeer": 2,
                         "memoryPerPeer": "4GiB", "transport": "ethernet",
                         "progressInterval": "2s", "cancelTimeout": "1min",
                         "superpeers": 3, "replication": 2, "durability": "process",
                         "zoneBytes": "16MiB", "checkpointInterval": "500ms", "leaveTimeout": "45s",
                         "dataDirectory": "flock", "basePort": 8400, "restPort": 8500,
                         "ucxTls": "posix,self", "ucxDevices": "mlx5_0:1,eth0.7", "tls": "generated",
                         "socketSendBytes": "64KiB", "socketReceiveBytes": "1MiB", "maxConnections": 300,
                         "userCode": false, "maxJarBytes": "1MiB",
                         "maxRunningJobs": 7, "groups": {"night": 2, "day": 1},
                         "allow": ["/data", "more"],
                         "allowUrls": ["Data.example.org", "10.0.0.5:8080", "s3://Data/In/"],
                         "role": "superpeer", "seeds": "a:7400,b:7400,c:7400",
                         "listen": "0.0.0.0", "advertise": "a", "zone": "rack7/host3", "port": "7401-7410", "keys": "ours",
                         "group": "night", "insecure": true, "restMutualTls": true}
                        """);

        assertThat(settings)
                .isEqualTo(
                        Settings.DEFAULT
                                .with(Settings.PEERS, 3)
                                .with(Settings.PROCESSES, true)
                                .with(Settings.THREADS, 2)
                                .with(Settings.MEMORY, 4L << 30)
                                .with(Settings.TRANSPORT, Settings.Transport.ETHERNET)
                                .with(Settings.PROGRESS_INTERVAL, Duration.ofSeconds(2))
                                .with(Settings.CANCEL_TIMEOUT, Duration.ofMinutes(1))
                                .with(Settings.SUPERPEERS, 3)
                                .with(Settings.REPLICATION, 2)
                                .with(Settings.DURABILITY, NodeTuning.Durability.PROCESS)
                                .with(Settings.ZONE_BYTES, 16L << 20)
                                .with(Settings.CHECKPOINT_INTERVAL, Duration.ofMillis(500))
                                .with(Settings.LEAVE_TIMEOUT, Duration.ofSeconds(45))
                                .with(Settings.DATA_DIRECTORY, "flock")
                                .with(Settings.BASE_PORT, 8400)
                                .with(Settings.REST_PORT, 8500)
                                .with(Settings.UCX_TLS, "posix,self")
                                .with(Settings.UCX_DEVICES, "mlx5_0:1,eth0.7")
                                .with(Settings.TLS, NodeTls.Word.GENERATED)
                                .with(Settings.SOCKET_SEND_BYTES, 64L << 10)
                                .with(Settings.SOCKET_RECEIVE_BYTES, 1L << 20)
                                .with(Settings.MAX_CONNECTIONS, 300)
                                .with(Settings.USER_CODE, false)
                                .with(Settings.MAX_JAR_BYTES, 1L << 20)
                                .with(Settings.MAX_RUNNING_JOBS, 7)
                                .with(Settings.GROUPS, Map.of("night", 2, "day", 1))
                                .with(Settings.ALLOW, List.of("/data", "more"))
                                .with(
                                        Settings.ALLOW_URLS,
                                        new WebHosts(
                                                List.of(
                                                        "data.example.org",
                                                        "10.0.0.5:8080",
                                                        "s3://Data/In")))
                                .with(Settings.ROLE, Settings.Role.SUPERPEER)
                                .with(Settings.SEEDS, "a:7400,b:7400,c:7400")
                                .with(Settings.LISTEN, "0.0.0.0")
                                .with(Settings.ADVERTISE, "a")
                                .with(Settings.ZONE, "rack7/host3")
                                .with(Settings.PORT, new PortRange(7401, 7410))
                                .with(Settings.KEYS, "ours")
                                .with(Settings.GROUP, "night")
                                .with(Settings.INSECURE, true)
                                .with(Settings.REST_MUTUAL_TLS, true));
        assertThat(settings.said()).containsOnlyKeys(Settings.ALL);
        assertThat(SettingsFile.parse("s.json", JsonText.write(settings.tree())))
                .isEqualTo(settings);
    }

    @Test
    void takesDefaultsForWhatIsNotSaid() {
        assertThat(SettingsFile.parse("s.json", "{\"peers\": 2}"))
                .isEqualTo(Settings.DEFAULT.with(Settings.PEERS, 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"peer": 2}                 | s.json: peer: unknown key; did you mean "peers"?
                    {"peers": 0}                | s.json: peers: expected a whole number from 1 to 64, found 0
                    {"peers": "2"}              | s.json: peers: expected a whole number from 1 to 64, found "2"
                    {"peers": 2.0}              | s.json: peers: expected a whole number from 1 to 64, found 2.0
                    {"peers": null}             | s.json: peers: null is no value; leave the key out for its default
                    {"processes": "yes"}        | s.json: processes: expected true or false, found "yes"
                    {"threadsPerPeer": "some"}  | s.json: threadsPerPeer: expected a whole number from 1 to 1024, found "some"
                    {"memoryPerPeer": 4}        | s.json: memoryPerPeer: expected a text with a unit, found 4
                    {"memoryPerPeer": "4GB"}    | s.json: memoryPerPeer: expected a size like "512MiB" or "4GiB", found "4GB"
                    {"memoryPerPeer": "1MiB"}   | s.json: memoryPerPeer: expected at least 64MiB, found "1MiB"
                    {"transport": "pigeon"}     | s.json: transport: expected one of auto, loopback, ethernet, infiniband, found "pigeon"
                    {"cancelTimeout": "soon"}   | s.json: cancelTimeout: expected a duration like "500ms", "10s" or "5min", found "soon"
                    {"superpeers": 2}           | s.json: superpeers: expected 1 or 3, found 2
                    {"superpeer": 3}            | s.json: superpeer: unknown key; did you mean "superpeers"?
                    {"replication": 9}          | s.json: replication: expected a whole number from 0 to 8, found 9
                    {"durability": "disk"}      | s.json: durability: expected one of memory, process, power, found "disk"
                    {"zoneBytes": "1KiB"}       | s.json: zoneBytes: expected 1MiB to 16GiB, found "1KiB"
                    {"checkpointInterval": "0s"} | s.json: checkpointInterval: expected more than no time at all, found "0s"
                    {"dataDirectory": " "}      | s.json: dataDirectory: expected the name of a folder, found " "
                    {"basePort": 65536}         | s.json: basePort: expected a whole number from 1 to 65435, found 65536
                    {"ucxTls": "a b"}           | s.json: ucxTls: expected names of UCX transports like "posix,self", found "a b"
                    {"ucxDevices": "eth0;lo"}   | s.json: ucxDevices: expected names of network devices like "mlx5_0:1" or "eth0", found "eth0;lo"
                    {"tls": true}               | s.json: tls: expected "off", "generated" or an object with certificate, key and authority, found true
                    {"tls": {"key": "k"}}       | s.json: tls: expected the name of a file as "certificate"
                    {"tls": {"keys": "k"}}      | s.json: tls: unknown key "keys"; did you mean "key"?
                    {"socketSendBytes": "1KiB"} | s.json: socketSendBytes: expected 4KiB to 256MiB, found "1KiB"
                    {"maxConnections": 8}       | s.json: maxConnections: expected a whole number from 16 to 65535, found 8
                    {"socketReceiveBytes": 1}   | s.json: socketReceiveBytes: expected a text with a unit, found 1
                    {"maxRunningJobs": 65}      | s.json: maxRunningJobs: expected a whole number from 1 to 64, found 65
                    {"groups": {"night": 0}}    | s.json: groups: expected numbers of peers (1 to 64) by names of groups, found {"night": 0}
                    {"groups": {"Night": 1}}    | s.json: groups: "Night" is no name of a group; take 1 to 11 small letters, digits and hyphens
                    {"groups": ["night"]}       | s.json: groups: expected numbers of peers (1 to 64) by names of groups, found ["night"]
                    {"allow": "/"}              | s.json: allow: expected a list of at most 16 folders, found "/"
                    {"allowUrls": "a.org"}      | s.json: allowUrls: expected a list of hosts, found "a.org"
                    {"allowUrls": [""]}         | s.json: allowUrls: expected a host such as data.example.org, 10.0.0.5:8080 or *.example.org, without http:// and without a path, or a bucket such as s3://data, found ""
                    {"allow": ["a", 1]}         | s.json: allow: expected the name of a folder, found 1
                    [1]                         | s.json: expected an object with settings
                    {"peers": 1                 | s.json: line 1, column 12: the text ends in the middle
                    """)
    void refuses(String text, String message) {
        assertThatThrownBy(() -> SettingsFile.parse("s.json", text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(message);
    }

    @Test
    void looksForKeysBesideTheConfiguration(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("s.json");
        Files.writeString(
                file,
                """
                {"processes": true, "tls": {"certificate": "c.pem", "key": "/k.pem", "authority": "ca.pem"}}
                """);

        Settings settings = SettingsFile.read(file);

        assertThat(settings.get(Settings.TLS).tree())
                .isEqualTo(
                        Map.of(
                                "certificate", folder.resolve("c.pem").toString(),
                                "key", "/k.pem",
                                "authority", folder.resolve("ca.pem").toString()));
        assertThatThrownBy(settings::checkTransport)
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("tls: there is no file %s that can be read", folder.resolve("c.pem"));
    }

    @Test
    void refusesTlsOverInfiniband() {
        Settings settings =
                SettingsFile.parse(
                        "s.json",
                        "{\"transport\": \"infiniband\", \"processes\": true, \"tls\":"
                                + " \"generated\"}");

        assertThatThrownBy(settings::checkTransport)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("tls: ");
    }

    @Test
    void saysAllThatIsWrongAtOnce() {
        assertThatThrownBy(() -> SettingsFile.parse("s.json", "{\"peers\": 0, \"memory\": 1}"))
                .hasMessage(
                        """
                        s.json: memory: unknown key; the nearest is "peers"
                        s.json: peers: expected a whole number from 1 to 64, found 0\
                        """);
    }

    @ParameterizedTest
    @CsvSource({"loopback, true", "ethernet, false", "infiniband, false"})
    void refusesATransportThatThePeersCanNotUse(String transport, boolean processes) {
        Settings settings =
                SettingsFile.parse(
                        "s.json",
                        "{\"transport\": \"%s\", \"processes\": %s}"
                                .formatted(transport, processes));

        assertThatThrownBy(settings::checkTransport)
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("transport: ");
    }
}
