package org.starling.net.internal.ucx;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.net.NetException;

/**
 * A worker of UCX: sends and receives active messages over endpoints, and sleeps until there are
 * some.
 *
 * <p>Owned by a transport. All methods but {@link #signal} and {@link #address} are called by one
 * thread at a time; the owner sees to that with a lock. Callbacks run inside {@link #progress}, and
 * inside {@link #send} to this worker itself. A send that can't be finished at once returns a
 * request, whose memory must stay until {@link #status} says that it is done. Costs 7 ns per call
 * over the C function, and about 20 ns per callback.
 */
@SuppressWarnings("restricted") // --enable-native-access is given at start
public final class UcxWorker {

    /** Is told what has arrived; the memory is lent during the call. */
    @FunctionalInterface
    public interface Receiver {
        void received(long header, long headerBytes, long data, long bytes);
    }

    /** Is told that an endpoint has failed; it still must be closed. */
    @FunctionalInterface
    public interface FailureListener {
        void failed(long endpoint, int status);
    }

    private static final FunctionDescriptor RECEIVED =
            FunctionDescriptor.of(
                    JAVA_BYTE, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final FunctionDescriptor FAILED =
            FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG, JAVA_BYTE);

    private final Ucp ucp;
    private final UcxTls tls;
    private final UcxContext context;
    private final Arena arena = Arena.ofShared();
    private final long worker;
    private final byte[] address;
    private final long sendParams;
    private final long closeParams;
    private final long forceParams;
    private final long pollDescriptor;
    private final long failureCallback;
    private final List<Long> closing = new ArrayList<>();

    /** Guarded by this, for those who signal. */
    private boolean isClosed;

    /** What a callback threw, to be thrown out of {@link #progress}. */
    private @Nullable Throwable callbackFailure;

    private UcxWorker(Ucp ucp, UcxTls tls, UcxContext context, FailureListener listener) {
        this.ucp = ucp;
        this.tls = tls;
        this.context = context;
        this.worker = create();
        this.address = readAddress();
        this.sendParams = allocate(RequestParamsLayout.BYTES);
        this.closeParams = allocate(RequestParamsLayout.BYTES);
        this.forceParams = allocate(RequestParamsLayout.BYTES);
        this.pollDescriptor = allocate(Poll.BYTES);
        RequestParamsLayout.writeSend(sendParams);
        RequestParamsLayout.writeClose(closeParams, false);
        RequestParamsLayout.writeClose(forceParams, true);
        Poll.write(pollDescriptor, descriptor());
        this.failureCallback = stub("failed", FAILED, FailureListener.class, listener);
    }

    // ---- life cycle

    /**
     * Opens a worker.
     *
     * @param tls what may be used
     * @param devices on which network devices
     * @throws org.starling.net.TransportUnavailableException when one of them is missing on this
     *     machine
     */
    public static UcxWorker open(
            Ucp ucp, UcxTls tls, UcxDevices devices, FailureListener listener) {
        UcxContext context = UcxContext.open(ucp, tls, devices);
        try {
            return new UcxWorker(ucp, tls, context, listener);
        } catch (RuntimeException | Error e) {
            context.close();
            throw e;
        }
    }

    /** Registers whom to call for the messages of an id. */
    public void receive(int id, Receiver receiver) {
        try (Arena local = Arena.ofConfined()) {
            long params = local.allocate(MessageHandlerLayout.BYTES, Long.BYTES).address();
            MessageHandlerLayout.write(
                    params, id, stub("received", RECEIVED, Receiver.class, receiver));
            check(ucp.workerSetAmRecvHandler(worker, params), "can't take a message handler");
        }
    }

