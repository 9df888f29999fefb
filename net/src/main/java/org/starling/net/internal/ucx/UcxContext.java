package org.starling.net.internal.ucx;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.starling.net.NativeMemory;
import org.starling.net.NetException;
import org.starling.net.TransportUnavailableException;

/**
 * A context of UCX: its configuration and the devices of this machine. Owned by one {@link
 * UcxWorker}, closed after it. Opening takes a few milliseconds per transport named.
 */
final class UcxContext {

    private final Ucp ucp;
    private final long address;

    private UcxContext(Ucp ucp, long address) {
        this.ucp = ucp;
        this.address = address;
    }

    /**
     * Opens a context.
     *
     * @param tls what may be used; each one named must be there
     * @param networkDevice the only network device to be used, or null for all
     * @throws TransportUnavailableException when one of the transports is missing on this machine;
     *     says what to do
     */
    static UcxContext open(Ucp ucp, UcxTls tls, @Nullable String networkDevice) {
        for (String name : tls.demanded()) {
            long[] probe = new long[1];
            int status = init(ucp, name, false, null, probe);
            if (status != UcxStatus.OK) {
                throw new TransportUnavailableException(
                        "this machine has no \""
                                + name
                                + "\" among UCX's transports (asked for "
                                + tls
                                + ", UCX "
                                + ucp.version()
                                + " says: "
                                + ucp.statusText(status)
                                + "): fit an InfiniBand adapter, or set \"ucxTls\" to \"posix\" for"
                                + " nodes of one machine or to \"tcp\", or set \"transport\" to"
                                + " \"ethernet\"");
            }
            ucp.cleanup(probe[0]);
        }
        long[] context = new long[1];
        int status = init(ucp, tls.value(), tls.sharesMemory(), networkDevice, context);
        if (status != UcxStatus.OK) {
            throw new NetException(
                    "UCX "
                            + ucp.version()
                            + " can't start with "
                            + tls
                            + (networkDevice == null ? "" : " on " + networkDevice)
                            + ": "
                            + ucp.statusText(status));
        }
        return new UcxContext(ucp, context[0]);
    }

    long address() {
        return address;
    }

    void close() {
        ucp.cleanup(address);
    }

    private static int init(
            Ucp ucp,
            String tls,
            boolean sharesMemory,
            @Nullable String networkDevice,
            long[] context) {
        try (Arena arena = Arena.ofConfined()) {
            long result = arena.allocate(Long.BYTES, Long.BYTES).address();
            int status = ucp.configRead(0, 0, result);
            if (status != UcxStatus.OK) {
                return status;
            }
            long config = NativeMemory.getLong(result);
            modify(ucp, arena, config, "TLS", tls);
            if (sharesMemory) {
                // without it shared memory tells nothing of a peer that has died
                modify(ucp, arena, config, "MM_ERROR_HANDLING", "y");
            }
            if (networkDevice != null) {
                modify(ucp, arena, config, "NET_DEVICES", networkDevice);
            }
            long params = arena.allocate(ContextParamsLayout.BYTES, Long.BYTES).address();
            ContextParamsLayout.write(params);
            status = ucp.init(params, config, result);
            ucp.configRelease(config);
            context[0] = NativeMemory.getLong(result);
            return status;
        }
    }

    private static void modify(Ucp ucp, Arena arena, long config, String name, String value) {
        int status =
                ucp.configModify(
                        config,
                        arena.allocateFrom(name).address(),
                        arena.allocateFrom(value).address());
        if (status != UcxStatus.OK) {
            throw new NetException(
                    "UCX "
                            + ucp.version()
                            + " doesn't take "
                            + name
                            + "="
                            + value
                            + ": "
                            + ucp.statusText(status));
        }
    }
}
