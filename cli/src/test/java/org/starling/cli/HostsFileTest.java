package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.cli.HostsFile.Host;
import org.starling.graph.InvalidInputException;

/** Files of hosts. */
final class HostsFileTest {
    @TempDir Path folder;

    @Test
    void namesHostsRolesAndFolders() throws IOException {
        Path file =
                file(
                        """
                        # the cluster of the lab

                        delta          peer        /scratch/starling   # has the big disk
                        me@alpha.lab   superpeer
                        fd00::1        peer
                        """);

        assertThat(HostsFile.read(file))
                .containsExactly(
                        new Host("me@alpha.lab", true, ".starling/node"),
                        new Host("delta", false, "/scratch/starling"),
                        new Host("fd00::1", false, ".starling/node"));
        assertThat(HostsFile.read(file).getFirst().name()).isEqualTo("alpha.lab");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    alpha superpeer;beta                            | hosts:2: expected a host, superpeer or peer
                    alpha superpeer;beta pear                       | found "beta pear"
                    alpha superpeer;-oProxyCommand=x peer           | hosts:2: expected a host
                    alpha superpeer;beta peer /a b                  | found "beta peer /a b"
                    alpha superpeer;me@Alpha peer                   | hosts:2: host Alpha is there already
                    alpha superpeer                                 | names 1 superpeers and 0 peers
                    alpha superpeer;beta superpeer;gamma peer       | names 2 superpeers and 1 peers
                    alpha peer                                      | names 0 superpeers and 1 peers
                    """)
    void saysWhatIsWrongAndWhere(String text, String sentence) throws IOException {
        Path file = file(text.replace(';', '\n'));

        assertThatThrownBy(() -> HostsFile.read(file))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(sentence);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("hosts"), text);
    }
}
