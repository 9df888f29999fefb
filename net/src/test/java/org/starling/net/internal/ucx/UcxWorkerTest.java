package org.starling.net.internal.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.net.NativeMemory;
import org.starling.net.NetException;
import org.starling.net.TransportUnavailableException;

/** The binding by itself: two workers in one process, moved on by hand. */
@Timeout(30)
class UcxWorkerTest {

    private static final UcxDevices LOOPBACK =
            UcxDevices.of("lo", null, UcxTls.of("tcp", null), null);

    private static final int DATA = 1;

    private final List<Long> headers = new ArrayList<>();
    private final List<Long> sizes = new ArrayList<>();

    @BeforeAll
    static void demandUcx() {
        boolean isThere;
        try {
            isThere = Ucp.load(Ucp.LIBRARY) != null;
        } catch (TransportUnavailableException e) {
            isThere = false;
        }
        assumeTrue(isThere, "UCX is not installed (package libucx0): not tested");
    }

    @ParameterizedTest
    @ValueSource(strings = {"posix", "tcp"})
    void carriesActiveMessagesOfAllSizesInOrder(String tls) {
        UcxWorker from = open(tls);
        UcxWorker to = open(tls);
        long data = NativeMemory.reserve(1 << 20);

        try {
            to.receive(DATA, this::note);
            long endpoint = from.connect(to.address(), false);
            long[] bytes = {0, 1, 8, 8_000, 8_192, 70_000, 1 << 20};
            for (int i = 0; i < bytes.length; i++) {
                NativeMemory.putLong(data, i);
                long request = from.send(endpoint, DATA, data, 8, data, bytes[i]);
                assertThat(UcxStatus.isFailure(request)).isFalse();
                if (request != 0) {
                    moveUntil(from, to, () -> from.status(request) != UcxStatus.IN_PROGRESS);
                    assertThat(from.status(request)).isEqualTo(UcxStatus.OK);
                    from.free(request);
                }
            }
            moveUntil(from, to, () -> sizes.size() == bytes.length);

            assertThat(headers).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L);
            assertThat(sizes).containsExactly(0L, 1L, 8L, 8_000L, 8_192L, 70_000L, 1L << 20);
        } finally {
            from.close();
            to.close();
            NativeMemory.release(data, 1 << 20);
        }
    }

    @Test
    void reachesItselfOverSelfAlone() {
        UcxWorker worker = open("self");
        long data = NativeMemory.reserve(64);

        try {
            worker.receive(DATA, this::note);
            long endpoint = worker.connect(worker.address(), true);
            NativeMemory.putLong(data, 42);
            assertThat(worker.send(endpoint, DATA, data, 8, data, 64)).isZero();
            moveUntil(worker, worker, () -> !headers.isEmpty());
            worker.disconnect(endpoint, false);
            moveUntil(worker, worker, () -> !worker.isClosing());

            assertThat(headers).containsExactly(42L);
        } finally {
            worker.close();
            NativeMemory.release(data, 64);
        }
    }

    @Test
    void saysWhenNoTransportReachesAnotherWorker() {
        UcxWorker one = open("self");
        UcxWorker other = open("self");

        try {
            assertThatThrownBy(() -> one.connect(other.address(), false))
                    .isInstanceOf(NetException.class)
                    .hasMessageContaining("UCX_TLS=self")
                    .hasMessageContaining("unreachable");
        } finally {
            one.close();
            other.close();
        }
    }

    @Test
    void sleepsUntilSignalledOrUntilAMessageComes() throws Exception {
        UcxWorker from = open("posix");
        UcxWorker to = open("posix");
        long data = NativeMemory.reserve(64);

        try {
            to.receive(DATA, this::note);
            long endpoint = from.connect(to.address(), false);
            from.send(endpoint, DATA, data, 8, data, 8);
            moveUntil(from, to, () -> headers.size() == 1);
            AtomicBoolean signalled = new AtomicBoolean();
            Thread signaller =
                    Thread.ofPlatform()
                            .start(() -> {
                                signalled.set(true);
                                to.signal();
                            });
            armAndSleep(to, signalled::get); // ends: the signal is kept
            signaller.join();
            from.send(endpoint, DATA, data, 8, data, 8);
            armAndSleep(to, () -> headers.size() == 2);

            assertThat(headers).hasSize(2);
        } finally {
            from.close();
            to.close();
            NativeMemory.release(data, 64);
        }
        to.signal(); // closed: does nothing
    }

    @Test
    void throwsWhatACallbackThrewOnTheThreadThatMovesIt() {
        UcxWorker worker = open("self");
        long data = NativeMemory.reserve(64);

        try {
            worker.receive(
                    DATA,
                    (header, headerBytes, at, bytes) -> {
                        throw new IllegalArgumentException("thrown in a callback");
                    });
            worker.send(worker.connect(worker.address(), true), DATA, data, 8, data, 8);

            assertThatThrownBy(() -> moveUntil(worker, worker, () -> false))
                    .hasRootCauseMessage("thrown in a callback");
        } finally {
            worker.close();
            NativeMemory.release(data, 64);
        }
    }

    @Test
    void refusesWithoutTheLibraryAndSaysWhatToDo() {
        assertThatThrownBy(() -> Ucp.load("libucp.so.does-not-exist"))
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageContaining("UCX 1.13 or newer")
                .hasMessageContaining("libucp.so.does-not-exist")
                .hasMessageContaining("LD_LIBRARY_PATH")
                .hasMessageContaining("cannot open shared object file")
                .hasMessageContaining("libucx0")
                .hasMessageContaining("\"transport\" to \"ethernet\"");
    }

    @Test
    void refusesALibraryThatIsNotUcx() {
        assertThatThrownBy(() -> Ucp.load("libc.so.6"))
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageContaining("libc.so.6 has no function ucp_get_version_string");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "rc,ud,self", "rc,posix", ""})
    void refusesWithoutAnAdapterInsteadOfTakingAnother(String tls) {
        assumeTrue(
                !Files.exists(Path.of("/sys/class/infiniband")),
                "this machine has an adapter: not tested");

        assertThatThrownBy(() -> open(UcxTls.of(tls, null)))
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageContaining("no \"rc\"")
                .hasMessageContaining("No such device")
                .hasMessageContaining("libucp.so.0")
                .hasMessageContaining("posix/memory")
                .hasMessageContaining("\"posix\"")
                .hasMessageContaining("\"tcp\"");
    }

    @Test
    void saysWhatItUsesAndWhereTheLibraryIs() {
        UcxWorker worker = open(UcxTls.of("posix,tcp", null), LOOPBACK);

        try {
            assertThat(worker.toString())
                    .matches(
                            "UCX 1\\.\\d+\\.\\d+ \\(/.*libucp\\.so\\.0.*\\) with UCX_TLS=posix,tcp,self on .*")
                    .contains("posix/memory", "tcp/lo", "self/memory")
                    .doesNotContain("tcp/eth0", "sysv");
        } finally {
            worker.close();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"posix,tcp | lo,bogus7", "tcp | bogus7", "posix | bogus7"})
    void refusesADeviceThatIsNotThereInsteadOfTakingAnother(String tls, String wanted) {
        UcxTls chosen = UcxTls.of(tls, null);
        UcxDevices devices = UcxDevices.of(wanted, null, chosen, null);

        assertThatThrownBy(() -> open(chosen, devices))
                .isInstanceOf(TransportUnavailableException.class)
                .hasMessageContaining("bogus7")
                .hasMessageContaining("tcp/lo");
    }

    @ParameterizedTest
    @CsvSource({
        "1.12.1, false",
        "2.0.0, false",
        "0.9, false",
        "1, false",
        "'', false",
        "1.13.0, true",
        "1.22.0-rc1, true"
    })
    void knowsWhichVersionsServe(String version, boolean serves) {
        UcxLibrary library = UcxLibrary.load("1.13", Ucp.LIBRARY);

        if (serves) {
            library.require(1, 13, version);
        } else {
            assertThatThrownBy(() -> library.require(1, 13, version))
                    .isInstanceOf(TransportUnavailableException.class)
                    .hasMessageContaining("needs UCX 1.13 or newer")
                    .hasMessageContaining("is UCX " + version);
        }
    }

    @Test
    void leavesTheSignalsOfTheVirtualMachineAlone() throws Exception {
        UcxWorker worker = open("posix");
        int caught = 0;
        for (int i = 0; i < 100_000; i++) { // compiled, this becomes a SIGSEGV that Java handles
            try {
                caught += first(i % 1_000 == 999 ? null : new int[1]);
            } catch (NullPointerException e) {
                caught++;
            }
        }

        assertThat(caught).isEqualTo(100);
        assertThat(Files.readString(Path.of("/proc/self/maps"))).contains("libucp");
        worker.close();
    }

    @SuppressWarnings("NullAway") // the point of it
    private static int first(int @Nullable [] array) {
        return array[0];
    }

    private static UcxWorker open(String tls) {
        return open(UcxTls.of(tls, null));
    }

    private static UcxWorker open(UcxTls tls) {
        return open(tls, UcxDevices.ALL);
    }

    private static UcxWorker open(UcxTls tls, UcxDevices devices) {
        return UcxWorker.open(Ucp.load(Ucp.LIBRARY), tls, devices, (endpoint, status) -> {});
    }

    private void note(long header, long headerBytes, long data, long bytes) {
        assertThat(headerBytes).isEqualTo(8);
        headers.add(NativeMemory.getLong(header));
        sizes.add(bytes);
    }

    private static void moveUntil(UcxWorker one, UcxWorker other, BooleanSupplier condition) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).isNegative();
            one.progress();
            other.progress();
        }
    }

    private static void armAndSleep(UcxWorker worker, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (worker.progress() == 0 && worker.arm()) {
                worker.await(10_000);
            }
        }
    }
}
