package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FreeMemoryTest {
    @TempDir Path root;

    @Test
    void knowsWhatThisMachineHasLeft() {
        assertThat(new FreeMemory().bytes()).isBetween(1L << 20, ProcessMemory.machineBytes());
    }

    @Test
    void takesWhatTheMachineSays() throws IOException {
        write("proc/meminfo", "MemTotal:  900 kB\nMemFree:  10 kB\nMemAvailable:   700 kB\n");
        write("sys/fs/cgroup/memory.max", "max\n");

        assertThat(new FreeMemory(root).bytes()).isEqualTo(700 << 10);
    }

    @Test
    void takesWhatAContainerHasLeftIfThatIsLess() throws IOException {
        write("proc/meminfo", "MemAvailable:   700 kB\n");
        write("sys/fs/cgroup/memory.max", "500000\n");
        write("sys/fs/cgroup/memory.current", "400000\n");
        write("sys/fs/cgroup/memory.stat", "anon 5\ninactive_file 100000\n");

        assertThat(new FreeMemory(root).bytes()).isEqualTo(200_000);

        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "300000\n");
        write("sys/fs/cgroup/memory/memory.usage_in_bytes", "290000\n");
        write("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 7\n");

        assertThat(new FreeMemory(root).bytes()).isEqualTo(10_007);
    }

    @Test
    void saysNothingNegativeOfAContainerOverItsLimit() throws IOException {
        write("sys/fs/cgroup/memory.max", "1000\n");
        write("sys/fs/cgroup/memory.current", "4000\n");

        assertThat(new FreeMemory(root).bytes()).isZero();
    }

    @Test
    void takesTheHeapsBoundWhereNobodySaysAnything() {
        assertThat(new FreeMemory(root).bytes()).isEqualTo(Runtime.getRuntime().maxMemory());
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
