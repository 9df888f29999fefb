package org.starling.store.internal.directory;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The directory of a cluster with one superpeer. */
public final class JournaledDirectory implements DirectoryReplica {
    private JournaledDirectory() {}

    public static JournaledDirectory open(@Nullable Path dir) {
        throw new UnsupportedOperationException("not written yet");
    }

    @Override
    public CompletableFuture<Result> apply(Command command) {
        throw new UnsupportedOperationException("not written yet");
    }

    @Override
    public <T> T read(Function<Directory, T> query) {
        throw new UnsupportedOperationException("not written yet");
    }

    @Override
    public boolean isLeader() {
        return true;
    }

    @Override
    public int leader() {
        return 0;
    }

    @Override
    public void onApplied(BiConsumer<Command, Result> listener) {}

    @Override
    public void onLeadership(Consumer<Boolean> listener) {}

    @Override
    public boolean confirmLeadership(Duration patience) {
        return true;
    }

    @Override
    public void close() {}
}
