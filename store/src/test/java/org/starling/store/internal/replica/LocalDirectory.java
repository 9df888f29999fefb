package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.starling.store.NodeOptions;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.directory.ZoneSources;

/** The real state machine of the directory in this process, asked over an executor. */
final class LocalDirectory implements ZoneDirectory {
    private static final long CLUSTER = 42;

    private final Directory directory = new Directory();
    private final Executor executor;
    private BiConsumer<Command, Result> applied = (command, result) -> {};

    /** Whether nodes have places; else nothing is known of them. */
    private final boolean hasPlaces;

    private int joined;

    /**
     * With nodes 1 to {@code peers} as members that store, and of whose places nothing is known.
     */
    LocalDirectory(int peers, Executor executor) {
        this(peers, executor, false);
    }

    LocalDirectory(int peers, Executor executor, boolean hasPlaces) {
        this.executor = executor;
        this.hasPlaces = hasPlaces;
        now(new Command.FoundCluster(CLUSTER, 1));
        now(new Command.RegisterSuperpeer(0, "", 0));
        for (int i = 1; i <= peers; i++) {
            int node = join();
            if (node != i) {
                throw new AssertionError("node " + i + " got the id " + node);
            }
        }
    }

    int join() {
        return join(Command.RegisterNode.NO_PREVIOUS);
    }

    /** A node with the disk that it had under another id. */
    int join(int previous) {
        Result result =
                now(
                        new Command.RegisterNode(
                                Role.PEER,
                                "",
                                0,
                                1,
                                NodeOptions.STORES,
                                CLUSTER,
                                previous,
                                0,
                                0,
                                hasPlaces ? nextPlace() : Place.UNKNOWN));
        return ((Result.NodeRegistered) result).node();
    }

    /** They come round again, so that some nodes share a host and more a rack. */
    private Place nextPlace() {
        joined++;
        return new Place("rack%d/host%d".formatted(joined % 2, joined % 4));
    }

    /** Tells every command and its answer. */
    synchronized void onApplied(BiConsumer<Command, Result> listener) {
        applied = listener;
    }

    /** At once. */
    synchronized Result now(Command command) {
        Result result = directory.apply(command);
        applied.accept(command, result);
        return result;
    }

    synchronized ZoneSources sourcesNow(long zone) {
        return directory.sources(zone);
    }

    synchronized ZoneInfo zoneNow(long zone) {
        return directory
                .zone(zone)
                .orElseThrow(() -> new StoreException("there is no zone " + zone));
    }

    synchronized boolean hasZone(long zone) {
        return directory.zone(zone).isPresent();
    }

    synchronized boolean isDropped(long zone) {
        return directory.isDropped(zone);
    }

    synchronized List<ZoneInfo> ownedBy(int node) {
        return directory.zonesOwnedBy(node);
    }

    synchronized List<ZoneInfo> orphans() {
        return directory.orphans();
    }

    synchronized List<ZoneInfo> changedAfter(long version) {
        return directory.zonesChangedAfter(version);
    }

    synchronized long version() {
        return directory.zoneVersion();
    }

    synchronized boolean isMember(int node) {
        return directory.isMember(node);
    }

    @Override
    public CompletableFuture<Result> apply(Command command) {
        return later(() -> now(command));
    }

    @Override
    public CompletableFuture<ZoneInfo> zone(long zone) {
        return later(() -> zoneNow(zone));
    }

    @Override
    public CompletableFuture<List<ZoneInfo>> zonesOf(int node) {
        return later(() -> {
            synchronized (this) {
                List<ZoneInfo> all = new ArrayList<>(directory.zonesOwnedBy(node));
                all.addAll(directory.zonesBackedBy(node));
                all.addAll(directory.zonesHeldBy(node));
                return all;
            }
        });
    }

    @Override
    public CompletableFuture<long[]> dropped(long[] zones) {
        return later(() -> LongStream.of(zones).filter(this::isDropped).toArray());
    }

    @Override
    public CompletableFuture<Integer> chooseBackup(long zone, List<Integer> avoided) {
        return later(() -> {
            synchronized (this) {
                return directory.chooseBackup(zone, avoided);
            }
        });
    }

    private <T> CompletableFuture<T> later(Supplier<T> question) {
        return CompletableFuture.supplyAsync(question, executor);
    }
}
