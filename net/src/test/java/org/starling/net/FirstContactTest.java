package org.starling.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class FirstContactTest {

    @Test
    void carriesMessagesRequestsAndRawBlocksOverLoopback() throws Exception {
        long before = NativeMemory.reservedBytes();
        LoopbackHub hub = new LoopbackHub();
        CompletableFuture<Text> got = new CompletableFuture<>();
        CompletableFuture<Long> raw = new CompletableFuture<>();

        try (Network a = Network.open(1, Transports.loopback(hub), NetConfig.defaults());
                Network b = Network.open(2, Transports.loopback(hub), NetConfig.defaults())) {
            b.handle(Text.TYPE, Execution.INLINE, (source, m) -> got.complete(m));
            b.serve(Ask.TYPE, Execution.WORKER, (source, q) -> new Text(q.number() + 1, "from " + source));
            b.handleRaw(7, (source, address, bytes) -> raw.complete(NativeMemory.getLong(address)));
            a.send(2, new Text(5, "grüß"));
            Text answer = a.call(2, new Ask(41), Duration.ofSeconds(5));
            RawSender sender = a.raw(2);
            NativeMemory.putLong(sender.claim(7, 8), 99);
            sender.commit();

            assertThat(got.get(5, TimeUnit.SECONDS)).isEqualTo(new Text(5, "grüß"));
            assertThat(answer).isEqualTo(new Text(42, "from 1"));
            assertThat(raw.get(5, TimeUnit.SECONDS)).isEqualTo(99);
        }

        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }
}
