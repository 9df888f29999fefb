package org.starling.store.internal.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.starling.net.Execution;
import org.starling.net.Network;
import org.starling.net.Responder;
import org.starling.store.AbsentSuperpeer;
import org.starling.store.ClusterStatus;
import org.starling.store.NodeInfo;
import org.starling.store.StoreException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;
import org.starling.store.internal.directory.Directory;
import org.starling.store.internal.directory.DirectoryReplica;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.SuperpeerInfo;
import org.starling.store.internal.directory.ZoneInfo;
import org.starling.store.internal.node.NodeMessage.Answer;
import org.starling.store.internal.node.NodeMessage.Ask;
import org.starling.store.internal.node.NodeMessage.Join;
import org.starling.store.internal.node.NodeMessage.Joined;

/**
 * Answers what nodes ask of the directory, if this superpeer leads, and else names who may. Runs on
 * workers of the superpeer's network; commands are answered when they cannot be forgotten any more,
 * without a thread waiting for that. What names mean, what jobs are at, which names, jobs and zones
 * there are, and that a zone is not there or is lost, is said only when a majority has confirmed
 * that this superpeer leads still: one that has been cut off for a moment does not know what has
 * come since. Only what a node may change comes through: who is a member, who owns what and who is
 * master is for superpeers to decide.
 */
final class DirectoryServer {
    private static final Logger LOG = LogManager.getLogger(DirectoryServer.class);

    private final int self;
    private final DirectoryReplica replica;
    private final MemberWatch watch;
    private final LossBook losses;
    private final AddressTable addresses;

    /** Whether this superpeer has made sure not long ago that it leads. */
    private final BooleanSupplier isConfirmed;

    private final int replicationFactor;

    DirectoryServer(
            int self,
            DirectoryReplica replica,
            MemberWatch watch,
            LossBook losses,
            AddressTable addresses,
            BooleanSupplier isConfirmed,
            int replicationFactor) {
        this.self = self;
        this.replica = replica;
        this.watch = watch;
        this.losses = losses;
        this.addresses = addresses;
        this.isConfirmed = isConfirmed;
        this.replicationFactor = replicationFactor;
    }

    void register(Network network) {
        network.serveAsync(
                NodeMessage.JOIN,
                Execution.WORKER,
                (source, join, responder) ->
                        join(source, network.mayBe(source, 0), join, responder));
        network.serveAsync(NodeMessage.ASK, Execution.WORKER, this::ask);
    }

    // joining

    private void join(int source, boolean mayBeSuperpeer, Join join, Responder<Joined> responder) {
        if (source <= Directory.MAX_MEMBER) { // the address of a member is not the asker's to say
            String reason = "a node joins with a borrowed id above " + Directory.MAX_MEMBER;
            responder.respond(refused(join.nonce(), reason, self));
            return;
        }
        addresses.put(source, 0, join.replyHost(), join.replyPort());
        if (!isConfirmed.getAsBoolean()) {
            responder.respond(refused(join.nonce(), "", replica.leader()));
            return;
        }
        String refusal = "";
        Command command = null;
        try {
            command = CommandLayout.read(join.command());
        } catch (IllegalArgumentException e) {
            refusal = "registration cannot be read: " + e.getMessage();
        }
        if (command instanceof Command.AddSuperpeer && !replica.takesOthers()) {
            refusal =
                    "the superpeer keeps nothing on disk, so no other can be added to it; start it"
                            + " with a data directory";
        }
        if (command instanceof Command.AddSuperpeer && !mayBeSuperpeer) {
            refusal =
                    "its certificate is that of a peer; a superpeer's is for node id 0, too (starling"
                            + " keys issue without --nodes)";
        }
        boolean joins =
                command instanceof Command.RegisterNode || command instanceof Command.AddSuperpeer;
        if (command == null || !joins || !refusal.isEmpty()) {
            String reason = refusal.isEmpty() ? "a join carries a registration" : refusal;
            responder.respond(refused(join.nonce(), reason, self));
            return;
        }
        Command registration = command;
        CompletableFuture<Result> _ =
                replica.apply(registration)
                        .whenComplete((result, failure) -> {
                            if (failure != null) {
                                responder.respond(refused(join.nonce(), "", replica.leader()));
                            } else if (registration instanceof Command.RegisterNode peer) {
                                responder.respond(joined(join.nonce(), peer, result));
                            } else {
                                responder.respond(taken(join.nonce(), result));
                            }
                        });
    }

