package org.starling.net.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.net.NativeMemory;

/** Each type of field, cut short, at its borders, and forged. */
@Timeout(20)
class MalformedInputTest {

    private static final int ROOM_BYTES = 64 << 10;

    private final NativeExporter exporter = new NativeExporter();
    private final NativeImporter importer = new NativeImporter();
    private final CountingExporter counter = new CountingExporter();
    private long reservedBefore;
    private long room;

    /** A field of each type, as it is written and read. */
    @SuppressWarnings("ImmutableEnumChecker") // its functions hold nothing
    enum Field {
        BOOLEAN(out -> out.writeBoolean(true), Importer::readBoolean),
        BYTE(out -> out.writeByte((byte) 1), Importer::readByte),
        INT(out -> out.writeInt(0x1020304), Importer::readInt),
        LONG(out -> out.writeLong(0x102030405060708L), Importer::readLong),
        DOUBLE(out -> out.writeDouble(1.5), Importer::readDouble),
        COMPACT_INT(out -> out.writeCompactInt(-1), Importer::readCompactInt),
        STRING(out -> out.writeString("grüß"), Importer::readString),
        BYTES(out -> out.writeBytes(new byte[5]), Importer::readBytes),
        INTS(out -> out.writeInts(new int[5]), Importer::readInts),
        LONGS(out -> out.writeLongs(new long[5]), Importer::readLongs);

        private final Consumer<Exporter> write;
        private final Consumer<Importer> read;

        Field(Consumer<Exporter> write, Consumer<Importer> read) {
            this.write = write;
            this.read = read;
        }
    }

    @BeforeEach
    void reserve() {
        reservedBefore = NativeMemory.reservedBytes();
        room = NativeMemory.reserve(ROOM_BYTES);
        exporter.room(room, ROOM_BYTES, null);
    }

    @AfterEach
    void release() {
        NativeMemory.release(room, ROOM_BYTES);
        assertThat(NativeMemory.reservedBytes()).isEqualTo(reservedBefore);
    }

