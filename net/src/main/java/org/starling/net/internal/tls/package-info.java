/**
 * Keys and certificates of nodes: reading them ({@link org.starling.net.internal.tls.TlsKeys},
 * where to start), the names by which a certificate covers node ids, and making certificates. The
 * bytes that TLS sends are {@code TlsWire}'s business. Called by the Ethernet transport and by
 * {@link org.starling.net.TlsAuthority}.
 */
@NullMarked
package org.starling.net.internal.tls;

import org.jspecify.annotations.NullMarked;
