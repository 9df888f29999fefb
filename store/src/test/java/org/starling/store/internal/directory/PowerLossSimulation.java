package org.starling.store.internal.directory;

import static org.starling.store.internal.directory.Commands.registerNode;
import static org.starling.store.internal.directory.Commands.switchZone;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.starling.store.NodeOptions;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.AddBackup;
import org.starling.store.internal.directory.Command.ConfirmZone;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.OpenZone;
import org.starling.store.internal.directory.Command.RemoveNode;
import org.starling.store.internal.directory.Command.RetireBackup;

/**
 * One zone, its owner and the logs of its backups in the coarsest model that can lose something: a
 * log is the position up to which a peer has received the zone and the one up to which it is on its
 * disk; a peer that goes down keeps the latter. Writes are acknowledged when all listed backups
 * have received them and two have them on disk. A zone that the directory has forgotten with its
 * owner, as nothing in it was acknowledged, is followed by a fresh one. The directory is the real
 * one.
 */
final class PowerLossSimulation {
    /** A rule of the owner or of recovery that is left out, to see whether that is noticed. */
    enum Bug {
        NONE,
        /** Acknowledges before the zone is confirmed for the first time. */
        ACKNOWLEDGES_UNCONFIRMED,
        /** Confirms an epoch before the remaining backups have written to disk. */
        CONFIRMS_BEFORE_FORCE,
        /** Switches the zone before those who stay backups have written to disk. */
        SWITCHES_BEFORE_FORCE,
        /** Lists a new backup before its copy is on disk. */
        ADDS_BEFORE_FORCE,
        /** Recovers as soon as any holder has returned. */
        TAKES_ANY_HOLDER
    }

    private static final int PEERS = 5;
    private static final long CLUSTER = 3;

    /** A machine: what is on its disk stays while node ids come and go. */
    private static final class Peer {
        int node = -1;
        boolean up;
        long received;
        long forced;
        boolean hasLog;
    }

    private final Random random;
    private final Bug bug;
    private final Directory directory = new Directory();
    private final List<Peer> peers = new ArrayList<>();
    private final Map<Integer, Peer> byNode = new HashMap<>();

    private long zone = CommandSource.zone(1, 0);
    private int opened;

    /** Whether the owner has confirmed the present zone for the first time. */
    private boolean isConfirmed;

    /** The last position the owner has given out, and the last it has acknowledged. */
    private long position;

    private long acknowledged;
    private int recoveries;
    private int coldRecoveries;
    private String loss = "";

    PowerLossSimulation(long seed, Bug bug) {
        random = new Random(seed);
        this.bug = bug;
        directory.apply(new FoundCluster(CLUSTER, 1));
        for (int i = 0; i < PEERS; i++) {
            Peer peer = new Peer();
            peers.add(peer);
            start(peer);
        }
        open(peers.getFirst());
    }

    /** Goes on by a number of steps, or until something acknowledged is lost. */
    void run(int steps) {
        for (int i = 0; i < steps && loss.isEmpty(); i++) {
            step();
        }
    }

    /** What was lost; empty if nothing was. */
    String loss() {
        return loss;
    }

    int recoveries() {
        return recoveries;
    }

    int coldRecoveries() {
        return coldRecoveries;
    }

    private void step() {
        Peer peer = peers.get(random.nextInt(PEERS));
        if (directory.zone(zone).isEmpty()) {
            forgotten(peer);
            return;
        }
        switch (random.nextInt(16)) {
            case 0 -> stop(peer);
            case 1 -> {
                if (random.nextInt(6) == 0) {
                    peers.forEach(this::stop);
                }
            }
            case 2, 3, 4 -> start(peer);
            case 5 -> peer.forced = peer.received;
            case 6, 7 -> confirm();
            case 8 -> addBackup();
            case 9 -> {
                if (random.nextInt(8) == 0) {
                    retire(peer);
                }
            }
            case 10, 11 -> recover();
            default -> write();
        }
    }

    private void open(Peer owner) {
        zone = CommandSource.zone(owner.node, opened++);
        directory.apply(new OpenZone(zone, owner.node, 3));
        isConfirmed = false;
        position = 0;
        peers.forEach(PowerLossSimulation::loseLog);
    }

    private void forgotten(Peer next) {
        if (acknowledged > 0) {
            loss = acknowledged + " was acknowledged, and zone %x is forgotten".formatted(zone);
        } else if (next.up) {
            open(next);
        } else {
            start(next);
        }
    }