    private Joined refused(long nonce, String reason, int leader) {
        return Joined.refused(nonce, reason, leader, replica.read(Directory::superpeers));
    }

    /** A superpeer has its id, and goes on by itself (docs/design/directory.md). */
    private Joined taken(long nonce, Result result) {
        return switch (result) {
            case Result.NodeRegistered registered ->
                    new Joined(
                            nonce,
                            registered,
                            false,
                            replica.read(Directory::clusterId),
                            self,
                            replica.read(Directory::superpeers));
            case Result.Refused refused -> refused(nonce, refused.reason(), self);
            default -> refused(nonce, result.toString(), self);
        };
    }

    private Joined joined(long nonce, Command.RegisterNode registration, Result result) {
        return switch (result) {
            case Result.NodeRegistered registered -> {
                int node = registered.node();
                addresses.put(
                        node, registered.incarnation(), registration.host(), registration.port());
                long clusterId = replica.read(Directory::clusterId);
                boolean isForgotten =
                        replica.read(state ->
                                state.wasForgotten(
                                        registration.previous(), registration.incarnation()));
                yield new Joined(
                        nonce,
                        registered,
                        isForgotten,
                        clusterId,
                        self,
                        replica.read(Directory::superpeers));
            }
            case Result.Refused refused -> refused(nonce, refused.reason(), self);
            default -> refused(nonce, result.toString(), self);
        };
    }

    // questions

    private void ask(int source, Ask ask, Responder<Answer> responder) {
        if (!isConfirmed.getAsBoolean()) {
            responder.respond(new Answer(replica.leader(), null));
            return;
        }
        if (!(ask.query() instanceof DirectoryQuery.Apply apply)) {
            answer(ask.query(), responder);
            return;
        }
        CompletableFuture<DirectoryReply> _ =
                replied(source, apply)
                        .whenComplete((reply, failure) ->
                                responder.respond(
                                        failure == null
                                                ? new Answer(self, reply)
                                                : new Answer(replica.leader(), null)));
    }

    private void answer(DirectoryQuery query, Responder<Answer> responder) {
        DirectoryReply reply = replica.read(directory -> reply(query, directory));
        if (!isBelieved(query, reply) || replica.isAlone()) {
            responder.respond(new Answer(self, reply));
            return;
        }
        Asker.THREADS.execute(() -> responder.respond(confirmed(query)));
    }

    private Answer confirmed(DirectoryQuery query) {
        try {
            if (replica.confirmLeadership(Superpeer.CONFIRM_WINDOW)) {
                return new Answer(self, replica.read(directory -> reply(query, directory)));
            }
        } catch (RuntimeException e) {
            LOG.debug("a question to the directory is left to others", e);
        }
        return new Answer(replica.leader(), null);
    }

    /**
     * Who asks believes that and asks no more. An owner that is one no more says so itself, and
     * grants are asked for again all the time.
     */
    private static boolean isBelieved(DirectoryQuery query, DirectoryReply reply) {
        return switch (query) {
            case DirectoryQuery.Lookup _,
                    DirectoryQuery.ListNames _,
                    DirectoryQuery.ZonesOf _,
                    DirectoryQuery.Jobs _,
                    DirectoryQuery.JobOf _ ->
                    true;
            case DirectoryQuery.ZoneOf _ ->
                    !(reply instanceof DirectoryReply.Zones known)
                            || known.zones().stream().allMatch(ZoneInfo::lost);
            default -> false;
        };
    }

