package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How tasks say what they take and give. */
@Timeout(10)
class TaskSignatureTest {

    private static final Argument GRAPH =
            Argument.required("graph", Argument.Type.GRAPH, "the graph");
    private static final Argument DEPTH =
            Argument.optional("depth", Argument.Type.INTEGER, "how deep", 3L);

    @Test
    void startsWithoutArgumentsAndResults() {
        TaskSignature empty = TaskSignature.of("graph.bfs", "Breadth first.");

        assertThat(empty.name()).isEqualTo("graph.bfs");
        assertThat(empty.summary()).isEqualTo("Breadth first.");
        assertThat(empty.arguments()).isEmpty();
        assertThat(empty.results()).isEmpty();
    }

    @Test
    void keepsArgumentsAndResultsInTheOrderInWhichTheyWereAdded() {
        TaskSignature signature =
                TaskSignature.of("graph.bfs", "Breadth first.")
                        .with(GRAPH)
                        .returns("visited", "integer", "vertices reached")
                        .with(DEPTH)
                        .returns("levels", "integer", "largest distance");

        assertThat(signature.name()).isEqualTo("graph.bfs");
        assertThat(signature.arguments()).containsExactly(GRAPH, DEPTH);
        assertThat(signature.results())
                .containsExactly(
                        new TaskSignature.Result("visited", "integer", "vertices reached"),
                        new TaskSignature.Result("levels", "integer", "largest distance"));
    }

    @Test
    void staysTheSameWhenMoreIsAdded() {
        TaskSignature one = TaskSignature.of("t", "s").with(GRAPH);
        TaskSignature more = one.with(DEPTH).returns("r", "number", "");

        assertThat(one.arguments()).containsExactly(GRAPH);
        assertThat(one.results()).isEmpty();
        assertThat(more.arguments()).hasSize(2);
    }

    @Test
    void copiesTheListsItIsMadeOf() {
        List<Argument> arguments = new ArrayList<>(List.of(GRAPH));
        List<TaskSignature.Result> results = new ArrayList<>();
        TaskSignature signature = new TaskSignature("t", "s", arguments, results);

        arguments.clear();
        results.add(new TaskSignature.Result("r", "number", ""));

        assertThat(signature.arguments()).containsExactly(GRAPH);
        assertThat(signature.results()).isEmpty();
        assertThatThrownBy(() -> signature.arguments().add(DEPTH))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> signature.results().clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void requiredArgumentsHaveNoDefault() {
        assertThat(GRAPH.required()).isTrue();
        assertThat(GRAPH.otherwise()).isNull();
        assertThat(GRAPH.choices()).isEmpty();
        assertThat(GRAPH.type()).isEqualTo(Argument.Type.GRAPH);
        assertThat(GRAPH.summary()).isEqualTo("the graph");
    }

    @Test
    void optionalArgumentsMayHaveADefault() {
        Argument bare = Argument.optional("seed", Argument.Type.INTEGER, "start of all chance");

        assertThat(bare.required()).isFalse();
        assertThat(bare.otherwise()).isNull();
        assertThat(DEPTH.required()).isFalse();
        assertThat(DEPTH.otherwise()).isEqualTo(3L);
    }

    @Test
    void theFirstChoiceIsTheDefaultUnlessOneMustBeGiven() {
        Argument choice = Argument.choice("order", "of vertices", "degree", "id");
        Argument must = Argument.requiredChoice("order", "of vertices", "degree", "id");

        assertThat(choice.type()).isEqualTo(Argument.Type.CHOICE);
        assertThat(choice.required()).isFalse();
        assertThat(choice.otherwise()).isEqualTo("degree");
        assertThat(choice.choices()).containsExactly("degree", "id");
        assertThat(must.type()).isEqualTo(Argument.Type.CHOICE);
        assertThat(must.required()).isTrue();
        assertThat(must.otherwise()).isNull();
        assertThat(must.choices()).containsExactly("degree", "id");
    }

    @Test
    void choicesAreCopied() {
        String[] texts = {"a", "b"};
        Argument choice = Argument.choice("c", "", texts);

        texts[0] = "z";

        assertThat(choice.choices()).containsExactly("a", "b");
        assertThatThrownBy(() -> choice.choices().set(0, "z"))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
