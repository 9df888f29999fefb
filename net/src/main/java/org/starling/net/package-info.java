/**
 * Messages between nodes: object messages, requests, and the raw path for bytes that are not
 * objects. Node ids stand for addresses; connections open on first use, and their loss is an event.
 * The room is a library of its own: the store is its first user, and nothing here knows what the
 * messages mean. Open {@link org.starling.net.Network} first; {@code net/README.md} has a program.
 * A message that is a {@link org.starling.net.RecordMessage} needs no code of its own.
 *
 * <p><b>The way of a message out</b>, in call order:
 *
 * <ol>
 *   <li>{@link org.starling.net.Network#send} → {@code Messenger.send}: which link ({@code
 *       Connections.link}, made and connected on first use).
 *   <li>{@code MessageSender.send}: counts, claims, writes, commits; {@code FragmentSender} when it
 *       is large, {@code MessageImage} when it goes to many. Raw blocks come in below, from {@code
 *       RingSender} ({@link org.starling.net.RawSender}).
 *   <li>{@code OutgoingLink.claim} and {@code commit}; {@code SendWindow} is the window, and
 *       waiting for room.
 *   <li>{@code OutgoingRing}: where the bytes lie until they leave.
 *   <li>{@link org.starling.net.Transport#signal}: {@code LoopbackTransport}; {@code
 *       EthernetTransport}, {@code EthernetSender}, its {@code RingWriter} and its {@code Wire},
 *       plain or under TLS; {@code UcxTransport} and {@code UcxSender}. {@code DrainSchedule} says
 *       which thread writes.
 * </ol>
 *
 * <p><b>The way in</b>:
 *
 * <ol>
 *   <li>The receiving thread of the transport: {@code EthernetReceiver.read} into a {@code
 *       ReceiveBuffer}, {@code UcxReceiver.received}, {@code RingReader.receive}.
 *   <li>{@code IncomingLink.consume}: cuts frames, puts fragments together ({@code Assembly}),
 *       counts for the sender's window ({@code Backlog}).
 *   <li>{@code Dispatcher.dispatch}: reads the object and finds its handler ({@code Registry});
 *       {@code Dispatcher.raw}: takes raw blocks to theirs, many alike at once.
 *   <li>The handler, at once, in an {@code OrderedLane} or in a {@code WorkerLane} on {@code
 *       Workers}. An answer ends its {@code PendingRequest} in the {@code RequestTable}.
 *   <li>{@code IncomingLink.handled}: what is done with is confirmed to {@code
 *       OutgoingLink.confirm} at the sender.
 * </ol>
 *
 * <p><b>Connections</b> come and go in {@code Connections}; {@code docs/design/connections.md} says
 * why that loses nothing.
 */
@NullMarked
package org.starling.net;

import org.jspecify.annotations.NullMarked;
