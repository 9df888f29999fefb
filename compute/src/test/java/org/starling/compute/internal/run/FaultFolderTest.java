package org.starling.compute.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fault points that are set by a file while the process runs. */
final class FaultFolderTest {
    @TempDir Path folder;

    @Test
    void waitsAtThePlaceOfItsRoleAndOnlyOnce() throws IOException {
        Path order = folder.resolve(Long.toString(ProcessHandle.current().pid()));
        Path reached = folder.resolve(order.getFileName() + FaultPoint.REACHED);

        assertThat(FaultPoint.isHitIn(folder, FaultPoint.SLAVE, "superstep=3")).isFalse();
        Files.writeString(order, "slave@superstep=3\n");

        assertThat(FaultPoint.isHitIn(folder, FaultPoint.SLAVE, "superstep=2")).isFalse();
        assertThat(FaultPoint.isHitIn(folder, FaultPoint.SLAVE, "task=3")).isFalse();
        assertThat(FaultPoint.isHitIn(folder, FaultPoint.MASTER, "superstep=3")).isFalse();
        assertThat(reached).doesNotExist();
        assertThat(FaultPoint.isHitIn(folder, FaultPoint.SLAVE, "superstep=3")).isTrue();
        assertThat(reached).hasContent("superstep=3");
        assertThat(FaultPoint.isHitIn(folder, FaultPoint.SLAVE, "superstep=3")).isFalse();
    }

    @Test
    void leavesTheOrdersOfOthersAlone() throws IOException {
        Path order = folder.resolve("1");
        Files.writeString(order, "superstep=3");

        assertThat(FaultPoint.isHitIn(folder, FaultPoint.SLAVE, "superstep=3")).isFalse();
        assertThat(order).exists();
    }

    @Test
    void refusesWordsThatAreNoPlace() throws IOException {
        Files.writeString(folder.resolve(Long.toString(ProcessHandle.current().pid())), "now");

        assertThatThrownBy(() -> FaultPoint.isHitIn(folder, FaultPoint.SLAVE, "superstep=3"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected superstep=N");
    }
}
