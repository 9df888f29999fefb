package org.starling.compute.internal.structure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.compute.internal.structure.Head.Root;
import org.starling.compute.internal.structure.StructureType.Kind;
import org.starling.graph.Structures.Durability;

/** Heads of structures whose task has failed at its end. */
final class HeadTest {
    private static final StructureType TYPE =
            new StructureType(Kind.LIST, List.of("value"), List.of("long"));
    private static final Root ROOT = new Root(70, 7, 700);
    private static final List<Span> MADE = List.of(new Span(80, 2, 8));

    private static Head settled() {
        return Head.fresh(TYPE, Durability.POWER)
                .committed(ROOT, List.of(), 3, 1)
                .with(true, false)
                .settled();
    }

    @Test
    void keepsItsEntriesWhenACommitHasNotComeToIt() {
        Head undone = settled().withPending(MADE).undone(3, 2);

        assertThat(undone.root()).isEqualTo(ROOT);
        assertThat(undone.kept()).isTrue();
        assertThat(undone.pending()).isEmpty();
        assertThat(undone.leaving()).isEqualTo(MADE);
    }

    @Test
    void goesBackBehindACommitThatHasComeToItUnheard() {
        Head undone =
                settled()
                        .withPending(MADE)
                        .committed(new Root(81, 8, 800), List.of(new Span(70, 1, 7)), 3, 2)
                        .undone(3, 2);

        assertThat(undone.root()).isEqualTo(ROOT);
        assertThat(undone.kept()).isTrue();
        assertThat(undone.leaving()).isEqualTo(MADE);
        assertThat(undone.stale()).isEmpty();
    }

    @Test
    void leavesCommitsOfOtherTasksAlone() {
        Head other = Head.fresh(TYPE, Durability.POWER).committed(ROOT, List.of(), 3, 1);

        assertThat(other.undone(3, 2).root()).isEqualTo(ROOT);
        assertThat(other.undone(4, 1).root()).isEqualTo(ROOT);
    }
}
