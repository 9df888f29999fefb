package org.starling.net;

import java.nio.file.Path;
import java.util.Objects;

/**
 * Files in PEM with which a node proves who it is, and by which it judges the others. They are read
 * again when they change; connections that are open stay open.
 *
 * <p>The certificate's subject alternative names say which node ids it covers: {@code
 * node-7.starling} covers node 7, {@code nodes-3-65535.starling} the nodes 3 to 65535, both
 * included. If it has an extended key usage, that must allow both ends of TLS.
 *
 * @param certificate the node's certificate, followed by those between it and the authority if
 *     there are any
 * @param key its private key, PKCS#8 without a password
 * @param authority one or more certificates; what one of them has signed is trusted
 */
public record TlsOptions(Path certificate, Path key, Path authority) {

    public TlsOptions {
        Objects.requireNonNull(certificate, "certificate");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(authority, "authority");
    }
}
