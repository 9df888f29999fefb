package org.starling.net.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;
import org.starling.net.Request;

/** Good bytes of every kind, which fuzzing starts from. */
final class FrameSamples {

    /** A message of one number. */
    record Note(int number) implements Message {
        static final MessageType<Note> TYPE =
                new MessageType<>(100, "note", in -> new Note(in.readCompactInt()));

        @Override
        public MessageType<Note> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeCompactInt(number);
        }
    }

    /** A message of any length. */
    record Letter(String text) implements Message {
        static final MessageType<Letter> TYPE =
                new MessageType<>(101, "letter", in -> new Letter(in.readString()));

        @Override
        public MessageType<Letter> type() {
            return TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeString(text);
        }
    }

    /** A request. */
    record Question(long number) implements Request<Note> {
        static final MessageType<Question> TYPE =
                new MessageType<>(102, "question", in -> new Question(in.readLong()));

        @Override
        public MessageType<Question> type() {
            return TYPE;
        }

        @Override
        public MessageType<Note> responseType() {
            return Note.TYPE;
        }

        @Override
        public void write(Exporter out) {
            out.writeLong(number);
        }
    }

    private FrameSamples() {}

    static List<byte[]> streams() {
        byte[] note = frame(FrameLayout.MESSAGE, 100, new byte[] {5});
        byte[] letter = frame(FrameLayout.MESSAGE, 101, new byte[] {3, 'a', 'b', 'c'});
        byte[] question = frame(FrameLayout.REQUEST, 102, new byte[16]);
        byte[] answer = frame(FrameLayout.RESPONSE, 100, new byte[9]);
        byte[] failure =
                frame(FrameLayout.FAILURE, 0, new byte[] {1, 0, 0, 0, 0, 0, 0, 0, 1, 'x', 0});
        byte[] raw = frame(FrameLayout.RAW, 3, new byte[] {1, 2, 3, 4, 5});
        byte[] skip = Arrays.copyOf(frame(FrameLayout.SKIP, 0, new byte[24]), 8);
        byte[] goodbye = frame(FrameLayout.GOODBYE, 0, new byte[0]);
        byte[] first = fragment(FragmentLayout.FIRST, 8, 4, new byte[] {7, 'f', 'r', 'a'});
        byte[] last = fragment(FragmentLayout.LAST, 0, 4, new byte[] {'g', 'm', 'e', 'n'});
        byte[] aborted = fragment(FragmentLayout.ABORTED, 0, 0, new byte[0]);
        byte[] unknown = frame(FrameLayout.REQUEST, 999, new byte[12]);
        return List.of(
                note,
                letter,
                question,
                joined(first, last),
                joined(first, note, aborted, skip, raw),
                joined(note, letter, question, answer, failure, raw, skip, unknown),
                joined(skip, goodbye, note));
    }

    static List<byte[]> handshakes() {
        return List.of(
                bytes(HandshakeLayout.BYTES, at -> HandshakeLayout.write(at, 7, 3, 9, 4096)),
                bytes(
                        HandshakeLayout.BYTES,
                        at -> HandshakeLayout.write(at, 7, 65_535, 65_535, 1 << 20)));
    }

    static List<byte[]> confirmations() {
        return List.of(
                bytes(ConfirmationLayout.BYTES, at -> ConfirmationLayout.write(at, 0)),
                bytes(ConfirmationLayout.BYTES, at -> ConfirmationLayout.write(at, 1L << 40)));
    }

    static List<byte[]> hellos() {
        return List.of(new UcxHello(7, 3, 9, 4096, 5, new byte[] {1, 2, 3}).bytes());
    }

    /** The number of fields, their kinds, their bytes. */
    static List<byte[]> fields() {
        byte[] simple = {8, 0, 1, 2, 3, 4, 5, 6, 7};
        byte[] long64 = {2, 7, 8, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 5};
        byte[] arrays = {5, 9, 10, 11, 12, 13, 2, 'h', 'i', 1, 9, 1, 1, 2, 3, 4, 0, 0};
        return List.of(Arrays.copyOf(simple, 60), long64, arrays);
    }

    /** The stream with each header made sound that is reached by going from frame to frame. */
    static byte[] repaired(byte[] stream) {
        byte[] repaired = stream.clone();
        int at = 0;
        while (at + FrameLayout.HEADER_BYTES <= repaired.length) {
            long fields = 0;
            for (int i = 6; i >= 0; i--) {
                fields = fields << 8 | (repaired[at + i] & 0xFF);
            }
            int length = FrameLayout.length(fields);
            int kind = FrameLayout.kind(fields);
            long header =
                    FrameLayout.header(kind, FrameLayout.type(fields), length & Integer.MAX_VALUE);
            repaired[at + 7] = (byte) (header >>> 56);
            if (length < FrameLayout.HEADER_BYTES || length > repaired.length - at) {
                break;
            }
            at += kind == FrameLayout.SKIP ? FrameLayout.HEADER_BYTES : FrameLayout.aligned(length);
        }
        return repaired;
    }

    // ---- fields by kind
    // ---------------------------------------------------------------------------------------

    static Object read(byte kind, Importer in) {
        return switch (Math.floorMod(kind, 14)) {
            case 0 -> in.readBoolean();
            case 1, 2 -> in.readByte();
            case 3, 5 -> in.readInt();
            case 4 -> in.readLong();
            case 6 -> Double.doubleToRawLongBits(in.readDouble());
            case 7 -> in.readCompactInt();
            case 9 -> in.readString();
            case 10 -> in.readBytes();
            case 11 -> in.readInts();
            default -> in.readLongs();
        };
    }

    static void write(byte kind, Object value, Exporter out) {
        switch (Math.floorMod(kind, 14)) {
            case 0 -> out.writeBoolean((boolean) value);
            case 1, 2 -> out.writeByte((byte) value);
            case 3, 5 -> out.writeInt((int) value);
            case 4 -> out.writeLong((long) value);
            case 6 -> out.writeDouble(Double.longBitsToDouble((long) value));
            case 7 -> out.writeCompactInt((int) value);
            case 9 -> out.writeString((String) value);
            case 10 -> out.writeBytes((byte[]) value);
            case 11 -> out.writeInts((int[]) value);
            default -> out.writeLongs((long[]) value);
        }
    }

    // ---- bytes
    // ------------------------------------------------------------------------------------------------

    private static byte[] frame(int kind, int type, byte[] payload) {
        int length = FrameLayout.HEADER_BYTES + payload.length;
        byte[] frame =
                bytes(
                        FrameLayout.aligned(length),
                        at -> NativeMemory.putLong(at, FrameLayout.header(kind, type, length)));
        System.arraycopy(payload, 0, frame, FrameLayout.HEADER_BYTES, payload.length);
        return frame;
    }

    private static byte[] fragment(int flags, int total, int bytes, byte[] piece) {
        boolean isFirst = (flags & FragmentLayout.FIRST) != 0;
        int header = isFirst ? FragmentLayout.FIRST_HEADER_BYTES : FragmentLayout.HEADER_BYTES;
        byte[] payload =
                bytes(
                        header + bytes,
                        at -> {
                            NativeMemory.putLong(
                                    at, FragmentLayout.header(77, FrameLayout.MESSAGE, flags, 101));
                            if (isFirst) {
                                NativeMemory.putLong(at + 8, total);
                            }
                        });
        System.arraycopy(piece, 0, payload, header, piece.length);
        return frame(FrameLayout.FRAGMENT, 0, payload);
    }

    private static byte[] joined(byte[]... parts) {
        List<Byte> joined = new ArrayList<>();
        for (byte[] part : parts) {
            for (byte b : part) {
                joined.add(b);
            }
        }
        byte[] bytes = new byte[joined.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = joined.get(i);
        }
        return bytes;
    }

    private interface Writer {
        void write(long address);
    }

    private static byte[] bytes(int count, Writer writer) {
        int room = Math.max(8, count);
        long address = NativeMemory.reserve(room);
        NativeMemory.fill(address, room, (byte) 0);
        writer.write(address);
        byte[] bytes = new byte[count];
        NativeMemory.copyToArray(address, bytes, 0, count);
        NativeMemory.release(address, room);
        return bytes;
    }
}
