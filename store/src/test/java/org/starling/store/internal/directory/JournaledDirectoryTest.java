package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command.CreateBarrier;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterSuperpeer;
import org.starling.store.internal.directory.Command.SubmitJob;

/** The directory of a single superpeer while it lives, restarts, and loses its disk. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class JournaledDirectoryTest {
    private static final long SMALL_JOURNAL = 4096;

    @TempDir Path folder;

    @Test
    void keepsEverythingThatWasAnsweredThroughRestarts() {
        List<Command> commands = new CommandSource(1).commands(600);
        Directory expected = new Directory();
        commands.forEach(expected::apply);

        for (int from = 0; from < commands.size(); from += 200) {
            List<CompletableFuture<Result>> answers;
            try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
                answers =
                        commands.subList(from, from + 200).stream().map(directory::apply).toList();
            }
            assertThat(answers).as("a closing waits for them").allMatch(CompletableFuture::isDone);
        }

        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            assertThat(directory.read(DirectorySnapshot::write))
                    .isEqualTo(DirectorySnapshot.write(expected));
        }
    }

    @Test
    void answersAndTellsInTheOrderOfTheCommands() {
        List<Command> commands = new CommandSource(2).commands(300);
        Directory model = new Directory();
        List<Result> expected = commands.stream().map(model::apply).toList();
        List<Command> told = new CopyOnWriteArrayList<>();
        List<Result> results = new CopyOnWriteArrayList<>();

        List<Result> answers;
        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            directory.onApplied((command, result) -> {
                told.add(command);
                results.add(result);
            });
            List<CompletableFuture<Result>> futures =
                    commands.stream().map(directory::apply).toList();
            answers = futures.stream().map(CompletableFuture::join).toList();
        }

        assertThat(answers).isEqualTo(expected);
        assertThat(results).isEqualTo(expected);
        assertThat(told).isEqualTo(commands);
    }

    @Test
    void tellsNothingOfWhatItReplays() {
        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            directory.apply(new FoundCluster(1, 1)).join();
        }
        List<Command> told = new CopyOnWriteArrayList<>();

        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            directory.onApplied((command, result) -> told.add(command));
            directory.apply(new RegisterSuperpeer(0, "h", 1, 2)).join();
        }

        assertThat(told).containsExactly(new RegisterSuperpeer(0, "h", 1, 2));
    }

    @Test
    void goesOnWhenAListenerFails() {
        try (JournaledDirectory directory = JournaledDirectory.open(null)) {
            directory.onApplied((command, result) -> {
                throw new IllegalStateException("listener");
            });

            assertThat(directory.apply(new FoundCluster(1, 1)).join())
                    .isEqualTo(new Result.Done(true));
            assertThat(directory.apply(new CreateBarrier(1)).join())
                    .isEqualTo(new Result.BarrierCreated(0));
        }
    }

    @Test
    void keepsADirectoryInMemoryWithoutAFolder() {
        try (JournaledDirectory directory = JournaledDirectory.open(null)) {
            assertThat(directory.apply(new FoundCluster(8, 1)).join())
                    .isEqualTo(new Result.Done(true));
            assertThat(directory.read(Directory::clusterId)).isEqualTo(8);
            assertThat(directory.isLeader()).isTrue();
            assertThat(directory.leader()).isZero();
            assertThat(directory.confirmLeadership(Duration.ZERO)).isTrue();
        }
    }

    @Test
    void refusesACommandThatIsTooLongAndGoesOn() {
        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            assertThatThrownBy(
                            () -> directory.apply(new SubmitJob(0, "j", new byte[2 << 20])).join())
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("limit");
            assertThat(directory.apply(new CreateBarrier(1)).join())
                    .isEqualTo(new Result.BarrierCreated(0));
        }
    }

    // snapshots

    @Test
    void putsASnapshotInThePlaceOfALongJournal() throws IOException {
        List<Command> commands = new CommandSource(3).commands(900);
        Directory expected = new Directory();
        commands.forEach(expected::apply);

        try (JournaledDirectory directory =
                JournaledDirectory.open(folder, JournalFile::open, SMALL_JOURNAL)) {
            commands.forEach(command -> directory.apply(command).join());
        }

        List<String> names = names();
        assertThat(names).hasSize(3).contains("lock");
        assertThat(names).noneMatch(name -> name.endsWith("-0") || name.endsWith(".new"));
        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            assertThat(directory.read(DirectorySnapshot::write))
                    .isEqualTo(DirectorySnapshot.write(expected));
        }
    }

    @Test
    void takesUpAfterACrashAtAnyPointOfASnapshot() throws IOException {
        writeNames(0, 5);
        byte[] journal = Files.readAllBytes(folder.resolve("journal-0"));
        byte[] snapshot;
        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            snapshot = directory.read(DirectorySnapshot::write);
        }

        // half a snapshot, not renamed yet
        restore("journal-0", journal);
        Files.write(folder.resolve("snapshot-1.new"), new byte[] {1, 2, 3});
        assertNames(5);
        // renamed, no journal yet, the old one still there
        restore("journal-0", journal);
        Files.write(folder.resolve("snapshot-1"), snapshot);
        assertNames(5);
        assertThat(names()).containsExactlyInAnyOrder("lock", "snapshot-1", "journal-1");
        // an empty journal after it
        restore("snapshot-1", snapshot);
        Files.write(folder.resolve("journal-1"), new byte[0]);
        assertNames(5);
    }

    // damage

    @Test
    void refusesAJournalWhoseSnapshotIsMissingOrDamaged() throws IOException {
        try (JournaledDirectory directory =
                JournaledDirectory.open(folder, JournalFile::open, 100)) {
            for (int i = 0; i < 8; i++) {
                directory.apply(new RegisterName("name" + i, i)).join();
            }
        }
        Path snapshot =
                folder.resolve(
                        names().stream()
                                .filter(name -> name.startsWith("snapshot"))
                                .findFirst()
                                .orElseThrow());
        byte[] bytes = Files.readAllBytes(snapshot);
        bytes[bytes.length / 2] ^= 4;
        Files.write(snapshot, bytes);

        assertThatThrownBy(() -> JournaledDirectory.open(folder))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("damaged")
                .hasMessageContaining(snapshot.getFileName().toString());

        Files.delete(snapshot);
        assertThatThrownBy(() -> JournaledDirectory.open(folder))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("snapshot before it is missing");
    }

    @Test
    void neverWritesAgainAfterAFailedForce() {
        FailingDisk disk = new FailingDisk();
        List<Boolean> leadership = new CopyOnWriteArrayList<>();
        JournaledDirectory directory = JournaledDirectory.open(folder, disk, 1 << 20);
        directory.onLeadership(leadership::add);
        directory.apply(new RegisterName("kept", 1)).join();
        disk.failsAt = disk.forces.get() + 1;

        assertThatThrownBy(() -> directory.apply(new RegisterName("unknown", 2)).join())
                .hasCauseInstanceOf(IndeterminateException.class)
                .hasMessageContaining("disk is gone");
        assertThat(directory.<Long>read(state -> state.lookup("unknown")))
                .as("what may be lost is never shown")
                .isEqualTo(-1);
        assertThatThrownBy(() -> directory.apply(new RegisterName("later", 3)).join())
                .hasCauseInstanceOf(StoreException.class);
        directory.close();

        assertThat(disk.appendsAfterFailure).hasValue(0);
        assertThat(leadership).containsExactly(true, false);
        assertThat(directory.isLeader()).isFalse();
        assertThat(directory.leader()).isEqualTo(DirectoryReplica.NO_LEADER);
        try (JournaledDirectory again = JournaledDirectory.open(folder)) {
            assertThat(again.<Long>read(state -> state.lookup("kept"))).isEqualTo(1);
        }
    }

    @Test
    void sharesOneForceAmongCommandsThatWaitTogether() throws InterruptedException {
        FailingDisk disk = new FailingDisk();
        try (JournaledDirectory directory = JournaledDirectory.open(folder, disk, 1 << 20)) {
            disk.gate = new CountDownLatch(1);
            List<CompletableFuture<Result>> answers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                answers.add(directory.apply(new RegisterName("name" + i, i)));
            }
            int before = disk.forces.get();
            assertThat(answers).noneMatch(CompletableFuture::isDone);

            disk.gate.countDown();
            answers.forEach(CompletableFuture::join);

            assertThat(disk.forces.get() - before).isLessThanOrEqualTo(2);
        }
    }

    // who may use the folder

    @Test
    void refusesAFolderThatIsInUse() {
        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            assertThat(directory.isLeader()).isTrue();

            assertThatThrownBy(() -> JournaledDirectory.open(folder))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("in use by another process");
        }
        JournaledDirectory.open(folder).close();
    }

    @Test
    void saysWhyAFolderCannotBeUsed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> JournaledDirectory.open(file))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is no folder");

        Files.writeString(folder.resolve("snapshot-x"), "x");
        assertThatThrownBy(() -> JournaledDirectory.open(folder))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("take it away");
        assertThat(DataFolder.reason(new java.nio.file.AccessDeniedException("/x")))
                .isEqualTo("no right to read and write /x; give this user the right");
    }

    @Test
    void refusesCommandsAfterItsClosing() {
        JournaledDirectory directory = JournaledDirectory.open(folder);
        directory.close();
        directory.close();

        assertThatThrownBy(() -> directory.apply(new CreateBarrier(1)).join())
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
        assertThat(directory.confirmLeadership(Duration.ZERO)).isFalse();
    }

    // what the tests share

    private void writeNames(int from, int until) {
        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            for (int i = from; i < until; i++) {
                directory.apply(new RegisterName("name" + i, i)).join();
            }
        }
    }

    private void assertNames(int count) {
        try (JournaledDirectory directory = JournaledDirectory.open(folder)) {
            assertThat(directory.<Integer>read(state -> state.namesAfter("").size()))
                    .isEqualTo(count);
        }
    }

    /** Leaves this file alone in the folder. */
    private void restore(String name, byte[] bytes) throws IOException {
        for (String other : names()) {
            Files.delete(folder.resolve(other));
        }
        Files.write(folder.resolve(name), bytes);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }
}
