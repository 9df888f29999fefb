/**
 * Messages between nodes: object messages, requests, and the raw path for bytes that are not
 * objects. Node ids stand for addresses; connections open on first use, and their loss is an event.
 * The room is a library of its own: the store is its first user, and nothing here knows what the
 * messages mean. Start with the messaging entry point that hands out {@code send} and {@code
 * request}, then follow one message through the outgoing ring, a transport and the incoming path.
 */
@NullMarked
package org.starling.net;

import org.jspecify.annotations.NullMarked;