    private CompletableFuture<DirectoryReply> replied(int source, DirectoryQuery.Apply apply) {
        Command command;
        try {
            command = CommandLayout.read(apply.command());
        } catch (IllegalArgumentException e) {
            return refused("command cannot be read: " + e.getMessage())
                    .thenApply(DirectoryReply.Applied::new);
        }
        if (!replica.read(directory -> directory.isMember(source))) {
            return CompletableFuture.completedFuture(
                    command instanceof Command.RemoveNode
                            ? new DirectoryReply.Applied(new Result.Done(false))
                            : new DirectoryReply.NoMember(source));
        }
        return applied(source, command).thenApply(DirectoryReply.Applied::new);
    }

    private CompletableFuture<Result> applied(int source, Command command) {
        Command marked = replica.read(directory -> marked(command, directory));
        return switch (command) {
            case Command.RegisterNode c -> refused("nodes register by joining");
            case Command.ReleaseNode c -> refused("superpeers release nodes");
            case Command.RemoveNode c when c.node() != source ->
                    refused("a node removes itself only");
            case Command.RemoveNode c -> {
                watch.leaves(source);
                yield replica.apply(marked);
            }
            case Command.FoundCluster c -> refused("superpeers found clusters");
            case Command.RegisterSuperpeer c -> refused("superpeers register by themselves");
            case Command.AddSuperpeer c -> refused("superpeers are added by joining");
            case Command.RemoveSuperpeer c -> refused("superpeers remove superpeers");
            case Command.SwitchZone c -> refused("superpeers switch zones");
            case Command.GiveBackZone c -> refused("superpeers give zones back");
            case Command.BeginRecovery c -> refused("superpeers have zones recovered");
            case Command.ElectMaster c -> refused("superpeers elect the master");
            case Command.GrantAccess c when !isSuperpeer(source) ->
                    refused("superpeers grant access");
            case Command.RevokeAccess c when !isSuperpeer(source) ->
                    refused("superpeers revoke access");
            case Command.NoteLeaving c when !isSuperpeer(source) && c.node() != source ->
                    refused("superpeers let nodes leave");
            case Command.ForgetNode c when !isSuperpeer(source) ->
                    refused("superpeers forget nodes");
            case Command.NoteDisk c when c.node() != source ->
                    refused("a node tells of its own disk only");
            case Command.OpenZone c when c.owner() != source ->
                    refused("a node opens zones for itself only");
            case Command.ConfirmZone c when c.owner() != source ->
                    refused("a zone is confirmed by its owner");
            case Command.YieldZone c when c.owner() != source ->
                    refused("a zone is handed over by its owner");
            case Command.DropZone c when c.owner() != source ->
                    refused("a zone is dropped by its owner");
            default -> replica.apply(marked);
        };
    }

    private boolean isSuperpeer(int node) {
        return replica.read(directory -> directory.isSuperpeer(node));
    }

    /** A command about a node means the one that has the id when the command comes in. */
    private static Command marked(Command command, Directory directory) {
        return switch (command) {
            case Command.RemoveNode c ->
                    new Command.RemoveNode(c.node(), directory.incarnation(c.node()));
            case Command.NoteDisk c ->
                    new Command.NoteDisk(c.node(), directory.incarnation(c.node()), c.hangs());
            case Command.NoteLeaving c ->
                    new Command.NoteLeaving(c.node(), directory.incarnation(c.node()));
            case Command.ForgetNode c ->
                    new Command.ForgetNode(
                            c.node(), directory.incarnation(c.node()), c.acceptsLoss());
            case Command.AddBackup c ->
                    new Command.AddBackup(
                            c.zone(), c.epoch(), c.node(), directory.incarnation(c.node()));
            default -> command;
        };
    }

    private static CompletableFuture<Result> refused(String reason) {
        return CompletableFuture.completedFuture(new Result.Refused(reason));
    }

