package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.Execution;
import org.starling.net.LoopbackHub;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Transports;

@Timeout(10)
class ReplicaMessageTest {
    private static final byte[] BYTES = {1, 2, 3};

    private static final List<ReplicaMessage> ALL =
            List.of(
                    new ReplicaMessage.Append(1L << 40, 2, 3, 4, BYTES),
                    new ReplicaMessage.Backup(ReplicaMessage.Status.GAP, 5, 6, 7, 8, 9, true),
                    new ReplicaMessage.Force(1, 2, 3),
                    new ReplicaMessage.Fence(1, 2),
                    new ReplicaMessage.Tail(1, 2, 3),
                    new ReplicaMessage.TailPart(1, 2, BYTES),
                    new ReplicaMessage.CopyStart(1, 2, 3, 4),
                    new ReplicaMessage.CopyPart(1, 2, 3, 4, BYTES),
                    new ReplicaMessage.CopyEnd(1, 2, 3),
                    new ReplicaMessage.Prepare(1, 2),
                    new ReplicaMessage.Dump(1, 2),
                    new ReplicaMessage.DumpPart(1, 2, BYTES));

    @Test
    void messagesArriveAsTheyWereSent() throws Exception {
        LoopbackHub hub = new LoopbackHub();
        try (Network sender = Network.open(1, Transports.loopback(hub), NetConfig.defaults());
                Network receiver =
                        Network.open(2, Transports.loopback(hub), NetConfig.defaults())) {
            for (ReplicaMessage message : ALL) {
                CompletableFuture<Message> arrived = new CompletableFuture<>();
                receiver.handle(
                        message.type(), Execution.INLINE, (source, m) -> arrived.complete(m));

                sender.send(2, message);

                assertThat(arrived.get(5, TimeUnit.SECONDS))
                        .usingRecursiveComparison()
                        .isEqualTo(message);
            }
        }
    }

    @Test
    void typeIdsDifferAndAreThoseOfReplication() {
        Set<Integer> ids = new HashSet<>();

        for (ReplicaMessage message : ALL) {
            MessageType<?> type = message.type();
            assertThat(ids.add(type.id())).as(type.toString()).isTrue();
            assertThat(type.id()).isBetween(1100, 1149);
        }
        assertThat(ids).hasSize(ReplicaMessage.class.getPermittedSubclasses().length + 6);
    }
}
