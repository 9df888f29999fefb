package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/** Whatever is exported is imported again, wherever the room is cut. */
@Timeout(30)
class ExportersTest {

    private static final int ROOM_BYTES = 1 << 20;

    /** One field: how to write it, and how to check it. */
    private record Field(Consumer<Exporter> write, Consumer<Importer> check) {}

    private final CountingExporter counter = new CountingExporter();
    private final NativeExporter exporter = new NativeExporter();
    private final NativeImporter importer = new NativeImporter();
    private long reservedBefore;
    private long room;

    @BeforeEach
    void reserve() {
        reservedBefore = NativeMemory.reservedBytes();
        room = NativeMemory.reserve(ROOM_BYTES);
    }

    @AfterEach
    void release() {
        NativeMemory.release(room, ROOM_BYTES);
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @Test
    void importsWhatWasExportedAndCountsItRight() {
        for (long seed = 1; seed <= 300; seed++) {
            List<Field> fields = fields(new Random(seed));
            counter.reset();
            fields.forEach(field -> field.write.accept(counter));

            exporter.room(room, ROOM_BYTES, null);
            fields.forEach(field -> field.write.accept(exporter));

            assertThat(exporter.position() - room).as("seed %d", seed).isEqualTo(counter.bytes());
            importer.start(room, (int) counter.bytes());
            fields.forEach(field -> field.check.accept(importer));
            assertThat(importer.remaining()).as("seed %d", seed).isZero();
        }
    }

    @Test
    void writesTheSameBytesHoweverItsRoomIsCut() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            List<Field> fields = fields(random);
            long[] at = {room};
            NativeExporter.Continuation[] more = new NativeExporter.Continuation[1];
            more[0] =
                    cut -> {
                        at[0] = cut.position();
                        cut.room(at[0], 1 + random.nextInt(20), more[0]);
                    };

            exporter.room(room, 1 + random.nextInt(20), more[0]);
            fields.forEach(field -> field.write.accept(exporter));

            int bytes = (int) (exporter.position() - room);
            importer.start(room, bytes);
            fields.forEach(field -> field.check.accept(importer));
            assertThat(importer.remaining()).as("seed %d", seed).isZero();
        }
    }

    @Test
    void neverReadsPastTheEndWhereverAMessageIsCutShort() {
        for (long seed = 1; seed <= 100; seed++) {
            Random random = new Random(seed);
            List<Field> fields = fields(random);
            exporter.room(room, ROOM_BYTES, null);
            fields.forEach(field -> field.write.accept(exporter));
            int bytes = (int) (exporter.position() - room);

            importer.start(room, random.nextInt(bytes));

            assertThatThrownBy(() -> fields.forEach(field -> field.check.accept(importer)))
                    .as("seed %d", seed)
                    .isInstanceOf(MalformedMessageException.class);
        }
    }

    @Test
    void refusesAnArrayLongerThanTheRestBeforeAllocatingIt() {
        exporter.room(room, ROOM_BYTES, null);
        exporter.writeCompactInt(Integer.MAX_VALUE);
        exporter.writeInt(1);
        long allocatedBefore = allocatedBytes();

        for (Consumer<Importer> read :
                List.<Consumer<Importer>>of(
                        Importer::readBytes,
                        Importer::readInts,
                        Importer::readLongs,
                        Importer::readString)) {
            importer.start(room, 9);
            assertThatThrownBy(() -> read.accept(importer))
                    .isInstanceOf(MalformedMessageException.class)
                    .hasMessageContaining("2147483647 elements");
        }

        assertThat(allocatedBytes() - allocatedBefore).isLessThan(64 << 20);
    }

    @Test
    void refusesNegativeLengthsAndNumbersThatDoNotEnd() {
        exporter.room(room, ROOM_BYTES, null);
        exporter.writeCompactInt(-1);
        importer.start(room, 5);
        assertThatThrownBy(importer::readBytes).isInstanceOf(MalformedMessageException.class);

        NativeMemory.fill(room, 16, (byte) 0xFF);
        importer.start(room, 16);
        assertThatThrownBy(importer::readCompactInt).hasMessageContaining("does not end");
    }

    @Test
    void refusesBooleansOtherThan0And1() {
        NativeMemory.putByte(room, (byte) 2);
        importer.start(room, 1);

        assertThatThrownBy(importer::readBoolean).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void writesCompactNumbersInTheBytesThatAreDocumented() {
        exporter.room(room, ROOM_BYTES, null);
        exporter.writeCompactInt(127);
        exporter.writeCompactInt(300);
        exporter.writeCompactInt(-1);

        byte[] bytes = new byte[(int) (exporter.position() - room)];
        NativeMemory.copyToArray(room, bytes, 0, bytes.length);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo("7f" + "ac02" + "ffffffff0f");
    }

    @Test
    void turnsUnpairedSurrogatesIntoQuestionMarks() {
        String text = "a\uD800b\uDC00\uD83D\uDE00é漢";
        counter.reset();
        counter.writeString(text);
        exporter.room(room, ROOM_BYTES, null);
        exporter.writeString(text);

        assertThat(exporter.position() - room).isEqualTo(counter.bytes());
        importer.start(room, (int) counter.bytes());
        assertThat(importer.readString()).isEqualTo("a?b?\uD83D\uDE00é漢");
    }

    @Test
    void refusesAMessageThatWritesMoreThanItsRoom() {
        exporter.room(room, 4, null);
        exporter.writeInt(1);

        assertThatThrownBy(() -> exporter.writeByte((byte) 1)).hasMessageContaining("must be pure");
    }

    private static List<Field> fields(Random random) {
        List<Field> fields = new ArrayList<>();
        int count = 1 + random.nextInt(30);
        for (int i = 0; i < count; i++) {
            fields.add(random.nextBoolean() ? number(random) : array(random));
        }
        return fields;
    }

    private static Field number(Random random) {
        long value = random.nextLong() >> random.nextInt(64);
        return switch (random.nextInt(9)) {
            case 0 ->
                    new Field(
                            out -> out.writeBoolean(value > 0),
                            in -> assertThat(in.readBoolean()).isEqualTo(value > 0));
            case 1 ->
                    new Field(
                            out -> out.writeByte((byte) value),
                            in -> assertThat(in.readByte()).isEqualTo((byte) value));
            case 3 ->
                    new Field(
                            out -> out.writeInt((int) value),
                            in -> assertThat(in.readInt()).isEqualTo((int) value));
            case 4 ->
                    new Field(
                            out -> out.writeLong(value),
                            in -> assertThat(in.readLong()).isEqualTo(value));
            case 6 ->
                    new Field(
                            out -> out.writeDouble((double) value),
                            in -> assertThat(in.readDouble()).isEqualTo((double) value));
            default ->
                    new Field(
                            out -> out.writeCompactInt((int) value),
                            in -> assertThat(in.readCompactInt()).isEqualTo((int) value));
        };
    }

    private static Field array(Random random) {
        int length = random.nextInt(random.nextBoolean() ? 8 : 400);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return switch (random.nextInt(4)) {
            case 0 ->
                    new Field(
                            out -> out.writeBytes(bytes),
                            in -> assertThat(in.readBytes()).isEqualTo(bytes));
            case 1 -> {
                int[] ints = random.ints(length).toArray();
                yield new Field(
                        out -> out.writeInts(ints),
                        in -> assertThat(in.readInts()).isEqualTo(ints));
            }
            case 2 -> {
                long[] longs = random.longs(length).toArray();
                yield new Field(
                        out -> out.writeLongs(longs),
                        in -> assertThat(in.readLongs()).isEqualTo(longs));
            }
            default -> {
                String text =
                        random.ints(length, 32, random.nextBoolean() ? 127 : 0xD7FF)
                                .collect(
                                        StringBuilder::new,
                                        StringBuilder::appendCodePoint,
                                        StringBuilder::append)
                                .toString();
                yield new Field(
                        out -> out.writeString(text),
                        in -> assertThat(in.readString()).isEqualTo(text));
            }
        };
    }

    private static long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return threads.getCurrentThreadAllocatedBytes();
    }
}