    private DirectoryReply reply(DirectoryQuery query, Directory directory) {
        return switch (query) {
            case DirectoryQuery.Apply q -> throw new StoreException("a command is no question");
            case DirectoryQuery.Lookup q -> new DirectoryReply.LookedUp(directory.lookup(q.name()));
            case DirectoryQuery.ListNames q -> names(q.after(), directory);
            case DirectoryQuery.ZoneOf q ->
                    new DirectoryReply.Zones(directory.zone(q.zone()).stream().toList());
            case DirectoryQuery.ZonesOf q -> new DirectoryReply.Zones(zonesOf(q.node(), directory));
            case DirectoryQuery.DroppedOf q ->
                    new DirectoryReply.Dropped(
                            LongStream.of(q.zones()).filter(directory::isDropped).toArray());
            case DirectoryQuery.ChooseBackup q ->
                    new DirectoryReply.Chosen(directory.chooseBackup(q.zone(), q.avoided()));
            case DirectoryQuery.Jobs q -> new DirectoryReply.JobList(directory.jobs());
            case DirectoryQuery.JobOf q -> new DirectoryReply.JobIs(directory.job(q.id()));
            case DirectoryQuery.Grants q ->
                    new DirectoryReply.GrantsAre(
                            directory.grants().keySet().toArray(String[]::new),
                            directory.grants().values().toArray(byte[][]::new));
            case DirectoryQuery.Status q -> new DirectoryReply.StatusIs(status(directory));
            case DirectoryQuery.RecoveriesOf q ->
                    new DirectoryReply.RecoveriesAre(
                            losses.told(self, directory.orphans(), directory.damagedZones()));
        };
    }

    private static DirectoryReply.Names names(String after, Directory directory) {
        List<String> names = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        for (Map.Entry<String, Long> entry : directory.namesAfter(after).entrySet()) {
            names.add(entry.getKey());
            ids.add(entry.getValue());
            if (names.size() == DirectoryReply.MAX_NAMES) {
                break;
            }
        }
        return new DirectoryReply.Names(
                names.toArray(new String[0]), ids.stream().mapToLong(Long::longValue).toArray());
    }

    private static List<ZoneInfo> zonesOf(int node, Directory directory) {
        Map<Long, ZoneInfo> zones = new TreeMap<>();
        directory.zonesOwnedBy(node).forEach(zone -> zones.put(zone.zone(), zone));
        directory.zonesBackedBy(node).forEach(zone -> zones.put(zone.zone(), zone));
        directory.zonesHeldBy(node).forEach(zone -> zones.put(zone.zone(), zone));
        return List.copyOf(zones.values());
    }

    /** As many backups as wanted, or as there can be while fewer peers are up. */
    private int possibleBackups(Directory directory) {
        int storing = (int) directory.nodes().stream().filter(NodeInfo::keeps).count();
        return Math.min(replicationFactor, Math.max(0, storing - 1));
    }

    private static List<AbsentSuperpeer> absent(Directory directory) {
        return directory.superpeers().stream()
                .filter(one -> !directory.isMember(one.node()))
                .map(one ->
                        new AbsentSuperpeer(
                                one.node(),
                                one.host(),
                                one.port(),
                                one.state() != SuperpeerInfo.State.JOINING))
                .toList();
    }

    /** For people: copies of peers that have fallen silent count as gone even before these do. */
    private ClusterStatus status(Directory directory) {
        List<ZoneInfo> orphans = directory.orphans();
        int lost =
                (int) orphans.stream().filter(zone -> zone.lost() && !zone.recoverable()).count();
        return new ClusterStatus(
                self,
                watch.view(directory).nodes(),
                absent(directory),
                directory.master().node(),
                directory.zoneCount(),
                directory.underReplicated(possibleBackups(directory), watch::isHeard),
                lost,
                orphans.size() - lost + directory.silentZones(watch::isHeard),
                directory.clusterId(),
                directory.exposures());
    }
}