    @ParameterizedTest
    @EnumSource
    void refusesAFieldThatIsCutAnywhere(Field field) {
        field.write.accept(exporter);
        int bytes = written();

        for (int cut = 0; cut < bytes; cut++) {
            importer.start(room, cut);
            assertThatThrownBy(() -> field.read.accept(importer))
                    .as("%d of %d bytes", cut, bytes)
                    .isInstanceOf(MalformedMessageException.class);
        }
        importer.start(room, bytes);
        field.read.accept(importer);
        assertThat(importer.remaining()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void readsNothingAfterItsEnd(Field field) {
        field.write.accept(exporter);
        importer.start(room, written());

        importer.end();

        assertThat(importer.remaining()).isZero();
        assertThatThrownBy(() -> field.read.accept(importer))
                .isInstanceOf(MalformedMessageException.class);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"STRING", "BYTES", "INTS", "LONGS"},
            mode = EnumSource.Mode.INCLUDE)
    void refusesArraysOneElementLongerThanTheRest(Field field) {
        field.write.accept(exporter);
        NativeMemory.putByte(room, (byte) (NativeMemory.getByte(room) + 1));

        importer.start(room, written());

        assertThatThrownBy(() -> field.read.accept(importer))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("does not fit");
    }

    /** 2^29 longs are 2^32 bytes, which an int would take for none. */
    @ParameterizedTest
    @ValueSource(ints = {1 << 28, 1 << 29, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE, -1})
    void refusesLengthsWhoseBytesOverflow(int elements) {
        exporter.writeCompactInt(elements);
        exporter.writeLong(0);
        int bytes = written();

        for (Field field : new Field[] {Field.INTS, Field.LONGS, Field.STRING}) {
            importer.start(room, bytes);
            assertThatThrownBy(() -> field.read.accept(importer))
                    .as("%s", field)
                    .isInstanceOf(MalformedMessageException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "127, 1",
        "128, 2",
        "16383, 2",
        "16384, 3",
        "2097151, 3",
        "2097152, 4",
        "268435455, 4",
        "268435456, 5",
        "2147483647, 5",
        "-1, 5",
        "-2147483648, 5"
    })
    void writesCompactIntsInAsFewBytesAsTheyNeed(int value, int bytes) {
        counter.writeCompactInt(value);
        exporter.writeCompactInt(value);

        assertThat(written()).isEqualTo(bytes);
        assertThat(counter.bytes()).isEqualTo(bytes);
        importer.start(room, bytes);
        assertThat(importer.readCompactInt()).isEqualTo(value);
    }

    @Test
    void refusesCompactIntsOfMoreThan32Bits() {
        bytes("ffffffff1f"); // 33 bits

        assertThatThrownBy(importer::readCompactInt)
                .isInstanceOf(MalformedMessageException.class)
                .hasMessageContaining("32 bits");
    }

    @Test
    void refusesCompactNumbersOfTooManyBytes() {
        bytes("808080808000");
        assertThatThrownBy(importer::readCompactInt).hasMessageContaining("does not end");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "\u007f",
                "\u0080",
                "\u07ff",
                "\u0800",
                "\ud7ff",
                "\ue000",
                "\uffff",
                "\ud800\udc00",
                "\udbff\udfff",
                "a\u00e9\u6f22\ud83d\ude00z",
                "\u0000"
            })
    void carriesStringsAtTheBordersOfUtf8(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);

        counter.writeString(text);
        exporter.writeString(text);

        assertThat(Utf8.bytes(text)).isEqualTo(utf8.length);
        assertThat(counter.bytes()).isEqualTo(1 + utf8.length);
        importer.start(room, written());
        assertThat(importer.readString()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\ud800", "\udc00", "x\udbff", "\udfffx", "\ud800\ud800", "\udc00\ud800"})
    void countsUnpairedSurrogatesAsTheQuestionMarksThatAreWritten(String text) {
        String expected = text.replaceAll("[\ud800-\udfff]", "?");

        counter.writeString(text);
        exporter.writeString(text);

        assertThat(written()).isEqualTo((int) counter.bytes());
        importer.start(room, written());
        assertThat(importer.readString()).isEqualTo(expected);
    }

    /** They become replacement characters: text may be damaged, but never the fields after it. */
    @ParameterizedTest
    @ValueSource(strings = {"80", "c080", "e28228", "f0288cbc", "eda080", "ff", "c3"})
    void survivesStringsThatAreNoUtf8AndReadsOnBehindThem(String hex) {
        int count = hex.length() / 2;
        bytes("%02x".formatted(count) + hex + "2a");

        assertThat(importer.readString()).contains("\ufffd");
        assertThat(importer.readByte()).isEqualTo((byte) 42);
        assertThat(importer.remaining()).isZero();
    }

    @Test
    void keepsTheBitsOfNumbersThatAreNone() {
        long strangeDouble = 0xFFF8_0000_DEAD_BEEFL;
        exporter.writeDouble(Double.longBitsToDouble(strangeDouble));
        exporter.writeDouble(-0.0);
        importer.start(room, written());

        assertThat(Double.doubleToRawLongBits(importer.readDouble())).isEqualTo(strangeDouble);
        assertThat(Double.doubleToRawLongBits(importer.readDouble())).isEqualTo(1L << 63);
    }

    @Test
    void cutsTheTextOfAFailureBeforeItTravels() {
        Failure failure = Failure.of(new IllegalStateException("x".repeat(5_000)));

        failure.write(exporter);
        importer.start(room, written());
        Failure read = Failure.read(importer);

        assertThat(read.kind()).isEqualTo("IllegalStateException");
        assertThat(read.text()).isEqualTo("x".repeat(Failure.MAX_TEXT_CHARS));
        assertThat(Failure.of(new IllegalStateException()).text()).isEqualTo("null");
    }

    private int written() {
        return (int) (exporter.position() - room);
    }

    /** Puts bytes where the importer reads. */
    private void bytes(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        NativeMemory.copyFromArray(bytes, 0, room, bytes.length);
        importer.start(room, bytes.length);
    }
}
