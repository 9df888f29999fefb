package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerName;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.SubmitJob;

/** The directory of a cluster that lives in memory. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class InMemoryDirectoryTest {
    private static final Command NAME = registerName("n", 1);

    @Test
    void answersAndTellsInTheOrderOfTheCommands() {
        List<Command> commands = new CommandSource(2).commands(300);
        Directory model = new Directory();
        List<Result> expected = commands.stream().map(model::apply).toList();
        List<Command> told = new CopyOnWriteArrayList<>();
        List<Result> results = new CopyOnWriteArrayList<>();

        List<CompletableFuture<Result>> answers;
        try (InMemoryDirectory directory = new InMemoryDirectory()) {
            directory.onApplied((command, result) -> {
                told.add(command);
                results.add(result);
            });
            answers = commands.stream().map(directory::apply).toList();
        }

        assertThat(answers).as("carried out at once").allMatch(CompletableFuture::isDone);
        assertThat(answers.stream().map(CompletableFuture::join)).isEqualTo(expected);
        assertThat(results).isEqualTo(expected);
        assertThat(told).isEqualTo(commands);
    }

    @Test
    void goesOnWhenAListenerFails() {
        try (InMemoryDirectory directory = new InMemoryDirectory()) {
            directory.onApplied((command, result) -> {
                throw new IllegalStateException("listener");
            });

            assertThat(directory.apply(new FoundCluster(1, 1)).join())
                    .isEqualTo(new Result.Done(true));
            assertThat(directory.apply(NAME).join()).isEqualTo(new Result.Done(true));
        }
    }

    @Test
    void refusesACommandThatIsTooLongAndGoesOn() {
        try (InMemoryDirectory directory = new InMemoryDirectory()) {
            assertThatThrownBy(
                            () -> directory.apply(new SubmitJob(0, "j", new byte[2 << 20])).join())
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("limit");
            assertThat(directory.apply(NAME).join()).isEqualTo(new Result.Done(true));
        }
    }

    @Test
    void leadsUntilItIsClosedAndRefusesCommandsAfterwards() {
        List<Boolean> leadership = new CopyOnWriteArrayList<>();
        InMemoryDirectory directory = new InMemoryDirectory();
        directory.onLeadership(leadership::add);
        assertThat(directory.leader()).isZero();
        assertThat(directory.confirmLeadership(Duration.ZERO)).isTrue();

        directory.close();
        directory.close();

        assertThat(leadership).containsExactly(true, false);
        assertThat(directory.leader()).isEqualTo(DirectoryReplica.NO_LEADER);
        assertThat(directory.confirmLeadership(Duration.ZERO)).isFalse();
        assertThatThrownBy(() -> directory.apply(NAME).join())
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("closed");
    }
}
