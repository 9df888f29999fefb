package org.starling.loaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;

/** Tables with headers as Neo4j imports them. */
final class Neo4jHeaderTest {
    @TempDir Path folder;

    private Parameters file(String text) throws IOException {
        return Parameters.of("file", Files.writeString(folder.resolve("a.csv"), text).toString());
    }

    @Test
    void readsRelationshipsAndNodes() throws IOException {
        Path nodes =
                Files.writeString(
                        folder.resolve("nodes.csv"),
                        """
                        personId:ID(Person),name,age:int,born:date,:LABEL
                        1,"Bell, Ann",40,1980-01-02,Person;Author
                        2,Bob,30,1990-01-01,Person
                        """);
        Parameters knows =
                file("""
                :START_ID(Person),since:int,how,:END_ID(Person),:TYPE
                1,2019,work,2,KNOWS
                2,,,3,LIKES
                """)
                        .with("vertices", List.of(nodes.toString()));

        var source = FileFormat.EDGE_LIST.source(knows);
        Recorded read = Recorded.of(source);

        assertThat(source.describe().edgeProperties())
                .containsExactly(
                        Property.of("since", PropertyType.INT),
                        Property.of("how", PropertyType.STRING),
                        Property.of("type", PropertyType.STRING));
        assertThat(read.edges).containsExactly(new Edges.Edge(1, 2, 1), new Edges.Edge(2, 3, 1));
        assertThat(read.edgeValues)
                .containsExactly(
                        Map.of("since", "2019", "how", "work", "type", "KNOWS"),
                        Map.of("since", "0", "how", "", "type", "LIKES"));
        assertThat(read.vertices.get(1L))
                .isEqualTo(
                        Map.of(
                                "name", "Bell, Ann",
                                "age", "40",
                                "born", "1980-01-02",
                                "label", "Person;Author"));
    }

    @Test
    void takesSemicolonsAndTabsBetweenFields() throws IOException {
        for (String between : List.of(";", "\t", "|")) {
            Parameters list =
                    file(":START_ID,:END_ID,weight:double\n1,2,0.5\n".replace(",", between));

            assertThat(Recorded.of(FileFormat.EDGE_LIST.source(list)).edges)
                    .containsExactly(new Edges.Edge(1, 2, 0.5f));
        }
    }

    @Test
    void refusesEdgesBetweenTwoIdSpaces() throws IOException {
        Parameters list = file(":START_ID(Person),:END_ID(Film)\n1,2\n");

        assertThatThrownBy(() -> FileFormat.EDGE_LIST.source(list).describe())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("a.csv:1: edges lead from ids of")
                .hasMessageContaining("Film");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "x:int ! x:int?",
                "x:byte ! x:int?",
                "x:long{a:b} ! x:long?",
                "x:float[] ! x:string",
                "x ! x:string",
                "x:boolean ! x:boolean?",
                "x:point{crs:wgs-84} ! x:string",
                ":TYPE ! type:string",
                "kind:TYPE ! type:string"
            })
    void turnsColumnsIntoTheirs(String neo4j, String plain) {
        assertThat(Neo4jHeader.ofEdges("a:1", List.of(":START_ID", neo4j, ":END_ID")))
                .containsExactly("source", plain, "target");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "source,target,x:int ! ",
                ":START_ID,target ! ",
                ":start_id,:end_id ! ",
                "a:END_ID,b:ID ! "
            })
    void leavesOtherHeadersAlone(String header, String nothing) {
        List<String> fields = List.of(header.split(","));

        assertThat(Neo4jHeader.ofEdges("a:1", fields)).isEqualTo(fields);
    }

    /** Whatever stands there, it is read, or refused in a sentence. */
    @Test
    void readsOrRefusesHeadersThatWereChangedAtRandom() {
        long seed = Long.getLong("starling.fuzz.seed", System.nanoTime());
        Random random = new Random(seed);
        String signs = ":()[]{},;?\"\\ \tIDSTARTEND_xint1é";
        for (int round = 0; round < 300; round++) {
            StringBuilder header =
                    new StringBuilder(":START_ID(P),since:int,how,:END_ID(P),x:TYPE,y:point{a:b}");
            for (int change = random.nextInt(4); change >= 0; change--) {
                int at = random.nextInt(header.length());
                char sign = signs.charAt(random.nextInt(signs.length()));
                switch (random.nextInt(3)) {
                    case 0 -> header.setCharAt(at, sign);
                    case 1 -> header.insert(at, sign);
                    default -> header.deleteCharAt(at);
                }
            }
            List<String> fields = new ArrayList<>(List.of(header.toString().split(",", -1)));
            assertThatCode(
                            () -> {
                                try {
                                    assertThat(Neo4jHeader.ofEdges("a:1", fields))
                                            .hasSameSizeAs(fields);
                                    assertThat(Neo4jHeader.ofVertices(fields))
                                            .hasSameSizeAs(fields);
                                    Recorded.of(
                                            FileFormat.EDGE_LIST.source(
                                                    file(header + "\n1,2,3,4,5,6\n")));
                                } catch (InvalidInputException told) {
                                    assertThat(told.getMessage()).doesNotContain("\n");
                                }
                            })
                    .as("seed %d, header %s", seed, header)
                    .doesNotThrowAnyException();
        }
    }
}
