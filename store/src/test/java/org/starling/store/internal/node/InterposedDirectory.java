package org.starling.store.internal.node;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.InMemoryDirectory;
import org.starling.store.internal.directory.Result;

/** The only replica of a directory; what it answers to looks is a test's business. */
abstract class InterposedDirectory implements DirectoryReplica {
    final InMemoryDirectory directory = new InMemoryDirectory();

    @Override
    public abstract <T> T read(Function<Directory, T> query);

    @Override
    public CompletableFuture<Result> apply(Command command) {
        return directory.apply(command);
    }

    @Override
    public boolean isBusy() {
        return directory.isBusy();
    }

    @Override
    public boolean isLeader() {
        return directory.isLeader();
    }

    @Override
    public int leader() {
        return directory.leader();
    }

    @Override
    public void onApplied(BiConsumer<Command, Result> listener) {
        directory.onApplied(listener);
    }

    @Override
    public void onLeadership(Consumer<Boolean> listener) {
        directory.onLeadership(listener);
    }

    @Override
    public boolean confirmLeadership(Duration patience) {
        return directory.confirmLeadership(patience);
    }

    @Override
    public void close() {
        directory.close();
    }
}
