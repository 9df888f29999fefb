package org.starling.net;

/** A message with a number and some text, for tests. */
record Text(int number, String text) implements Message {

    static final MessageType<Text> TYPE =
            new MessageType<>(100, "text", in -> new Text(in.readInt(), in.readString()));

    @Override
    public MessageType<Text> type() {
        return TYPE;
    }

    @Override
    public void write(Exporter out) {
        out.writeInt(number);
        out.writeString(text);
    }
}
