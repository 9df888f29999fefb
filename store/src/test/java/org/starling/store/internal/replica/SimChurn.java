package org.starling.store.internal.replica;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.starling.store.ChunkId;
import org.starling.store.Durability;
import org.starling.store.internal.chunk.Created;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;
import org.starling.store.internal.chunk.ZoneFullException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.replica.SimWorld.Fault;
import org.starling.store.internal.replica.SimWorld.SimNode;

/**
 * Zones that come and go: now and then a node opens one and makes two chunks in it, each with a
 * client that writes to it and then removes it; and nodes drop what is empty. The command that
 * opens a zone may come again at any time later.
 */
final class SimChurn {
    private static final int MAX_ZONES = 4;
    private static final int FIRST_CLIENT = 100;

    private final SimWorld world;
    private final List<SimClient> clients;
    private final Map<Integer, Integer> lastNumbers = new HashMap<>();

    /** Zones with chunks that were acknowledged. */
    private final Set<Long> used = new HashSet<>();

    private int opened;
    private int made;

    SimChurn(SimWorld world, List<SimClient> clients) {
        this.world = world;
        this.clients = clients;
    }

    /** Something happens to zones. */
    void act(boolean isBusy) {
        if (!world.hasChurn) {
            return;
        }
        if (isBusy && opened < MAX_ZONES && world.random.nextInt(100) == 0) {
            SimNode node = world.any();
            if (node.isUp() && world.directory.isMember(node.id)) {
                opened++;
                open(node);
            }
        }
        if (isBusy && !used.isEmpty() && world.random.nextInt(200) == 0) {
            SimNode node = world.any();
            for (long zone : List.copyOf(used)) {
                world.later(node.id, () -> create(node, zone));
            }
        }
        if (world.random.nextInt(16) == 0) {
            SimNode node = world.any();
            world.later(node.id, () -> collect(node));
        }
    }

    /** Those that exist and have chunks that were acknowledged. */
    List<Long> zones() {
        return used.stream().filter(world.directory::hasZone).toList();
    }

    /** How many have been dropped. */
    long dropped() {
        return used.stream().filter(world.directory::isDropped).count();
    }

    /** Whether everything is dropped that is to be, and forgotten by all. */
    boolean isSettled() {
        for (long zone : used) {
            if (clientsOf(zone).allMatch(SimClient::isRemoved) && !isForgotten(zone)) {
                return false;
            }
        }
        return true;
    }

    private Stream<SimClient> clientsOf(long zone) {
        return clients.stream().filter(client -> ChunkId.zone(client.chunk()) == zone);
    }

    private boolean isForgotten(long zone) {
        return world.directory.isDropped(zone)
                && world.nodes.values().stream()
                        .filter(node -> node.isUp() && world.directory.isMember(node.id))
                        .allMatch(node ->
                                !node.zones.owns(zone)
                                        && !node.chunks.hasZone(zone)
                                        && !node.backups.knows(zone)
                                        && node.logs.get(zone) == null);
    }

    private void open(SimNode node) {
        long zone = ChunkId.zoneOf(node.id, lastNumbers.merge(node.id, 1, Integer::sum));
        Command open = new Command.OpenZone(zone, node.id, 3);
        world.later(
                node.id,
                () -> {
                    CompletableFuture<?> _ =
                            node.directory
                                    .apply(open)
                                    .thenAccept(result -> opened(node, zone, result));
                });
        if (world.random.nextBoolean()) {
            world.late(() -> world.directory.now(open));
        }
    }

    private void opened(SimNode node, long zone, Result result) {
        if (!(result instanceof Result.Zone now) || now.info().owner() != node.id) {
            return;
        }
        node.zones.open(now.info());
        create(node, zone);
        if (world.fault == Fault.EARLY_DROP) {
            long epoch = now.info().epoch();
            world.late(() -> world.directory.now(new Command.DropZone(zone, epoch, node.id)));
        }
    }

    /** At any moment in which the zone is empty, also when it is about to be dropped. */
    private void create(SimNode node, long zone) {
        if (!node.zones.owns(zone) || !clientsOf(zone).allMatch(SimClient::isRemoved)) {
            return;
        }
        List<SimClient> before = clientsOf(zone).toList(); // the ids may be used again
        before.forEach(SimClient::retire);
        clients.removeAll(before);
        Created created;
        try {
            created = node.chunks.create(zone, new Sizes.Uniform(2, 8), WriteTag.NONE);
        } catch (ZoneFullException e) {
            return; // it was sealed in time
        }
        used.remove(zone);
        Durability durability = world.hasDisks ? Durability.POWER : Durability.PROCESS;
        CompletableFuture<?> _ =
                node.zones
                        .await(created.first(), created.position(), durability)
                        .thenRun(() -> {
                            if (node.isLeaseOver) {
                                return; // it would not tell anybody
                            }
                            if (world.hasDisks) {
                                world.onDisks(zone, created.position());
                            }
                            used.add(zone);
                            for (int i = 0; i < 2; i++) {
                                int id = FIRST_CLIENT + made++;
                                clients.add(new SimClient(world, id, created.first() + i, 1));
                            }
                        });
    }

    private static void collect(SimNode node) {
        node.zones.collectGarbage(client -> true);
        node.collectLogs();
    }

    /** Nothing of a zone that was dropped is left, and none comes back. */
    List<Long> cameBack() {
        List<Long> back = new ArrayList<>();
        for (long zone : used) {
            int creator = ChunkId.creator(ChunkId.ofZone(zone, 0));
            if (world.directory.isDropped(zone)
                    && world.directory.now(new Command.OpenZone(zone, creator, 3))
                            instanceof Result.Zone) {
                back.add(zone);
            }
        }
        return back;
    }
}
