package org.starling.compute.inputs;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.starling.graph.FileTrouble;

/**
 * Takes the body of an answer into a file, piece by piece, and no faster than the disk. The client
 * calls in from its threads, one after the other; whoever waits reads the counts.
 */
final class WebBody implements HttpResponse.BodySubscriber<Void> {
    private final SpoolFile file;
    private final CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    private boolean fromStart;
    private long expected;
    private Flow.@Nullable Subscription subscription;

    /** When something came last; written by the client's threads. */
    private volatile long heardNanos = System.nanoTime();

    /** What the file has; written by the client's threads. */
    private volatile long bytes;

    private volatile boolean begun;

    /** Why the file could not take it. */
    private volatile @Nullable IOException failure;

    /** Why the answer broke off, or is not waited for any more; guarded by this. */
    private @Nullable IOException broken;

    WebBody(SpoolFile file) {
        this.file = file;
        this.bytes = file.bytes();
    }

    /**
     * An answer has come.
     *
     * @param fromStart whether the file begins anew
     * @param expected bytes that there has to be room for; 0 if that is not known
     */
    void begin(boolean fromStart, long expected) {
        this.fromStart = fromStart;
        this.expected = expected;
        this.begun = true;
        this.heardNanos = System.nanoTime();
    }

    boolean hasBegun() {
        return begun;
    }

    long heardNanos() {
        return heardNanos;
    }

    long bytes() {
        return bytes;
    }

    @Nullable IOException failure() {
        return failure;
    }

    /** The answer ended too early; what comes of it after all does not go into the file. */
    synchronized void breakOff(IOException why) {
        broken = why;
    }

    /** Why no answer came at all. */
    synchronized String whyNone() {
        return broken == null ? "no answer came" : FileTrouble.reason(broken);
    }

    @Override
    @SuppressWarnings("NullAway") // a stage of Void has nothing but null
    public CompletionStage<Void> getBody() {
        return done;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription given) {
        subscription = given;
        if (broken != null) {
            stop(broken);
            return;
        }
        try {
            if (fromStart) {
                file.restart();
            }
            file.require(expected);
            bytes = file.bytes();
            given.request(1);
        } catch (IOException | RuntimeException full) {
            stop(full);
        }
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> pieces) {
        if (broken != null) {
            stop(broken);
            return;
        }
        heardNanos = System.nanoTime();
        try {
            for (ByteBuffer piece : pieces) {
                file.write(piece);
            }
            bytes = file.bytes();
            Objects.requireNonNull(subscription, "it came first").request(1);
        } catch (IOException | RuntimeException full) {
            stop(full);
        }
    }

    private void stop(Exception full) {
        if (full instanceof IOException trouble) {
            failure = trouble;
        }
        Objects.requireNonNull(subscription, "it came first").cancel();
        done.completeExceptionally(full);
    }

    @Override
    public void onError(Throwable broken) {
        done.completeExceptionally(broken);
    }

    @Override
    public void onComplete() {
        done.complete(null);
    }
}
