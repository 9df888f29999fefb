package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.ChunkId;
import org.starling.store.ClusterStatus;
import org.starling.store.Exposure;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.OpenZone;
import org.starling.store.internal.directory.Command.RegisterNode;

/** Copies over hosts and racks. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class SpreadTest {
    private static final int TOPOLOGIES = 300;

    private final Directory directory = new Directory();
    private final Map<Integer, Integer> opened = new HashMap<>();

    SpreadTest() {
        directory.apply(new FoundCluster(5, 1));
    }

    @Test
    void putsNoTwoCopiesIntoOneDomainWhileThereIsAnother() {
        long seed = Long.getLong("starling.seed", System.nanoTime());
        for (int round = 0; round < TOPOLOGIES; round++) {
            Random random = new Random(seed + round);
            SpreadTest topology = new SpreadTest();
            topology.joinAnywhere(random);

            List<ZoneInfo> zones = topology.openAll(random, 1 + random.nextInt(5));

            for (ZoneInfo zone : zones) {
                String place =
                        "seed %d, topology %s, zone %s"
                                .formatted(seed + round, topology.directory.nodes(), zone);
                topology.assertSpread(place, zone, Place::path);
                topology.assertSpread(place, zone, SpreadTest::rack);
            }
        }
    }

    @Test
    void findsAnotherDomainForACopyThatIsMissing() {
        long seed = Long.getLong("starling.seed", System.nanoTime());
        for (int round = 0; round < TOPOLOGIES; round++) {
            Random random = new Random(seed + round);
            SpreadTest topology = new SpreadTest();
            topology.joinAnywhere(random);
            List<ZoneInfo> zones = topology.openAll(random, 3);
            List<NodeInfo> members = topology.directory.nodes();
            topology.directory.apply(
                    new Command.RemoveNode(members.get(random.nextInt(members.size())).id()));

            for (ZoneInfo before : zones) {
                ZoneInfo zone = topology.directory.zone(before.zone()).orElseThrow();
                int next = topology.directory.chooseBackup(zone.zone(), List.of());
                if (next >= 0 && topology.directory.isMember(zone.owner())) {
                    topology.directory.apply(
                            new Command.AddBackup(zone.zone(), zone.epoch(), next, Command.ANY));
                    ZoneInfo now = topology.directory.zone(zone.zone()).orElseThrow();
                    topology.assertSpread("seed %d".formatted(seed + round), now, Place::path);
                }
            }
        }
    }

    @Test
    void givesAllPeersAboutAsManyCopiesWhereRacksAreAlike() {
        for (int rack = 0; rack < 4; rack++) {
            for (int peer = 0; peer < 6; peer++) {
                join("rack%d/host%d".formatted(rack, peer / 2));
            }
        }

        openAll(new Random(7), 10);

        List<Integer> kept =
                directory.nodes().stream()
                        .map(node -> directory.zonesBackedBy(node.id()).size())
                        .toList();
        assertThat(kept)
                .as("240 zones, 3 backups each, 24 peers")
                .allMatch(n -> n >= 28 && n <= 32);
    }

    @Test
    void choosesAsBeforeWhereAllStandInOnePlaceOrNothingIsKnown() {
        SpreadTest unknown = new SpreadTest();
        SpreadTest together = new SpreadTest();
        for (int peer = 0; peer < 5; peer++) {
            unknown.join("");
            together.join("127.0.0.1");
        }

        List<ZoneInfo> zones = unknown.openAll(new Random(3), 4);

        assertThat(together.openAll(new Random(3), 4)).isEqualTo(zones);
        assertThat(unknown.directory.exposures()).isEmpty();
        assertThat(together.directory.exposures())
                .containsExactly(new Exposure("127.0.0.1", true, zones.size()));
    }

    @Test
    void tellsWhichLossesWouldTakeTheLastCopy() {
        int first = join("rack1/host1");
        join("rack1/host1");
        join("rack1/host2");
        long alone = open(first, 1);
        long wide = open(first, 2);

        assertThat(directory.zone(alone).orElseThrow().backups()).containsExactly(3);
        assertThat(directory.zone(wide).orElseThrow().backups()).hasSize(2);
        assertThat(directory.exposures()).containsExactly(new Exposure("rack1", false, 2));

        directory.apply(new Command.RemoveNode(3));

        assertThat(directory.exposures())
                .containsExactly(
                        new Exposure("rack1/host1", true, 2), new Exposure("rack1", false, 2));

        int far = join("rack2/host1");
        for (long zone : List.of(alone, wide)) {
            long epoch = directory.zone(zone).orElseThrow().epoch();
            assertThat(directory.chooseBackup(zone, List.of())).isEqualTo(far);
            directory.apply(new Command.AddBackup(zone, epoch, far, Command.ANY));
        }

        assertThat(directory.exposures()).isEmpty();
    }

    @Test
    void callsADomainAHostOnlyIfNobodyStandsOnAHostWithinIt() {
        int owner = join("rack1");
        join("rack1/host2");
        open(owner, 1);

        assertThat(directory.exposures()).containsExactly(new Exposure("rack1", false, 1));
    }

    @Test
    void countsAZoneOnceHoweverManyDomainsHaveAllItsCopies() {
        int first = join("site1/hall1/rack1/host1");
        join("site1/hall1/rack1/host2");
        open(first, 1);
        open(join("host3"), 0);

        ClusterStatus status =
                new ClusterStatus(
                        0, List.of(), List.of(), -1, 2, 0, 0, 0, 5, directory.exposures());

        assertThat(status.exposures())
                .extracting(Exposure::domain)
                .containsExactly("host3", "site1", "site1/hall1", "site1/hall1/rack1");
        assertThat(status.exposedZones(true)).isEqualTo(1);
        assertThat(status.exposedZones(false)).isEqualTo(1);
    }

    /** As few share a domain as can be: each copy more than domains, and no domain left empty. */
    private void assertSpread(String what, ZoneInfo zone, Function<Place, String> domain) {
        Collection<String> all = new HashSet<>();
        directory.nodes().stream()
                .filter(NodeInfo::keeps)
                .forEach(node -> all.add(domain.apply(node.place())));
        List<String> taken = new ArrayList<>();
        for (NodeInfo node : directory.nodes()) {
            if (node.id() == zone.owner() || zone.backups().contains(node.id())) {
                taken.add(domain.apply(node.place()));
            }
        }
        Set<String> distinct = new HashSet<>(taken);
        assertThat(distinct).as(what).hasSize(Math.min(all.size(), taken.size()));
    }

    private static String rack(Place place) {
        return place.domains().getLast();
    }

    private void joinAnywhere(Random random) {
        int racks = 1 + random.nextInt(5);
        int hosts = 1 + random.nextInt(4);
        int peers = 2 + random.nextInt(14);
        for (int i = 0; i < peers; i++) {
            join("rack%d/host%d".formatted(random.nextInt(racks), random.nextInt(hosts)));
        }
    }

    private int join(String place) {
        Result result =
                directory.apply(
                        new RegisterNode(
                                Role.PEER,
                                "",
                                0,
                                1,
                                NodeOptions.STORES,
                                0,
                                RegisterNode.NO_PREVIOUS,
                                0,
                                0,
                                new Place(place)));
        return ((Result.NodeRegistered) result).node();
    }

    /** Several zones of each peer, in an order that is drawn. */
    private List<ZoneInfo> openAll(Random random, int each) {
        List<Integer> owners = new ArrayList<>();
        directory
                .nodes()
                .forEach(node -> {
                    for (int i = 0; i < each; i++) {
                        owners.add(node.id());
                    }
                });
        Collections.shuffle(owners, random);
        List<ZoneInfo> zones = new ArrayList<>();
        for (int owner : owners) {
            zones.add(directory.zone(open(owner, 3)).orElseThrow());
        }
        return zones;
    }

    private long open(int owner, int wanted) {
        long zone = ChunkId.zoneOf(owner, opened.merge(owner, 1, Integer::sum) - 1);
        assertThat(directory.apply(new OpenZone(zone, owner, wanted)))
                .isInstanceOf(Result.Zone.class);
        directory.apply(new Command.ConfirmZone(zone, 1, owner));
        return zone;
    }
}
