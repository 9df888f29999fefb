package org.starling.net.internal.ucx;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import org.starling.net.TransportUnavailableException;

/**
 * The functions of {@code libucp.so.0} that the transport calls, one method each and nothing more:
 * pointers are absolute addresses, {@code ucs_status_t} is one byte, {@code size_t} eight. The
 * structs they take are written by the {@code …Layout} classes beside this one; all of them begin
 * with a mask of the fields that are set, so that offsets of UCX 1.13 serve newer versions too.
 *
 * <p>Thread-safe itself; which thread may call what is a matter of {@link UcxWorker}. A call costs
 * about 7 ns over the C function.
 */
@SuppressWarnings("restricted") // --enable-native-access is given at start
public final class Ucp {

    /** The library's name; its number stands for the binary interface since UCX 1.0. */
    public static final String LIBRARY = "libucp.so.0";

    /** What this class was written against, checked by UCX itself. */
    private static final int API_MAJOR = 1;

    private static final int API_MINOR = 13;

    private static final int MAX_TEXT_BYTES = 1 << 20;

    private static final Linker LINKER = Linker.nativeLinker();

    // One handle per shape of signature, named result_parameters: b status byte, i int, j address
    // or size, v nothing. Constants, so that the compiler sees through them.
    private static final MethodHandle B_J = handle(JAVA_BYTE, JAVA_LONG);
    private static final MethodHandle B_JJ = handle(JAVA_BYTE, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle B_JJJ = handle(JAVA_BYTE, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle B_IIJJJ =
            handle(JAVA_BYTE, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle I_J = handle(JAVA_INT, JAVA_LONG);
    private static final MethodHandle J_B = handle(JAVA_LONG, JAVA_BYTE);
    private static final MethodHandle J = handle(JAVA_LONG);
    private static final MethodHandle J_JJ = handle(JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle J_JIJJJJJ =
            handle(
                    JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
                    JAVA_LONG);
    private static final MethodHandle V_J =
            LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG));
    private static final MethodHandle V_JJ =
            LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));

    private final MemorySegment amSendNbx;
    private final MemorySegment cleanup;
    private final MemorySegment configModify;
    private final MemorySegment configRead;
    private final MemorySegment configRelease;
    private final MemorySegment contextPrintInfo;
    private final MemorySegment epCloseNbx;
    private final MemorySegment epCreate;
    private final MemorySegment getVersionString;
    private final MemorySegment initVersion;
    private final MemorySegment requestCheckStatus;
    private final MemorySegment requestFree;
    private final MemorySegment statusString;
    private final MemorySegment workerArm;
    private final MemorySegment workerCreate;
    private final MemorySegment workerDestroy;
    private final MemorySegment workerGetAddress;
    private final MemorySegment workerGetEfd;
    private final MemorySegment workerProgress;
    private final MemorySegment workerReleaseAddress;
    private final MemorySegment workerSetAmRecvHandler;
    private final MemorySegment workerSignal;

    private final String name;

    private Ucp(UcxLibrary library) {
        getVersionString = library.function("ucp_get_version_string");
        library.require(API_MAJOR, API_MINOR, version());
        name = "UCX " + version() + " (" + library.path() + ")";
        amSendNbx = library.function("ucp_am_send_nbx");
        cleanup = library.function("ucp_cleanup");
        configModify = library.function("ucp_config_modify");
        configRead = library.function("ucp_config_read");
        configRelease = library.function("ucp_config_release");
        contextPrintInfo = library.function("ucp_context_print_info");
        epCloseNbx = library.function("ucp_ep_close_nbx");
        epCreate = library.function("ucp_ep_create");
        initVersion = library.function("ucp_init_version");
        requestCheckStatus = library.function("ucp_request_check_status");
        requestFree = library.function("ucp_request_free");
        statusString = library.function("ucs_status_string"); // of libucs, which libucp needs
        workerArm = library.function("ucp_worker_arm");
        workerCreate = library.function("ucp_worker_create");
        workerDestroy = library.function("ucp_worker_destroy");
        workerGetAddress = library.function("ucp_worker_get_address");
        workerGetEfd = library.function("ucp_worker_get_efd");
        workerProgress = library.function("ucp_worker_progress");
        workerReleaseAddress = library.function("ucp_worker_release_address");
        workerSetAmRecvHandler = library.function("ucp_worker_set_am_recv_handler");
        workerSignal = library.function("ucp_worker_signal");
    }