    /** Ends it with all endpoints; no callback comes afterwards, requests are void. */
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        ucp.workerDestroy(worker);
        context.close();
        arena.close();
    }

    /** What others need to make an endpoint to this worker; a few hundred bytes. */
    public byte[] address() {
        return address.clone();
    }

    // ---- work

    /**
     * Moves everything on and runs callbacks; returns how much there was to do.
     *
     * @throws RuntimeException what a callback threw
     */
    public int progress() {
        int work = ucp.workerProgress(worker);
        if (!closing.isEmpty()) {
            closing.removeIf(this::isDone);
        }
        Throwable failure = callbackFailure;
        if (failure != null) {
            callbackFailure = null;
            throw new IllegalStateException("a callback failed: " + failure, failure);
        }
        return work;
    }

    /** Whether closed endpoints are still on their way out. */
    public boolean isClosing() {
        return !closing.isEmpty();
    }

    /** Asks to be woken in {@link #await}; false when there is something to do already. */
    public boolean arm() {
        int status = ucp.workerArm(worker);
        if (status != UcxStatus.OK && status != UcxStatus.BUSY) {
            throw failure(status, "can't sleep");
        }
        return status == UcxStatus.OK;
    }

    /**
     * Sleeps until something happens, {@link #signal}, or the time is over; negative for ever.
     * Returns whether it was one of the first two.
     */
    public boolean await(int timeoutMillis) {
        return Poll.await(pollDescriptor, timeoutMillis);
    }

    /** Ends {@link #await}, or keeps the next one from sleeping. Any thread, also after closing. */
    public synchronized void signal() {
        if (!isClosed) {
            check(ucp.workerSignal(worker), "can't be woken");
        }
    }

    // ---- endpoints

    /**
     * Makes an endpoint.
     *
     * @throws NetException when no common transport reaches that worker
     */
    public long connect(byte[] peer, boolean isSelf) {
        try (Arena local = Arena.ofConfined()) {
            long params = local.allocate(EndpointParamsLayout.BYTES, Long.BYTES).address();
            long result = local.allocate(Long.BYTES, Long.BYTES).address();
            long workerAddress = local.allocate(peer.length, Long.BYTES).address();
            NativeMemory.copyFromArray(peer, 0, workerAddress, peer.length);
            if (isSelf) {
                EndpointParamsLayout.writeToSelf(params, workerAddress);
            } else {
                EndpointParamsLayout.write(params, workerAddress, failureCallback);
            }
            check(ucp.epCreate(worker, params, result), "reaches no such worker");
            return NativeMemory.getLong(result);
        }
    }

    /** Closes an endpoint: at once, or after what was sent has left. Its address is void. */
    public void disconnect(long endpoint, boolean isForced) {
        long request = ucp.epCloseNbx(endpoint, isForced ? forceParams : closeParams);
        if (request != 0 && !UcxStatus.isFailure(request)) {
            closing.add(request);
        }
    }

    /**
     * Sends an active message; it never waits.
     *
     * @return 0 when the memory is free again, a failure (see {@link UcxStatus#isFailure}), or a
     *     request
     */
    public long send(long endpoint, int id, long header, int headerBytes, long data, long bytes) {
        return ucp.amSendNbx(endpoint, id, header, headerBytes, data, bytes, sendParams);
    }

    /** How a request stands; when it is not in progress any more, it must be freed. */
    public int status(long request) {
        return ucp.requestCheckStatus(request);
    }

    public void free(long request) {
        ucp.requestFree(request);
    }

    /** What a status means. */
    public String text(long status) {
        return ucp.statusText((int) status);
    }

    @Override
    public String toString() {
        return ucp + " with " + tls + " on " + context.resources();
    }

    // ---- callbacks, from C

    @SuppressWarnings("unused") // called from C; an exception must not leave it
    private byte received(
            Receiver receiver,
            long argument,
            long header,
            long headerBytes,
            long data,
            long bytes,
            long params) {
        try {
            receiver.received(header, headerBytes, data, bytes);
        } catch (Throwable e) {
            callbackFailure = e;
        }
        return UcxStatus.OK;
    }

    @SuppressWarnings("unused") // called from C; an exception must not leave it
    private void failed(FailureListener listener, long argument, long endpoint, byte status) {
        try {
            listener.failed(endpoint, status);
        } catch (Throwable e) {
            callbackFailure = e;
        }
    }

    // ---- private

    private boolean isDone(long request) {
        if (ucp.requestCheckStatus(request) == UcxStatus.IN_PROGRESS) {
            return false;
        }
        ucp.requestFree(request);
        return true;
    }

    private long create() {
        try (Arena local = Arena.ofConfined()) {
            long params = local.allocate(WorkerParamsLayout.BYTES, Long.BYTES).address();
            long result = local.allocate(Long.BYTES, Long.BYTES).address();
            WorkerParamsLayout.write(params);
            check(ucp.workerCreate(context.address(), params, result), "can't make a worker");
            return NativeMemory.getLong(result);
        }
    }

    private byte[] readAddress() {
        try (Arena local = Arena.ofConfined()) {
            long result = local.allocate(2 * Long.BYTES, Long.BYTES).address();
            check(ucp.workerGetAddress(worker, result, result + 8), "has no address");
            byte[] bytes = new byte[Math.toIntExact(NativeMemory.getLong(result + 8))];
            NativeMemory.copyToArray(NativeMemory.getLong(result), bytes, 0, bytes.length);
            ucp.workerReleaseAddress(worker, NativeMemory.getLong(result));
            return bytes;
        }
    }

    private int descriptor() {
        try (Arena local = Arena.ofConfined()) {
            long result = local.allocate(Integer.BYTES, Integer.BYTES).address();
            check(ucp.workerGetEfd(worker, result), "can't sleep with these transports");
            return NativeMemory.getInt(result);
        }
    }

    private <T> long stub(String method, FunctionDescriptor type, Class<T> role, T target) {
        try {
            MethodType full = type.toMethodType().insertParameterTypes(0, role);
            MethodHandle handle =
                    MethodHandles.insertArguments(
                            MethodHandles.lookup().findVirtual(UcxWorker.class, method, full),
                            0,
                            this,
                            target);
            return Linker.nativeLinker().upcallStub(handle, type, arena).address();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private long allocate(int bytes) {
        return arena.allocate(bytes, Long.BYTES).address();
    }

    private void check(int status, String what) {
        if (status != UcxStatus.OK) {
            throw failure(status, what);
        }
    }

    private NetException failure(int status, String what) {
        return new NetException(this + " " + what + ": " + ucp.statusText(status));
    }
}
