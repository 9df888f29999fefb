package org.starling.store.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.registerName;
import static org.starling.store.internal.directory.Commands.registerNode;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.net.LoopbackHub;
import org.starling.net.Message;
import org.starling.net.NetConfig;
import org.starling.net.Network;
import org.starling.net.Request;
import org.starling.net.Transports;
import org.starling.store.ChunkId;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.StoreConfig;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.InMemoryDirectory;
import org.starling.store.internal.directory.Result;

/** What a superpeer takes from whoever asks. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class DirectoryServerTest {
    private static final int SUPERPEER = 0;
    private static final int MEMBER = 5;

    private final LoopbackHub hub = new LoopbackHub();
    private final AddressTable addresses = new AddressTable();

    private final MemberWatch watch = new MemberWatch(StoreConfig.defaults(), System::nanoTime);

    private NodeMessage.Joined join(int source) throws InterruptedException {
        try (InMemoryDirectory directory = new InMemoryDirectory()) {
            return ask(
                    directory,
                    source,
                    new NodeMessage.Join(1, "10.1.2.3", 99, new byte[] {1, 2, 3}));
        }
    }

    private <R extends Message> R ask(DirectoryReplica directory, int source, Request<R> question)
            throws InterruptedException {
        try (Network superpeer = network(SUPERPEER);
                Network asker = network(source)) {
            new DirectoryServer(
                            SUPERPEER,
                            directory,
                            watch,
                            new LossBook(() -> 0),
                            addresses,
                            () -> true,
                            3)
                    .register(superpeer);
            return asker.call(SUPERPEER, question);
        }
    }

    private String addressOf(int node) {
        InetSocketAddress address = Objects.requireNonNull(addresses.addressOf(node));
        return address.getHostString() + ":" + address.getPort();
    }

    private Network network(int node) {
        return Network.open(node, Transports.loopback(hub), NetConfig.defaults());
    }

    @Test
    void leavesTheAddressOfAMemberAloneWhoeverClaimsToBeIt() throws InterruptedException {
        addresses.put(MEMBER, 0, "127.0.0.1", 7_000);

        assertThat(join(MEMBER).refusal()).contains("borrowed id");

        assertThat(addressOf(MEMBER)).isEqualTo("127.0.0.1:7000");
    }

    @Test
    void answersABorrowedIdWhereItListens() throws InterruptedException {
        int borrowed = Directory.MAX_MEMBER + 7;

        assertThat(join(borrowed).refusal()).contains("registration cannot be read");

        assertThat(addressOf(borrowed)).isEqualTo("10.1.2.3:99");
    }

    @Test
    void notesWhoLeavesInOrder() throws InterruptedException {
        try (InMemoryDirectory directory = new InMemoryDirectory()) {
            directory.apply(new Command.FoundCluster(5, 1)).join();
            int leaver = register(directory);
            int other = register(directory);

            ask(directory, other, removalOf(leaver));
            assertThat(watch.haveLeft(List.of(leaver))).as("others cannot say so").isFalse();
            ask(directory, leaver, removalOf(leaver));

            assertThat(watch.haveLeft(List.of(leaver))).isTrue();
            assertThat(watch.haveLeft(List.of(leaver, other))).isFalse();
            boolean isMember = directory.read(all -> all.isMember(leaver));
            assertThat(isMember).isFalse();
        }
    }

    @Test
    void letsAPeerTellOfItselfAloneThatItIsAboutToLeave() throws InterruptedException {
        try (InMemoryDirectory directory = new InMemoryDirectory()) {
            directory.apply(new Command.FoundCluster(5, 1)).join();
            int leaver = register(directory);
            int other = register(directory);
            NodeMessage.Ask farewell =
                    new NodeMessage.Ask(DirectoryQuery.Apply.of(new Command.NoteLeaving(leaver)));

            ask(directory, other, farewell);
            boolean early = directory.read(all -> all.isLeaving(leaver));
            ask(directory, leaver, farewell);

            assertThat(early).isFalse();
            boolean leaves = directory.read(all -> all.isLeaving(leaver));
            assertThat(leaves).isTrue();
        }
    }

    /**
     * One that has been cut off for a moment does not know what its successor's owners have opened.
     */
    @Test
    void saysThatThereIsNoneOnlyWhenItIsSureThatItLeads() throws InterruptedException {
        long zone = ChunkId.zoneOf(MEMBER, 0);
        List<NodeMessage.Ask> questions =
                List.of(
                        new NodeMessage.Ask(new DirectoryQuery.ZoneOf(zone)),
                        new NodeMessage.Ask(new DirectoryQuery.ZonesOf(MEMBER)),
                        new NodeMessage.Ask(new DirectoryQuery.Lookup("g")),
                        new NodeMessage.Ask(new DirectoryQuery.JobOf(7)),
                        new NodeMessage.Ask(new DirectoryQuery.ListNames("")),
                        new NodeMessage.Ask(new DirectoryQuery.Jobs()));
        try (Succeeded directory = new Succeeded()) {
            for (NodeMessage.Ask question : questions) {
                directory.leads = false;
                assertThat(ask(directory, MEMBER, question).reply()).as("%s", question).isNull();
                directory.leads = true;
                assertThat(ask(directory, MEMBER, question).reply()).as("%s", question).isNotNull();
            }
            directory.leads = false;
            assertThat(ask(directory, MEMBER, new NodeMessage.Ask(new DirectoryQuery.Grants())))
                    .extracting(NodeMessage.Answer::reply)
                    .isNotNull();
        }
    }

    @Test
    void saysWhatANameMeansOnlyWhenItIsSureThatItLeads() throws InterruptedException {
        try (Succeeded directory = new Succeeded()) {
            directory.isBehind = true;
            directory.before.apply(new Command.FoundCluster(5, 1)).join();
            directory.before.apply(registerName("g", 16)).join();
            directory.apply(new Command.FoundCluster(5, 1)).join();
            directory.apply(registerName("g", 17)).join();

            NodeMessage.Answer answer =
                    ask(directory, MEMBER, new NodeMessage.Ask(new DirectoryQuery.Lookup("g")));

            assertThat(answer.reply()).isNull();
        }
    }

    /** Who hears that gives the chunks up. */
    @Test
    void saysThatAZoneIsLostOnlyWhenItIsSureThatItLeads() throws InterruptedException {
        try (Succeeded directory = new Succeeded()) {
            directory.apply(new Command.FoundCluster(5, 1)).join();
            int owner = register(directory);
            int backup = register(directory);
            long zone = ChunkId.zoneOf(owner, 0);
            NodeMessage.Ask question = new NodeMessage.Ask(new DirectoryQuery.ZoneOf(zone));
            directory.apply(new Command.OpenZone(zone, owner, 1, true)).join();
            NodeMessage.Answer owned = ask(directory, MEMBER, question);
            directory.apply(new Command.RemoveNode(owner)).join();
            directory.apply(new Command.RemoveNode(backup)).join();

            assertThat(owned.reply()).as("an owner says so itself").isNotNull();
            assertThat(ask(directory, MEMBER, question).reply()).isNull();
        }
    }

    @Test
    void namesAnotherWhereItCannotMakeSureThatItLeads() throws InterruptedException {
        try (Succeeded directory = new Succeeded()) {
            directory.fails = true;

            NodeMessage.Answer answer =
                    ask(directory, MEMBER, new NodeMessage.Ask(new DirectoryQuery.Lookup("g")));

            assertThat(answer.reply()).isNull();
        }
    }

    /** What it hears of while it makes sure counts. */
    @Test
    void looksAgainWhenItHasMadeSureThatItLeads() throws InterruptedException {
        try (Succeeded directory = new Succeeded()) {
            directory.leads = true;
            directory.isBehind = true;
            directory.apply(new Command.FoundCluster(5, 1)).join();
            directory.apply(registerName("g", 17)).join();

            NodeMessage.Answer answer =
                    ask(directory, MEMBER, new NodeMessage.Ask(new DirectoryQuery.Lookup("g")));

            assertThat(answer.reply()).isEqualTo(new DirectoryReply.LookedUp(17L));
        }
    }

    /** One of several, which may have a successor. */
    private static final class Succeeded extends InterposedDirectory {
        private final InMemoryDirectory before = new InMemoryDirectory();
        private volatile boolean leads;
        private volatile boolean fails;

        /** Until it makes sure that it leads. */
        private volatile boolean isBehind;

        @Override
        public <T> T read(Function<Directory, T> query) {
            return (isBehind ? before : directory).read(query);
        }

        @Override
        public boolean isAlone() {
            return false;
        }

        @Override
        public boolean confirmLeadership(Duration patience) {
            if (fails) {
                throw new IllegalStateException("on purpose");
            }
            isBehind = false;
            return leads;
        }

        @Override
        public void close() {
            before.close();
            super.close();
        }
    }

    private static int register(DirectoryReplica directory) {
        Command command = registerNode(Role.PEER, "", 0, 1, NodeOptions.STORES);
        return ((Result.NodeRegistered) directory.apply(command).join()).node();
    }

    private static NodeMessage.Ask removalOf(int node) {
        return new NodeMessage.Ask(DirectoryQuery.Apply.of(new Command.RemoveNode(node)));
    }
}
