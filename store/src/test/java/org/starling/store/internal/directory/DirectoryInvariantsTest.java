package org.starling.store.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.starling.store.internal.directory.Commands.registerNode;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.ZoneRecord.Holder;

/** What holds after any commands, in any order, late or twice. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DirectoryInvariantsTest {
    private static final long SEED = Long.getLong("starling.seed", 815L);

    @Test
    void holdAfterEveryCommand() {
        applyAndCheck(5);
    }

    @Tag("slow")
    @Test
    void holdAfterEveryOneOfManyCommands() {
        applyAndCheck(50);
    }

    private static void applyAndCheck(int histories) {
        long zoneChanges = 0;
        for (long seed = SEED; seed < SEED + histories; seed++) {
            Directory directory = new Directory();
            DirectoryInvariants invariants = new DirectoryInvariants();
            for (Command command : new CommandSource(seed).commands(400)) {
                directory.apply(command);

                assertThat(invariants.violations(directory))
                        .as("seed %d, after %s", seed, command)
                        .isEmpty();
            }
            zoneChanges += directory.zoneVersion();
        }
        assertThat(zoneChanges).as("the commands make sense").isGreaterThan(histories * 40L);
    }

    @Test
    void repeatingACommandAtOnceChangesNothingMore() {
        for (long seed = SEED; seed < SEED + 10; seed++) {
            Directory directory = new Directory();
            for (Command command : new CommandSource(seed).commands(400)) {
                directory.apply(command);
                if (isRepeatable(command)) {
                    byte[] once = DirectorySnapshot.write(directory);
                    directory.apply(command);

                    assertThat(DirectorySnapshot.write(directory))
                            .as("seed %d, %s", seed, command)
                            .isEqualTo(once);
                }
            }
        }
    }

    @Test
    void areSeenToBeBrokenWhenTheyAre() {
        assertViolation("backs its own zone", zone(1, List.of(1), holders(1), 1, 1));
        assertViolation("listed twice", zone(1, List.of(2, 2), holders(2), 1, 1));
        assertViolation("no member that stores", zone(1, List.of(9), holders(9), 1, 1));
        assertViolation("is no holder", zone(1, List.of(2), holders(3), 1, 1));
        assertViolation("confirmed before", zone(1, List.of(2), holders(2), 1, 2));
        SortedMap<Integer, Holder> returned = new TreeMap<>();
        returned.put(9, Holder.RETURNED);
        assertViolation("has returned is no member", zone(7, List.of(), returned, 1, 1));
    }

    @Test
    void seeAnEpochThatFalls() {
        Directory directory = members();
        DirectoryInvariants invariants = new DirectoryInvariants();
        directory.zoneTable().restore(zone(1, List.of(2), holders(2), 3, 1));
        assertThat(invariants.violations(directory)).isEmpty();

        directory.zoneTable().restore(zone(1, List.of(2), holders(2), 2, 1));

        assertThat(invariants.violations(directory)).hasSize(1).first().asString().contains("fell");
    }

    private static void assertViolation(String what, ZoneRecord zone) {
        Directory directory = members();
        directory.zoneTable().restore(zone);

        assertThat(new DirectoryInvariants().violations(directory))
                .anySatisfy(sentence -> assertThat(sentence).contains(what));
    }

    private static Directory members() {
        Directory directory = new Directory();
        directory.apply(new FoundCluster(1, 1));
        for (int i = 0; i < 4; i++) {
            directory.apply(registerNode(Role.PEER, "", 0, 1, 3));
        }
        return directory;
    }

    private static ZoneRecord zone(
            int owner,
            List<Integer> backups,
            SortedMap<Integer, Holder> holders,
            long epoch,
            long confirmed) {
        return new ZoneRecord(
                CommandSource.zone(1, 0), owner, epoch, confirmed, backups, holders, 1, false);
    }

    private static SortedMap<Integer, Holder> holders(int node) {
        SortedMap<Integer, Holder> holders = new TreeMap<>();
        holders.put(node, Holder.KEPT);
        return holders;
    }

    /** A second node or job without a nonce is another one. */
    private static boolean isRepeatable(Command command) {
        return switch (command) {
            case RegisterNode c -> c.nonce() != 0;
            case Command.SubmitJob c -> c.nonce() != 0;
            default -> true;
        };
    }
}
