package org.starling.store.internal.directory.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.starling.store.internal.directory.Commands.registerName;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;
import org.starling.store.IndeterminateException;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Command.SubmitJob;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.DirectorySnapshot;
import org.starling.store.internal.directory.Result;

/** The log of a single superpeer, a group of one: restarts, a torn end, damage. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class OneSuperpeerTest {
    private static final long CLUSTER = 0x4711;

    /** A snapshot now and then. */
    private static final RaftSettings SETTINGS =
            new RaftSettings(150, 4096, Duration.ofSeconds(30));

    @TempDir Path folder;

    /** A process has one network and one replica. */
    private Network network = network();

    @AfterEach
    void closeNetwork() {
        network.close();
    }

    @Test
    void keepsEverythingThatWasAnsweredThroughRestarts() {
        Directory expected = new Directory();
        for (int restart = 0; restart < 3; restart++) {
            try (RaftDirectory directory = open()) {
                List<CompletableFuture<Result>> answers = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    Command command = registerName("name" + i, restart);
                    expected.apply(command);
                    answers.add(directory.apply(command));
                }
                answers.forEach(CompletableFuture::join);
            }
        }

        try (RaftDirectory directory = open()) {
            assertThat(directory.read(DirectorySnapshot::write))
                    .isEqualTo(DirectorySnapshot.write(expected));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = 8)
    void goesOnWhereItWasKilledWhileItWroteItsLastCommand(int lostBytes) throws IOException {
        byte[] log;
        try (RaftDirectory directory = open()) {
            for (int i = 0; i < 5; i++) {
                directory.apply(registerName("name" + i, i)).join();
            }
            log = Files.readAllBytes(log());
        }
        try (Stream<Path> files = Files.list(log().resolveSibling("../sm"))) {
            files.forEach(OneSuperpeerTest::delete); // a process that is killed writes no snapshot
        }
        Files.write(log(), Arrays.copyOf(log, end(log) - lostBytes));

        try (RaftDirectory directory = open()) {
            assertThat(directory.<Long>read(state -> state.lookup("name3"))).isEqualTo(3);
            assertThat(directory.<Long>read(state -> state.lookup("name4")))
                    .as("happened wholly or not at all")
                    .isIn(lostBytes == 0 ? List.of(4L) : List.of(4L, -1L));
            directory.apply(registerName("later", 9)).join();
        }
        try (RaftDirectory directory = open()) {
            assertThat(directory.<Long>read(state -> state.lookup("later"))).isEqualTo(9);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 40})
    void goesOnWhereItWasKilledWhileItWroteItsLastCommandInMoreCases(int lostBytes)
            throws IOException {
        goesOnWhereItWasKilledWhileItWroteItsLastCommand(lostBytes);
    }

    @Test
    void refusesALogInWhichABitHasFlipped() throws IOException {
        try (RaftDirectory directory = open()) {
            for (int i = 0; i < 20; i++) {
                directory.apply(registerName("name" + i, i)).join();
            }
        }
        Path log = log();
        byte[] bytes = Files.readAllBytes(log);
        bytes[end(bytes) / 2] ^= 4;
        Files.write(log, bytes);

        assertThatThrownBy(this::open)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("cannot be used")
                .hasMessageContaining("hecksum");
    }

    @Test
    void comesBackWithWhatItAnsweredAfterALossOfPower(@TempDir Path elsewhere) throws IOException {
        Path after = elsewhere.resolve("after");
        try (PowerCutDisk disk = PowerCutDisk.at(elsewhere.resolve("image"), folder)) {
            PowerCutDisk left;
            try (RaftDirectory directory = open()) {
                directory.apply(registerName("kept", 1)).join();
                left = disk.cut(elsewhere.resolve("copy"), after);
            }

            try (left;
                    RaftDirectory directory = open(after)) {
                assertThat(directory.<Long>read(state -> state.lookup("kept"))).isEqualTo(1);
            }
        }
    }

    @Test
    void leadsNoMoreWhenItsDiskIsFull() throws IOException {
        List<Boolean> leadership = new CopyOnWriteArrayList<>();
        try (SmallDisk disk = SmallDisk.at(folder);
                RaftDirectory directory = open()) {
            directory.onLeadership(leadership::add);
            directory.apply(registerName("kept", 1)).join();
            disk.leave(300);

            assertThatThrownBy(() -> fill(directory))
                    .hasCauseInstanceOf(IndeterminateException.class)
                    .hasMessageContaining("No space left")
                    .hasMessageContaining("start this superpeer again");

            assertThat(directory.isLeader()).isFalse();
            assertThat(directory.leader()).isEqualTo(DirectoryReplica.NO_LEADER);
            assertThat(directory.confirmLeadership(Duration.ofSeconds(1))).isFalse();
            assertThatThrownBy(() -> directory.apply(registerName("later", 3)).join())
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("start this superpeer again");
        }
        assertThat(leadership).containsExactly(true, false);
    }

    /** Says so much that it does not fit on a small disk. */
    static void fill(DirectoryReplica directory) {
        for (int job = 0; job < 100; job++) {
            directory.apply(new SubmitJob(job, "job", new byte[50_000])).join();
        }
    }

    private RaftDirectory open() {
        return open(folder);
    }

    private RaftDirectory open(Path where) {
        network.close();
        network = network();
        RaftDirectory directory =
                RaftDirectory.open(where, 1, List.of(), _ -> {}, CLUSTER, network, SETTINGS);
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!directory.isLeader()) {
            assertThat(System.nanoTime()).as("waiting until it leads").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
        return directory;
    }

    private static Network network() {
        return Network.open(0, Transports.loopback(new LoopbackHub()), NetConfig.defaults());
    }

    /** Behind the last byte that is not preallocated. */
    private static int end(byte[] log) {
        int end = log.length;
        while (log[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private Path log() throws IOException {
        return log(folder);
    }

    /** The file that is written now. */
    static Path log(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(path -> path.getFileName().toString().startsWith("log_inprogress"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
