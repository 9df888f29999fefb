package org.starling.store.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

@Timeout(10)
final class MarkLayoutTest {
    private final long page = NativeMemory.reserve(MarkLayout.PAGE_BYTES);
    private final ByteBuffer view =
            NativeMemory.segment(page, MarkLayout.PAGE_BYTES).asByteBuffer();

    @AfterEach
    void release() {
        NativeMemory.release(page, MarkLayout.PAGE_BYTES);
    }

    private byte[] bytes(int at, int count) {
        byte[] bytes = new byte[count];
        NativeMemory.copyToArray(page + at, bytes, 0, count);
        return bytes;
    }

    @Test
    void hasTheBytesThatStandInItsDiagramTwice() {
        MarkLayout.write(page, view, 0x0102030405060708L, 9, 3, new MarkLayout.Mark(4, 50, 6, 70));

        byte[] mark = bytes(0, 64);
        assertThat(HexFormat.of().formatHex(mark))
                .startsWith("31534c4d")
                .endsWith(
                        "0807060504030201"
                                + "0900000000000000"
                                + "0300000001000000"
                                + "0400000000000000"
                                + "3200000000000000"
                                + "0600000000000000"
                                + "4600000000000000");
        assertThat(bytes(MarkLayout.COPY_AT, 64)).isEqualTo(mark);
    }

    @Test
    void readsTheOneThatIsWholeAndTheOneThatSaysMore() {
        MarkLayout.Mark older = new MarkLayout.Mark(1, 2, 3, 4);
        MarkLayout.Mark newer = new MarkLayout.Mark(3, 4, 5, 6);
        MarkLayout.write(page, view, 1, 2, 3, older);
        byte[] old = bytes(0, 64);
        MarkLayout.write(page, view, 1, 2, 3, newer);

        NativeMemory.copyFromArray(old, 0, page + MarkLayout.COPY_AT, old.length);
        assertThat(MarkLayout.read(page, view, 1, 2, 3)).isEqualTo(newer);

        NativeMemory.putByte(page + 40, (byte) 77);
        assertThat(MarkLayout.read(page, view, 1, 2, 3)).isEqualTo(older);

        NativeMemory.putByte(page + MarkLayout.COPY_AT + 40, (byte) 77);
        assertThat(MarkLayout.read(page, view, 1, 2, 3)).isNull();
    }

    @Test
    void isNoMarkOfAnotherLogZoneOrFile() {
        MarkLayout.write(page, view, 1, 2, 3, new MarkLayout.Mark(1, 2, 3, 4));

        assertThat(MarkLayout.read(page, view, 9, 2, 3)).isNull();
        assertThat(MarkLayout.read(page, view, 1, 9, 3)).isNull();
        assertThat(MarkLayout.read(page, view, 1, 2, 9)).isNull();
    }
}
