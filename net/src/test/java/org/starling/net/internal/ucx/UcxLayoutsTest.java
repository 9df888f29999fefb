package org.starling.net.internal.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.NativeMemory;

/**
 * Pins offsets, masks and flags to those of the C headers of UCX 1.13.1, as {@code offsetof} and
 * {@code sizeof} give them.
 */
@Timeout(10)
class UcxLayoutsTest {

    private static final int ROOM = 256;

    private final long address = NativeMemory.reserve(ROOM);

    UcxLayoutsTest() {
        NativeMemory.fill(address, ROOM, (byte) 0x55); // what C would take for settings
    }

    @AfterEach
    void release() {
        NativeMemory.release(address, ROOM);
    }

    @Test
    void contextParamsAskForActiveMessagesAndWakeup() {
        ContextParamsLayout.write(address);

        assertThat(ContextParamsLayout.BYTES).isEqualTo(80);
        assertThat(bytes(0, 16)).isEqualTo("0100000000000000" + "5000000000000000");
        assertThat(bytes(16, 80)).containsOnlyOnce("00".repeat(64));
    }

    @Test
    void workerParamsAskForOneThreadAtATime() {
        WorkerParamsLayout.write(address);

        assertThat(WorkerParamsLayout.BYTES).isEqualTo(200);
        assertThat(bytes(0, 12)).isEqualTo("0100000000000000" + "01000000");
        assertThat(bytes(12, 200)).isEqualTo("00".repeat(188));
    }

    @Test
    void endpointParamsNameAddressPeerErrorsAndCallback() {
        EndpointParamsLayout.write(address, 0x1122334455667788L, 0x0102030405060708L);

        assertThat(EndpointParamsLayout.BYTES).isEqualTo(104);
        assertThat(bytes(0, 24))
                .isEqualTo("0700000000000000" + "8877665544332211" + "0100000000000000");
        assertThat(bytes(24, 40)).isEqualTo("0807060504030201" + "0000000000000000");
        assertThat(bytes(40, 104)).isEqualTo("00".repeat(64));
    }

    @Test
    void endpointParamsToSelfNameTheAddressAlone() {
        EndpointParamsLayout.writeToSelf(address, 7);

        assertThat(bytes(0, 16)).isEqualTo("0100000000000000" + "0700000000000000");
        assertThat(bytes(16, 104)).isEqualTo("00".repeat(88));
    }

    @Test
    void sendParamsForbidRendezvousAndNameHostMemory() {
        RequestParamsLayout.writeSend(address);

        assertThat(RequestParamsLayout.BYTES).isEqualTo(72);
        assertThat(bytes(0, 8)).isEqualTo("50000000" + "02000000");
        assertThat(bytes(8, 72)).isEqualTo("00".repeat(64));
    }

    @Test
    void closeParamsTellForceFromFlush() {
        RequestParamsLayout.writeClose(address, true);
        assertThat(bytes(0, 8)).isEqualTo("10000000" + "01000000");

        RequestParamsLayout.writeClose(address, false);
        assertThat(bytes(0, 8)).isEqualTo("10000000" + "00000000");
    }

    @Test
    void messageHandlerNamesIdWholeMessagesAndCallback() {
        MessageHandlerLayout.write(address, 2, 0x1122334455667788L);

        assertThat(MessageHandlerLayout.BYTES).isEqualTo(32);
        assertThat(bytes(0, 32))
                .isEqualTo(
                        "0f00000000000000"
                                + "02000000"
                                + "01000000"
                                + "8877665544332211"
                                + "0000000000000000");
    }

    @Test
    void statusPointersAreNothingAFailureOrARequest() {
        assertThat(UcxStatus.isFailure(0)).isFalse();
        assertThat(UcxStatus.isFailure(-1)).isTrue();
        assertThat(UcxStatus.isFailure(-100)).isTrue();
        assertThat(UcxStatus.isFailure(-101)).isFalse();
        assertThat(UcxStatus.isFailure(0x7F00_0000_1000L)).isFalse();
    }

    private String bytes(int from, int to) {
        byte[] bytes = new byte[to - from];
        NativeMemory.copyToArray(address + from, bytes, 0, bytes.length);
        return HexFormat.of().formatHex(bytes);
    }
}
