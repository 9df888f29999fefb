package org.starling.store.internal.directory.raft;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectorySnapshot;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ResultLayout;

/**
 * One replica's {@link Directory} as Ratis sees it. Ratis calls {@link #applyTransaction}, {@link
 * #takeSnapshot} and {@link #reinitialize} on one thread; queries come on any. The directory is
 * guarded by a lock that is never held while a listener is told or a file is written.
 */
final class DirectoryStateMachine extends BaseStateMachine {
    private static final Logger LOG = LogManager.getLogger(DirectoryStateMachine.class);

    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final CopyOnWriteArrayList<BiConsumer<Command, Result>> listeners =
            new CopyOnWriteArrayList<>();

    /**
     * Takes true when this replica leads and has applied all before, false when it leads no more.
     */
    private final Consumer<Boolean> leadership;

    /** Takes why the log can't be written any more. */
    private final Consumer<Throwable> logFailure;

    /** Takes that a snapshot has taken the place of all that was here. */
    private final Runnable loaded;

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private Directory directory = new Directory();

    DirectoryStateMachine(
            Consumer<Boolean> leadership, Consumer<Throwable> logFailure, Runnable loaded) {
        this.leadership = leadership;
        this.logFailure = logFailure;
        this.loaded = loaded;
    }

    // life cycle

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage raftStorage)
            throws IOException {
        super.initialize(server, group, raftStorage);
        getLifeCycle().transition(LifeCycle.State.STARTING);
        storage.init(raftStorage);
        load(storage.loadLatestSnapshot());
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    /** Before a snapshot of the leader takes the place of all that is here. */
    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** After a snapshot has come from the leader. */
    @Override
    public void reinitialize() throws IOException {
        load(storage.loadLatestSnapshot());
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    // main operations

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        RaftProtos.LogEntryProto entry = transaction.getLogEntry();
        byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
        Result result;
        try {
            Command command = CommandLayout.read(bytes);
            result = read(state -> state.apply(command));
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            Result told = result;
            listeners.forEach(listener -> tell(listener, command, told));
        } catch (IllegalArgumentException e) {
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            result = new Result.Refused("command cannot be read: " + e.getMessage());
        }
        return CompletableFuture.completedFuture(message(ResultLayout.write(result)));
    }

    /** Answers that all before has been applied: what is asked is whether this replica leads. */
    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    <T> T read(Function<Directory, T> query) {
        lock.lock();
        try {
            return query.apply(directory);
        } finally {
            lock.unlock();
        }
    }

    boolean isBusy() {
        return lock.isLocked();
    }

    void onApplied(BiConsumer<Command, Result> listener) {
        listeners.add(listener);
    }

    static Message message(byte[] bytes) {
        ByteString content = UnsafeByteOperations.unsafeWrap(bytes);
        return Message.valueOf(content);
    }

    // snapshots

    /** Writes the state under its final name only when it is on the disk. */
    @Override
    public long takeSnapshot() throws IOException {
        TermIndex last = getLastAppliedTermIndex();
        if (last == null || last.getIndex() < 0) {
            return -1;
        }
        byte[] bytes = read(DirectorySnapshot::write);
        File file = storage.getSnapshotFile(last.getTerm(), last.getIndex());
        Path unfinished = file.toPath().resolveSibling(file.getName() + ".unfinished");
        try (FileChannel channel =
                FileChannel.open(
                        unfinished,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        Files.move(unfinished, file.toPath());
        MD5Hash digest = MD5FileUtil.computeAndSaveMd5ForFile(file);
        storage.updateLatestSnapshot(
                new SingleFileSnapshotInfo(new FileInfo(file.toPath(), digest), last));
        return last.getIndex();
    }

    private void load(@Nullable SingleFileSnapshotInfo snapshot) throws IOException {
        if (snapshot == null) {
            return;
        }
        Path path = snapshot.getFile().getPath();
        Directory restored;
        try {
            restored = DirectorySnapshot.read(Files.readAllBytes(path));
        } catch (IllegalArgumentException e) {
            throw new IOException("the directory's file " + path + " is damaged", e);
        }
        lock.lock();
        try {
            directory = restored;
        } finally {
            lock.unlock();
        }
        setLastAppliedTermIndex(
                SimpleStateMachineStorage.getTermIndexFromSnapshotFile(path.toFile()));
        loaded.run();
    }

    // what Ratis tells

    @Override
    public void notifyLeaderReady() {
        leadership.accept(true);
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        leadership.accept(false);
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
        if (!member.getPeerId().equals(leader)) {
            leadership.accept(false);
        }
    }

    @Override
    public void notifyLogFailed(Throwable cause, RaftProtos.@Nullable LogEntryProto entry) {
        logFailure.accept(cause);
    }

    private static void tell(BiConsumer<Command, Result> listener, Command command, Result result) {
        try {
            listener.accept(command, result);
        } catch (RuntimeException e) {
            LOG.error("a listener of the directory has failed at {}", command, e);
        }
    }
}
