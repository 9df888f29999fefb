package org.starling.net;

/**
 * An immutable value that travels between nodes, usually a record.
 *
 * <p>{@link #write} must be a pure function of the value: it is called twice for one send, first to
 * count and then to write, and both calls must produce the same bytes.
 */
public interface Message {

    /** The type under which receivers have registered a handler. */
    MessageType<?> type();

    /** Writes the fields; the type's reader reads them back in the same order. */
    void write(Exporter out);
}
