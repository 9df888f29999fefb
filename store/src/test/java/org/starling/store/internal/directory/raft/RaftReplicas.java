package org.starling.store.internal.directory.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.starling.net.LoopbackHub;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.DirectorySnapshot;
import org.starling.store.internal.directory.Result;

/** Three replicas in this process, each with a network of its own. */
abstract class RaftReplicas {
    static final int REPLICAS = 3;
    static final long CLUSTER = 0x4711;

    /** More patient than a cluster is, so that a busy machine makes no difference. */
    static final RaftSettings SETTINGS = settings(Duration.ofSeconds(30));

    @TempDir Path folder;

    final LoopbackHub hub = new LoopbackHub();
    final @Nullable Network[] networks = new Network[REPLICAS];
    final @Nullable RaftDirectory[] replicas = new RaftDirectory[REPLICAS];

    @AfterEach
    void stopAll() {
        onEach(this::stop);
    }

    static RaftSettings settings(Duration patience) {
        return new RaftSettings(40, 4096, patience);
    }

    void startAll() {
        startAll(SETTINGS);
    }

    void startAll(RaftSettings settings) {
        onEach(index -> start(index, settings));
        leader();
    }

    void start(int index) {
        start(index, SETTINGS);
    }

    void start(int index, RaftSettings settings) {
        Network network = network(index);
        networks[index] = network;
        replicas[index] = open(index, CLUSTER, network, settings);
    }

    /** On all replicas at once: each takes a second to end. */
    static void onEach(IntConsumer action) {
        List<CompletableFuture<Void>> done = new ArrayList<>();
        for (int i = 0; i < REPLICAS; i++) {
            int index = i;
            done.add(onItsOwnThread(() -> action.accept(index)));
        }
        done.forEach(CompletableFuture::join);
    }

    static CompletableFuture<Void> onItsOwnThread(Runnable action) {
        return CompletableFuture.runAsync(action, task -> Thread.ofPlatform().start(task));
    }

    void stop(int index) {
        RaftDirectory replica = replicas[index];
        replicas[index] = null;
        if (replica != null) {
            replica.close();
            Objects.requireNonNull(networks[index]).close();
        }
    }

    Network network(int node) {
        return Network.open(node, Transports.loopback(hub), NetConfig.defaults());
    }

    void open(int folderOf, long cluster, Network network) {
        open(folderOf, cluster, network, SETTINGS).close();
    }

    RaftDirectory open(int folderOf, long cluster, Network network, RaftSettings settings) {
        return RaftDirectory.open(
                path(folderOf), REPLICAS, List.of(), _ -> {}, cluster, network, settings);
    }

    RaftDirectory replica(int index) {
        RaftDirectory replica = replicas[index];
        assertThat(replica).isNotNull();
        return Objects.requireNonNull(replica);
    }

    /** Waits until one of the running replicas leads. */
    int leader() {
        int[] leader = {DirectoryReplica.NO_LEADER};
        await(
                () -> {
                    for (int i = 0; i < REPLICAS; i++) {
                        RaftDirectory replica = replicas[i];
                        if (replica != null && replica.isLeader()) {
                            leader[0] = i;
                            return replica.leader() == i;
                        }
                    }
                    return false;
                },
                "somebody leads");
        return leader[0];
    }

    Result apply(int index, Command command) {
        return replica(index).apply(command).join();
    }

    long read(int index, String name) {
        return replica(index).<Long>read(state -> state.lookup(name));
    }

    byte[] snapshot(int index) {
        return replica(index).read(DirectorySnapshot::write);
    }

    Path path(int index) {
        return folder.resolve("superpeer-" + index);
    }

    static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting until %s", what).isLessThan(deadline);
            LockSupport.parkNanos(5_000_000);
        }
    }
}
