package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RecordRequest;

/** What records look like on the wire, and that nothing else is taken for one. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class RecordMessageTest {
    private static final int BYTES = 1024;

    enum Colour {
        RED,
        GREEN
    }

    sealed interface Shape {}

    record Point(int x, int y) implements Shape {
        Point {
            if (x < 0) {
                throw new IllegalArgumentException("x is " + x);
            }
        }
    }

    record Nothing() implements Shape {}

    @TypeId(7)
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Everything(
            boolean flag,
            byte small,
            int number,
            long large,
            double real,
            String text,
            byte[] bytes,
            int[] ints,
            long[] longs,
            byte[] @Nullable [] values,
            List<Integer> list,
            Colour colour,
            Shape shape,
            @Nullable Point none,
            @Nullable Point some,
            Optional<String> perhaps)
            implements RecordRequest<Answer> {}

    @TypeId(8)
    record Answer(List<Shape> shapes) implements RecordMessage {}

    interface Sum<R extends RecordMessage> extends RecordRequest<R> {}

    interface Total extends Sum<Answer> {}

    @TypeId(10)
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record First(long... values) implements Sum<Answer> {}

    @TypeId(11)
    record Second() implements Total {}

    record Third<R extends RecordMessage>() implements Sum<R> {}

    record Anonymous(int number) implements RecordMessage {}

    @TypeId(9)
    record Strange(Object what) implements RecordMessage {}

    private static final Everything EVERYTHING =
            new Everything(
                    true,
                    (byte) 2,
                    3,
                    4,
                    0.5,
                    "ö",
                    new byte[] {5},
                    new int[] {6},
                    new long[] {7},
                    new byte[][] {{8}, null},
                    List.of(9),
                    Colour.GREEN,
                    new Nothing(),
                    null,
                    new Point(10, 11),
                    Optional.of("x"));

    private final NativeExporter out = new NativeExporter();
    private final NativeImporter in = new NativeImporter();
    private final long memory = NativeMemory.reserve(BYTES);

    @AfterEach
    void release() {
        NativeMemory.release(memory, BYTES);
    }

    @Test
    void writesComponentsInTheirOrderAndNothingElse() {
        assertThat(HexFormat.of().formatHex(written(EVERYTHING)))
                .isEqualTo(
                        "0102030000000400000000000000000000000000e03f02c3b6010501060000000107000000000000000201"
                                + "0108000109000000010200010a0000000b000000010178");
    }

    @Test
    void readsWhatItWrote() {
        Everything again = read(RecordMessage.type(Everything.class), written(EVERYTHING));

        assertThat(again).usingRecursiveComparison().isEqualTo(EVERYTHING);
        assertThat(in.remaining()).isZero();
        assertThat(read(RecordMessage.type(First.class), written(new First(1, 2))).values())
                .as("a varargs component")
                .containsExactly(1, 2);
    }

    @Test
    void takesIdsFromTheRecordsAndTheResponseFromTheRequest() {
        MessageType<?> type = EVERYTHING.type();

        assertThat(type.id()).isEqualTo(7);
        assertThat(type.name()).isEqualTo("Everything");
        assertThat(type).isSameAs(RecordMessage.type(Everything.class));
        assertThat(EVERYTHING.responseType()).isSameAs(RecordMessage.type(Answer.class));
        assertThat(new First().responseType()).isSameAs(RecordMessage.type(Answer.class));
        assertThat(new Second().responseType()).isSameAs(RecordMessage.type(Answer.class));
    }

    @Test
    void refusesWhatIsCutAndWhatAConstructorRefuses() {
        byte[] bytes = written(EVERYTHING);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> read(RecordMessage.type(Everything.class), cut))
                    .isInstanceOf(MalformedMessageException.class);
        }
        byte[] point = written(new Answer(List.of(new Point(1, 2))));
        for (int i = 2; i < 6; i++) {
            point[i] = -1;
        }

        assertThatThrownBy(() -> read(RecordMessage.type(Answer.class), point))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("bad Point: x is -1");
        for (byte kind : new byte[] {0, 3, -1}) {
            byte[] unknown = written(new Answer(List.of(new Nothing())));
            unknown[1] = kind;
            assertThatThrownBy(() -> read(RecordMessage.type(Answer.class), unknown))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessage("unknown Shape number " + kind);
        }
    }

    @Test
    void refusesRecordsThatAreNoMessages() {
        assertThatThrownBy(() -> new Anonymous(1).type())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bears no @RecordMessage.TypeId");
        assertThatThrownBy(() -> new Third<Answer>().responseType())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not name its response");
        assertThatThrownBy(() -> written(new Strange("x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no part of a message");
    }

    private byte[] written(Message message) {
        out.room(memory, BYTES, null);
        message.write(out);
        byte[] bytes = new byte[(int) (out.position() - memory)];
        NativeMemory.copyToArray(memory, bytes, 0, bytes.length);
        return bytes;
    }

    private <M extends Message> M read(MessageType<M> type, byte[] bytes) {
        NativeMemory.copyFromArray(bytes, 0, memory, bytes.length);
        in.start(memory, bytes.length);
        return type.reader().read(in);
    }
}