    /**
     * Loads the library.
     *
     * @param fileName {@link #LIBRARY}, or another name or path of it
     * @throws TransportUnavailableException when there is none, or one that is too old; says what
     *     to do
     */
    public static Ucp load(String fileName) {
        UcxEnvironment.prepare();
        return new Ucp(UcxLibrary.load(API_MAJOR + "." + API_MINOR, fileName));
    }

    // ---- context

    String version() {
        try {
            return text((long) J.invokeExact(getVersionString));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    byte configRead(long prefix, long file, long config) {
        return status(configRead, prefix, file, config);
    }

    byte configModify(long config, long name, long value) {
        return status(configModify, config, name, value);
    }

    void configRelease(long config) {
        run(configRelease, config);
    }

    byte init(long params, long config, long context) {
        try {
            return (byte)
                    B_IIJJJ.invokeExact(initVersion, API_MAJOR, API_MINOR, params, config, context);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    void contextPrintInfo(long context, long file) {
        run(contextPrintInfo, context, file);
    }

    void cleanup(long context) {
        run(cleanup, context);
    }

    /** What a status means, in UCX's words. */
    public String statusText(int status) {
        try {
            return text((long) J_B.invokeExact(statusString, (byte) status));
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    /** Its version and where it was loaded from. */
    @Override
    public String toString() {
        return name;
    }

    // ---- worker

    byte workerCreate(long context, long params, long worker) {
        return status(workerCreate, context, params, worker);
    }

    void workerDestroy(long worker) {
        run(workerDestroy, worker);
    }

    byte workerGetAddress(long worker, long address, long length) {
        return status(workerGetAddress, worker, address, length);
    }

    void workerReleaseAddress(long worker, long address) {
        run(workerReleaseAddress, worker, address);
    }

    byte workerSetAmRecvHandler(long worker, long params) {
        return status(workerSetAmRecvHandler, worker, params);
    }

    int workerProgress(long worker) {
        try {
            return (int) I_J.invokeExact(workerProgress, worker);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    byte workerGetEfd(long worker, long descriptor) {
        return status(workerGetEfd, worker, descriptor);
    }

    byte workerArm(long worker) {
        return status(workerArm, worker);
    }

    byte workerSignal(long worker) {
        return status(workerSignal, worker);
    }

    // ---- endpoints

    byte epCreate(long worker, long params, long endpoint) {
        return status(epCreate, worker, params, endpoint);
    }

    long epCloseNbx(long endpoint, long params) {
        try {
            return (long) J_JJ.invokeExact(epCloseNbx, endpoint, params);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    long amSendNbx(
            long endpoint,
            int id,
            long header,
            long headerBytes,
            long data,
            long bytes,
            long params) {
        try {
            return (long)
                    J_JIJJJJJ.invokeExact(
                            amSendNbx, endpoint, id, header, headerBytes, data, bytes, params);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    byte requestCheckStatus(long request) {
        return status(requestCheckStatus, request);
    }

    void requestFree(long request) {
        run(requestFree, request);
    }

    // ---- private

    // One call per shape, so that each handle is a constant to the compiler.

    private static byte status(MemorySegment function, long a) {
        try {
            return (byte) B_J.invokeExact(function, a);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static byte status(MemorySegment function, long a, long b) {
        try {
            return (byte) B_JJ.invokeExact(function, a, b);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static byte status(MemorySegment function, long a, long b, long c) {
        try {
            return (byte) B_JJJ.invokeExact(function, a, b, c);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static void run(MemorySegment function, long a) {
        try {
            V_J.invokeExact(function, a);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static void run(MemorySegment function, long a, long b) {
        try {
            V_JJ.invokeExact(function, a, b);
        } catch (Throwable e) {
            throw rethrown(e);
        }
    }

    private static MethodHandle handle(MemoryLayout result, MemoryLayout... parameters) {
        return LINKER.downcallHandle(FunctionDescriptor.of(result, parameters));
    }

    /** A text of C that ends with a zero. */
    static String text(long address) {
        return MemorySegment.ofAddress(address)
                .reinterpret(MAX_TEXT_BYTES)
                .getString(0, StandardCharsets.UTF_8);
    }

    /** A handle called with the right types throws nothing but what the machine itself throws. */
    static RuntimeException rethrown(Throwable e) {
        return switch (e) {
            case Error error -> throw error;
            case RuntimeException failure -> failure;
            default -> new IllegalStateException(e);
        };
    }
}