    private void write() {
        ZoneInfo info = info();
        List<Integer> listed = info.backups();
        if (!directory.isMember(info.owner())) {
            return;
        }
        position++;
        for (int node : listed) {
            if (isConfirmed || random.nextBoolean()) {
                peer(node).hasLog = true;
                peer(node).received = position;
            }
        }
        boolean isEverywhere = listed.stream().allMatch(node -> peer(node).received == position);
        boolean mayAcknowledge = isConfirmed || bug == Bug.ACKNOWLEDGES_UNCONFIRMED;
        if (listed.size() >= 2 && isEverywhere && mayAcknowledge) {
            force(listed, 2);
            acknowledged = position;
        }
    }

    private void confirm() {
        ZoneInfo info = info();
        boolean haveBegun =
                !info.backups().isEmpty()
                        && info.backups().stream().allMatch(node -> peer(node).hasLog);
        if (directory.isMember(info.owner()) && (isConfirmed || haveBegun)) {
            if (bug != Bug.CONFIRMS_BEFORE_FORCE) {
                force(info.backups(), 2);
            }
            directory.apply(new ConfirmZone(zone, info.epoch(), info.owner()));
            isConfirmed = true;
        }
    }

    private void addBackup() {
        ZoneInfo info = info();
        int node = directory.chooseBackup(zone, List.of());
        if (node >= 0 && info.backups().size() < 3 && directory.isMember(info.owner())) {
            Peer peer = peer(node);
            peer.hasLog = true;
            peer.received = position;
            peer.forced = bug == Bug.ADDS_BEFORE_FORCE ? 0 : position;
            directory.apply(new AddBackup(zone, info.epoch(), node));
        }
    }

    private void retire(Peer peer) {
        if (info().backups().contains(peer.node)) {
            boolean isKept = random.nextBoolean();
            if (!isKept) {
                loseLog(peer);
            }
            directory.apply(new RetireBackup(zone, info().epoch(), peer.node, isKept));
        }
    }

    private void recover() {
        ZoneInfo info = info();
        if (directory.isMember(info.owner())) {
            return;
        }
        List<Integer> sources = info.lost() ? info.returnedHolders() : info.backups();
        boolean enough =
                !info.lost()
                        || info.recoverable()
                        || (bug == Bug.TAKES_ANY_HOLDER && !sources.isEmpty());
        if (!enough) {
            return;
        }
        long end = 0;
        for (int node : sources) {
            end = Math.max(end, peer(node).hasLog ? peer(node).received : 0);
        }
        if (end < acknowledged) {
            loss = acknowledged + " was acknowledged, " + sources + " have " + end + " of " + info;
            return;
        }
        if (!info.recoverable() && info.lost()) {
            return;
        }
        int target = sources.get(random.nextInt(sources.size()));
        List<Integer> rest = sources.stream().filter(node -> node != target).toList();
        long recovered = end;
        sources.forEach(node -> peer(node).received = recovered);
        sources.forEach(node -> peer(node).hasLog = true);
        if (bug != Bug.SWITCHES_BEFORE_FORCE) {
            force(rest.isEmpty() ? List.of(target) : rest, 2);
        }
        Result result = directory.apply(switchZone(zone, info.epoch(), target));
        if (result instanceof Result.Zone switched && switched.changed()) {
            position = recovered;
            recoveries++;
            coldRecoveries += info.lost() ? 1 : 0;
        }
    }

    private void stop(Peer peer) {
        if (peer.up) {
            peer.up = false;
            peer.received = peer.forced;
            directory.apply(new RemoveNode(peer.node));
        }
    }

    private void start(Peer peer) {
        if (peer.up) {
            return;
        }
        Result result =
                directory.apply(
                        registerNode(
                                Role.PEER,
                                "",
                                0,
                                1,
                                NodeOptions.STORES,
                                peer.node < 0 ? 0 : CLUSTER,
                                peer.node,
                                0,
                                0));
        peer.node = ((Result.NodeRegistered) result).node();
        peer.up = true;
        byNode.put(peer.node, peer);
        boolean holds =
                directory.zonesHeldBy(peer.node).stream().anyMatch(held -> held.zone() == zone);
        if (!holds) {
            loseLog(peer); // what nobody needs is deleted
        }
    }

    private void force(List<Integer> nodes, int count) {
        List<Integer> shuffled = new ArrayList<>(nodes);
        Collections.shuffle(shuffled, random);
        for (int node : shuffled.subList(0, Math.min(count, shuffled.size()))) {
            Peer peer = peer(node);
            peer.forced = peer.received;
        }
    }

    private Peer peer(int node) {
        return Objects.requireNonNull(byNode.get(node), "a node of this simulation");
    }

    private static void loseLog(Peer peer) {
        peer.hasLog = false;
        peer.received = 0;
        peer.forced = 0;
    }

    private ZoneInfo info() {
        return directory.zone(zone).orElseThrow();
    }
}
