package org.starling.net;

/** A request that is answered with a text, for tests. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Ask(int number, byte[] load) implements Request<Text> {

    static final MessageType<Ask> TYPE =
            new MessageType<>(101, "ask", in -> new Ask(in.readInt(), in.readBytes()));

    Ask(int number) {
        this(number, new byte[0]);
    }

    @Override
    public MessageType<Ask> type() {
        return TYPE;
    }

    @Override
    public MessageType<Text> responseType() {
        return Text.TYPE;
    }

    @Override
    public void write(Exporter out) {
        out.writeInt(number);
        out.writeBytes(load);
    }
}
