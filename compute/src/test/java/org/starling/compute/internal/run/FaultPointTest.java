package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a process waits to be killed. */
final class FaultPointTest {
    @TempDir Path folder;

    @Test
    void waitsAtThePlaceOfItsRoleAndOnlyOnce() throws IOException {
        Path order = folder.resolve(Long.toString(ProcessHandle.current().pid()));
        Path reached = folder.resolve(order.getFileName() + ".reached");
        List<String> place = List.of("slave@superstep=3", "slave@task=4,superstep=3");

        assertThat(FaultPoint.isHit(folder, place)).isFalse();
        Files.writeString(order, "slave@task=4,superstep=3\n");

        assertThat(FaultPoint.isHit(folder, List.of("slave@superstep=2"))).isFalse();
        assertThat(FaultPoint.isHit(folder, List.of("master@superstep=3"))).isFalse();
        assertThat(reached).doesNotExist();
        assertThat(FaultPoint.isHit(folder, place)).isTrue();
        assertThat(reached).hasContent("slave@superstep=3");
        assertThat(FaultPoint.isHit(folder, place)).isFalse();
    }

    @Test
    void leavesTheOrdersOfOthersAlone() throws IOException {
        Path order = folder.resolve("1");
        Files.writeString(order, "slave@superstep=3");

        assertThat(FaultPoint.isHit(folder, List.of("slave@superstep=3"))).isFalse();
        assertThat(order).exists();
    }
}
