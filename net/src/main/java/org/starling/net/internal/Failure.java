package org.starling.net.internal;

import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.Message;
import org.starling.net.MessageType;

/**
 * What a server threw, on its way to the requester.
 *
 * @param kind simple name of the exception's class; empty if there was no server to throw one
 * @param text its message, perhaps cut
 */
record Failure(String kind, String text) implements Message {

    /** Longest text sent, in characters. */
    static final int MAX_TEXT_CHARS = 2000;

    private static final MessageType<Failure> TYPE = new MessageType<>(1, "failure", Failure::read);

    static Failure of(Throwable cause) {
        String text = String.valueOf(cause.getMessage());
        String cut = text.length() > MAX_TEXT_CHARS ? text.substring(0, MAX_TEXT_CHARS) : text;
        return new Failure(cause.getClass().getSimpleName(), cut);
    }

    static Failure read(Importer in) {
        return new Failure(in.readString(), in.readString());
    }

    @Override
    public MessageType<Failure> type() {
        return TYPE;
    }

    @Override
    public void write(Exporter out) {
        out.writeString(kind);
        out.writeString(text);
    }
}
