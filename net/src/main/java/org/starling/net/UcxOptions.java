package org.starling.net;

import java.util.Objects;

/**
 * What UCX may use. A transport or device that is named must be there, or the network does not
 * open.
 *
 * @param tls UCX's transports, as in its variable UCX_TLS: {@code rc,ud} for InfiniBand, {@code
 *     posix} for shared memory, {@code tcp}; empty takes UCX_TLS from the environment, else {@code
 *     rc,ud,self}
 * @param devices network devices, as in its variable UCX_NET_DEVICES: {@code mlx5_0:1}, {@code
 *     eth0}; empty takes UCX_NET_DEVICES from the environment, else all devices (with {@code tcp}
 *     as the only network: the one with the address that the node listens on)
 */
public record UcxOptions(String tls, String devices) {

    /** Nothing is said: UCX's variables hold, or an InfiniBand adapter with all its ports. */
    public static final UcxOptions AUTO = new UcxOptions("", "");

    public UcxOptions {
        Objects.requireNonNull(tls, "tls");
        Objects.requireNonNull(devices, "devices");
    }

    /** These transports on any device. */
    public static UcxOptions ofTls(String tls) {
        return new UcxOptions(tls, "");
    }
}
