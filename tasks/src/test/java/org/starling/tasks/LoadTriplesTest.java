package org.starling.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** N-Triples as graphs: on the engine, with two peers in this process. */
final class LoadTriplesTest {
    @RegisterExtension static final TwoPeers PEERS = new TwoPeers();

    @TempDir Path folder;

    @AfterEach
    void dropGraphs() {
        List.copyOf(PEERS.session().graphs()).forEach(PEERS.session()::drop);
    }

    private Map<String, Object> load(String text, Map<String, ?> more) throws IOException {
        Files.writeString(folder.resolve("t.nt"), text);
        Parameters arguments =
                Parameters.of("graph", "g").with("file", "t.nt").with("format", "auto");
        for (Map.Entry<String, ?> one : more.entrySet()) {
            arguments = arguments.with(one.getKey(), one.getValue());
        }
        TasksTest.task("graph.load").check(arguments);
        return TasksTest.task("graph.load")
                .run(new FolderContext(PEERS.session(), folder), arguments)
                .asMap();
    }

    @Test
    void loadsDirectedEdgesWithTheirPredicates() throws IOException {
        Map<String, Object> result =
                load(
                        "<urn:ann> <urn:knows> <urn:bob> .\n<urn:bob> <urn:likes> _:x .\n<urn:cid> <urn:name> \"Cid\" .\n",
                        Map.of());

        assertThat(result).containsEntry("vertices", 4L).containsEntry("edges", 2L);
        assertThat(result).containsEntry("skippedLines", 1L);
        assertThat(String.valueOf(result.get("badLines")))
                .contains("t.nt:3: the object is a literal, and no vertex");
        assertThat(PEERS.session().info("g").directed()).isTrue();
        assertThat(PEERS.session().info("g").textIds()).isTrue();
        TasksTest.task("graph.project")
                .run(
                        new FolderContext(PEERS.session(), folder),
                        Parameters.of("graph", "g")
                                .with("edges", "predicate == \"urn:likes\"")
                                .with("as", "likes"));
        assertThat(PEERS.session().info("likes").edges()).isEqualTo(1);
    }

    @Test
    void endsAtALineThatIsNoTripleUnlessItIsToSkipThem() throws IOException {
        String text = "<urn:ann> <urn:knows> <urn:bob> .\nann knows bob\n";

        assertThatThrownBy(() -> load(text, Map.of()))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("t.nt:2:1: expected a subject: <IRI> or _:label");
        assertThat(PEERS.session().graphs()).isEmpty();
        assertThat(load(text, Map.of("badLines", "skip"))).containsEntry("skippedLines", 1L);
    }

    @Test
    void refusesWhatGoesWithOtherTables() {
        for (Map<String, ?> other :
                List.of(
                        Map.of("source", "s"),
                        Map.of("separator", ","),
                        Map.of("vertices", List.of("t.nt")))) {
            assertThatThrownBy(() -> load("<urn:a> <urn:p> <urn:b> .\n", other))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("goes with an edge list, and t.nt is ntriples");
        }
    }
}
