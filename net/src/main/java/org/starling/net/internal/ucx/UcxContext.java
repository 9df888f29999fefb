package org.starling.net.internal.ucx;

import java.lang.foreign.Arena;
import org.starling.net.NativeMemory;
import org.starling.net.NetException;
import org.starling.net.TransportUnavailableException;

/**
 * A context of UCX: its configuration and the devices of this machine. Owned by one {@link
 * UcxWorker}, closed after it. Opening takes a few milliseconds per transport named.
 */
final class UcxContext {

    private static final String ALL_TLS = "all";

    private final Ucp ucp;
    private final long address;
    private final UcxResources resources;

    private UcxContext(Ucp ucp, long address) {
        this.ucp = ucp;
        this.address = address;
        this.resources = UcxResources.of(ucp, address);
    }

    /**
     * Opens a context.
     *
     * @param tls what may be used; each one named must be there
     * @param devices on which network devices; each one named must be there
     * @throws TransportUnavailableException when one of them is missing on this machine; says what
     *     is there and what to do
     */
    static UcxContext open(Ucp ucp, UcxTls tls, UcxDevices devices) {
        for (String name : tls.demanded()) {
            long[] probe = new long[1];
            int status = init(ucp, name, false, devices, probe);
            if (status != UcxStatus.OK) {
                throw noTransport(ucp, tls, devices, name, status);
            }
            ucp.cleanup(probe[0]);
        }
        long[] opened = new long[1];
        int status = init(ucp, tls.value(), tls.sharesMemory(), devices, opened);
        if (status != UcxStatus.OK) {
            throw new NetException(
                    "%s can't start with %s on %s: %s"
                            .formatted(ucp, tls, devices, ucp.statusText(status)));
        }
        UcxContext context = new UcxContext(ucp, opened[0]);
        for (String device : devices.names()) {
            if (!context.resources.hasDevice(device)) {
                context.close();
                throw noDevice(ucp, tls, devices, device);
            }
        }
        return context;
    }

    long address() {
        return address;
    }

    /** What it uses. */
    UcxResources resources() {
        return resources;
    }

    void close() {
        ucp.cleanup(address);
    }

    private static TransportUnavailableException noTransport(
            Ucp ucp, UcxTls tls, UcxDevices devices, String name, int status) {
        return new TransportUnavailableException(
                ("this machine has no \"%s\" among UCX's transports (asked for %s on %s, %s says: %s, and"
                                + " finds %s): fit an InfiniBand adapter, or set \"ucxTls\" to \"posix\" for"
                                + " nodes of one machine or to \"tcp\", or set \"transport\" to"
                                + " \"ethernet\"")
                        .formatted(name, tls, devices, ucp, ucp.statusText(status), found(ucp)));
    }

    private static TransportUnavailableException noDevice(
            Ucp ucp, UcxTls tls, UcxDevices devices, String device) {
        return new TransportUnavailableException(
                "UCX uses no network device \"%s\" (asked for %s on %s, %s finds %s): set \"ucxDevices\" to one that is there, or to \"auto\""
                        .formatted(device, tls, devices, ucp, found(ucp)));
    }

    /** All that UCX finds on this machine. */
    private static UcxResources found(Ucp ucp) {
        long[] context = new long[1];
        int status = init(ucp, ALL_TLS, false, UcxDevices.ALL, context);
        if (status != UcxStatus.OK) {
            return UcxResources.parse("");
        }
        try {
            return UcxResources.of(ucp, context[0]);
        } finally {
            ucp.cleanup(context[0]);
        }
    }

    private static int init(
            Ucp ucp, String tls, boolean sharesMemory, UcxDevices devices, long[] context) {
        try (Arena arena = Arena.ofConfined()) {
            long result = arena.allocate(Long.BYTES, Long.BYTES).address();
            int status = ucp.configRead(0, 0, result);
            if (status != UcxStatus.OK) {
                return status;
            }
            long config = NativeMemory.getLong(result);
            modify(ucp, arena, config, "TLS", tls);
            modify(ucp, arena, config, "NET_DEVICES", devices.value());
            if (sharesMemory) {
                // without it shared memory tells nothing of a peer that has died
                modify(ucp, arena, config, "MM_ERROR_HANDLING", "y");
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
                    "%s doesn't take %s=%s: %s"
                            .formatted(ucp, name, value, ucp.statusText(status)));
        }
    }
}
