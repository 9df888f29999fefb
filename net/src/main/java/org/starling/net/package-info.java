/**
 * Messages between nodes: object messages, requests, and the raw path for bytes that are not
 * objects. Node ids stand for addresses; connections open on first use, and their loss is an event.
 * The room is a library of its own: the store is its first user, and nothing here knows what the
 * messages mean. Open {@link org.starling.net.Network} first.
 *
 * <p>The way of a message out, in call order: {@link org.starling.net.Network} → {@code Exchange} →
 * {@code MessageSender} (count, claim, write, commit; {@code FragmentSender} when it is large) or
 * {@link org.starling.net.RawSender} → {@code OutgoingLink} (window, waiting) → {@code
 * OutgoingRing} → {@link org.starling.net.Transport} ({@code LoopbackTransport}, or {@code
 * EthernetTransport} with {@code EthernetSender}) → its {@code Wire}, plain or under TLS.
 *
 * <p>The way in: transport ({@code EthernetReceiver} reads into a pooled {@code ReceiveBuffer}) →
 * {@code IncomingLink} (cuts frames, puts fragments together, counts for the window) → {@code
 * Dispatcher} (reads the object) → the handler, on the receiving thread, an {@code OrderedLane} or
 * {@code Workers}. Answers end in {@code RequestTable}.
 */
@NullMarked
package org.starling.net;

import org.jspecify.annotations.NullMarked;
