package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.starling.graph.InvalidInputException;

final class ProgramRunnerTest {
    private static final RunRequest REQUEST = new RunRequest("web", "algorithms.walk", "{}", 10);

    @Test
    void refusesRunsWhoseColumnsNoMachineHolds() {
        assertThatThrownBy(() -> ProgramRunner.checkFits(REQUEST, 3L << 30, 2L << 30))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage(
                        "program algorithms.walk would need 3.0 GiB on each peer for its columns"
                                + " on graph \"web\", but a machine has 2.0 GiB; use more peers,"
                                + " or a smaller graph");
        assertThatNoException()
                .isThrownBy(() -> ProgramRunner.checkFits(REQUEST, 2L << 30, 2L << 30));
    }
}
