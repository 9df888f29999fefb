package org.starling.net;

import java.util.Objects;

/**
 * Names a kind of message on the wire.
 *
 * @param id 1 to {@value #MAX_ID}, the same on all nodes of a cluster
 * @param name for people: logs and errors
 * @param reader builds the message from its bytes
 * @param <M> the message
 */
public record MessageType<M extends Message>(int id, String name, Reader<M> reader) {

    /** Largest id of a message type and of a raw type. */
    public static final int MAX_ID = 32767;

    public MessageType {
        if (id < 1 || id > MAX_ID) {
            throw new IllegalArgumentException(
                    "message type id must be 1.." + MAX_ID + ", found " + id);
        }
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(reader, "reader");
    }

    @Override
    public String toString() {
        return name + "(" + id + ")";
    }
}
