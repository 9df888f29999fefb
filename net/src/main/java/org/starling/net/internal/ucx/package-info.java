/**
 * UCX from Java: {@code libucp.so.0} bound by {@code java.lang.foreign}, and as much of it in
 * objects as a transport needs. Knows no links and no frames; its only caller is {@code
 * org.starling.net.internal.UcxTransport}. Open {@link org.starling.net.internal.ucx.UcxWorker}
 * first.
 */
@NullMarked
package org.starling.net.internal.ucx;

import org.jspecify.annotations.NullMarked;
