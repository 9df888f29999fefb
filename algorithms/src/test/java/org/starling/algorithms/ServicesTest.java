package org.starling.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.starling.graph.ProgramProvider;

final class ServicesTest {

    @Test
    void everyProgramHasNameOfItsOwnInThisRoom() {
        List<String> names =
                ServiceLoader.load(ProgramProvider.class).stream()
                        .flatMap(p -> p.get().programs().keySet().stream())
                        .filter(name -> !name.startsWith("test."))
                        .toList();

        assertThat(names).doesNotHaveDuplicates().allMatch(name -> name.startsWith("algorithms."));
        assertThat(names).contains(BfsProgram.NAME, KCoreCheck.NAME);
    }
}
