package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.TokenService.TokenView;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ClusterPlan;
import org.starling.compute.cluster.InProcessCluster;
import org.starling.compute.script.JsonText;

/** {@code tokens}, over a service without a cluster, and once over a real one. */
@Timeout(60)
final class TokensCommandTest {
    @TempDir Path folder;

    private final FakeService service = new FakeService();
    private final Screen screen = new Screen();

    @Test
    void makesATokenThatOnlyItsMakerKnows() throws Exception {
        assertThat(run("create", "--role", "submit", "--name", "ann", "--output", "ann"))
                .isEqualTo(ExitCode.DONE);

        AccessToken token = AccessToken.read(folder.resolve("ann"));
        assertThat(token.text()).startsWith("slg_");
        assertThat(screen.out())
                .isEqualTo("wrote the token of ann to %s\n".formatted(folder.resolve("ann")));
        assertThat(service.tokens().list())
                .extracting(TokenView::name, TokenView::role, TokenView::expires)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("ann", AccessRole.SUBMIT, null));
        assertThat(Files.getPosixFilePermissions(folder.resolve("ann")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void showsATokenOnceWithoutAFile() {
        run("create", "--role", "read", "--name", "ann", "--expires", "30d");
        run("create", "--role", "read", "--name", "bob", "--json");

        List<String> lines = screen.out().lines().toList();
        assertThat(AccessToken.of(lines.getFirst(), "the first line").text()).hasSize(68);
        Map<?, ?> tree = (Map<?, ?>) Objects.requireNonNull(JsonText.parse(lines.getLast()));
        assertThat(tree.get("name")).isEqualTo("bob");
        assertThat(AccessToken.of(String.valueOf(tree.get("token")), "JSON").text()).hasSize(68);
    }

    @Test
    void listsAndRevokes() {
        run("list");
        run("create", "--role", "operate", "--name", "ann", "--json");
        run("list");
        assertThat(run("revoke", "ann")).isEqualTo(ExitCode.DONE);
        run("list", "--json");

        List<String> lines = screen.out().lines().toList();
        assertThat(lines.getFirst())
                .isEqualTo("there are no tokens but the one in the cluster's folder");
        assertThat(lines.get(2)).matches("  name  role     created +expires");
        assertThat(lines.get(3)).matches("  ann   operate  2\\S+Z +never");
        assertThat(lines.subList(4, 6))
                .containsExactly("revoked the token of ann", "{\"tokens\": []}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                                       | 2 | tokens needs one of create, list and"
                        + " revoke",
                "burn                                   | 2 | burn",
                "create                                 | 2 | tokens create needs --name",
                "create --name a                        | 2 | tokens create needs --role",
                "create --name a --role boss            | 3 | there is no role \"boss\"; valid:"
                        + " admin, operate, read, submit",
                "create --name a --role amdin           | 3 | did you mean \"admin\"?",
                "create --name owner --role read        | 3 | a token can't be called \"owner\"",
                "create --name a --role read --expires x| 2 | --expires wants a time like 12h or"
                        + " 30d, found \"x\"",
                "create --name a --role read --expires 0s| 3 | a token expires after",
                "create --name a --role read more       | 2 | create takes options only",
                "revoke                                 | 2 | revoke needs one name",
                "revoke nobody                          | 3 | the cluster has no token of"
                        + " \"nobody\"",
            })
    void refuses(String words, int code, String sentence) {
        ExitCode found = run(words == null ? new String[0] : words.strip().split("\\s+"));

        assertThat(screen.err().lines().toList()).singleElement().asString().contains(sentence);
        assertThat(found.number()).isEqualTo(code);
        assertThat(service.tokens().list()).isEmpty();
    }

    @Test
    void leavesNoFileWhereTheClusterRefuses() {
        run("create", "--role", "read", "--name", "ann", "--json");

        assertThat(run("create", "--role", "read", "--name", "ann", "--output", "again"))
                .isEqualTo(ExitCode.BAD_INPUT);
        assertThat(folder.resolve("again")).doesNotExist();
    }

    @Tag("thorough")
    @Test
    void keepsTokensOfARealClusterOverItsRestart() throws Exception {
        int port = FreePorts.base();
        ClusterPlan plan =
                ClusterPlan.of(folder.resolve("c"), 1, 1)
                        .withPorts(port, port + 90)
                        .withPeerSizes(1, 64L << 20)
                        .withRoots(List.of(folder));
        String cluster = "--cluster http://127.0.0.1:%d ".formatted(port + 90);
        String asOwner = cluster + "--token c/token";
        String asAnn = cluster + "--token ann";
        try (InProcessCluster running = InProcessCluster.start(plan)) {
            assertThat(running.client().tokens().list()).isEmpty();
            assertThat(real("create --role read --name ann --output ann " + asOwner))
                    .isEqualTo(ExitCode.DONE);
            assertThat(real("list " + asAnn)).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(screen.err())
                    .contains("\"ann\" has the role read, and this needs the role admin");
        }
        try (InProcessCluster running = InProcessCluster.start(plan)) {
            assertThat(jobs(asAnn)).isEqualTo(ExitCode.DONE);
            assertThat(real("revoke ann " + asOwner)).isEqualTo(ExitCode.DONE);
            assertThat(jobs(asAnn)).isEqualTo(ExitCode.BAD_INPUT);
            assertThat(screen.err()).contains("it does not know (any more)");
            assertThat(running.client().tokens().list()).isEmpty();
        }
        String audit = Files.readString(folder.resolve("c/data/superpeer-0/audit.jsonl"));
        assertThat(audit.lines().toList()).hasSize(2);
        assertThat(audit)
                .contains("\"what\": \"create token\", \"object\": \"ann: read\"")
                .contains("\"what\": \"revoke token\", \"object\": \"ann\"");
    }

    private ExitCode run(String... words) {
        List<Command> commands = List.of(new TokensCommand((_, _) -> service));
        return run(commands, "tokens", words);
    }

    private ExitCode real(String words) {
        return run(List.of(new TokensCommand(ClusterLine::find)), "tokens", words.split("\\s+"));
    }

    private ExitCode jobs(String words) {
        return run(List.of(new JobsCommand(ClusterLine::find)), "jobs", words.split("\\s+"));
    }

    private ExitCode run(List<Command> commands, String command, String... words) {
        String[] all = new String[words.length + 1];
        all[0] = command;
        System.arraycopy(words, 0, all, 1, words.length);
        return new Commands(commands).run(all, screen.terminal(folder), new Interruption());
    }
}
