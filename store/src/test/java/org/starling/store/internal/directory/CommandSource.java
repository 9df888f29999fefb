package org.starling.store.internal.directory;

import static org.starling.store.internal.directory.Commands.switchZone;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.starling.store.JobInfo;
import org.starling.store.JobStatus;
import org.starling.store.NodeInfo;
import org.starling.store.NodeOptions;
import org.starling.store.Place;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.AddBackup;
import org.starling.store.internal.directory.Command.CancelJob;
import org.starling.store.internal.directory.Command.CommitCheckpoint;
import org.starling.store.internal.directory.Command.ConfirmZone;
import org.starling.store.internal.directory.Command.DropZone;
import org.starling.store.internal.directory.Command.ElectMaster;
import org.starling.store.internal.directory.Command.EndJob;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.GrantAccess;
import org.starling.store.internal.directory.Command.MoveName;
import org.starling.store.internal.directory.Command.NoteDisk;
import org.starling.store.internal.directory.Command.OpenZone;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RegisterSuperpeer;
import org.starling.store.internal.directory.Command.ReleaseNode;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.RemoveNode;
import org.starling.store.internal.directory.Command.RetireBackup;
import org.starling.store.internal.directory.Command.RevokeAccess;
import org.starling.store.internal.directory.Command.StartJob;
import org.starling.store.internal.directory.Command.SubmitJob;

/**
 * Random commands that make sense: most name members, current epochs and attempts of a directory of
 * its own, the others are late, repeated or wrong.
 */
final class CommandSource {
    private static final long CLUSTER = 7;
    private static final int MAX_PEERS = 6;
    private static final List<JobStatus> STATUSES = List.of(JobStatus.values());

    private final Random random;
    private final Directory directory = new Directory();
    private final List<Command> made = new ArrayList<>();
    private final List<Integer> gone = new ArrayList<>();

    CommandSource(long seed) {
        random = new Random(seed);
        made(new FoundCluster(CLUSTER, 1 + random.nextInt(3)));
        made(new RegisterSuperpeer(0, "host", 1));
        for (int i = 0; i < 4; i++) {
            made(registration(RegisterNode.NO_PREVIOUS));
        }
    }

    /** All commands made until now and others, to a number. */
    List<Command> commands(int count) {
        while (made.size() < count) {
            next();
        }
        return List.copyOf(made);
    }

    Command next() {
        boolean again = random.nextInt(20) == 0;
        return made(again ? made.get(random.nextInt(made.size())) : command());
    }

    static long zone(int creator, int number) {
        return ((long) creator << 20) | (1L << 19) | number;
    }

    private Command made(Command command) {
        made.add(command);
        if (command instanceof RemoveNode remove && directory.isMember(remove.node())) {
            gone.add(remove.node());
        }
        directory.apply(command);
        return command;
    }

    private Command command() {
        return switch (random.nextInt(11)) {
            case 0 -> membership();
            case 10 -> access();
            case 1, 2, 3, 4, 5, 6 -> zoneCommand();
            case 7, 8 -> jobCommand();
            default ->
                    random.nextInt(3) == 0
                            ? move()
                            : random.nextInt(3) > 0
                                    ? new RegisterName(
                                            "name" + random.nextInt(50),
                                            random.nextLong(),
                                            random.nextInt(20))
                                    : new RemoveName(
                                            "name" + random.nextInt(50), random.nextInt(20));
        };
    }

    private Command access() {
        String name = "who" + random.nextInt(20);
        return random.nextInt(3) > 0
                ? new GrantAccess(name, bytes(50), random.nextInt(20))
                : new RevokeAccess(name, random.nextInt(20));
    }

    private Command move() {
        String name = "name" + random.nextInt(50);
        long expected = random.nextInt(4) > 0 ? directory.lookup(name) : random.nextInt(5);
        return new MoveName(name, expected, random.nextLong(), random.nextInt(20));
    }

    private Command membership() {
        if (directory.nodes().size() > MAX_PEERS || random.nextInt(3) == 0) {
            return new RemoveNode(random.nextInt(4) == 0 ? random.nextInt(30) : member());
        }
        if (random.nextInt(8) == 0) {
            return new ReleaseNode(random.nextInt(30), 0);
        }
        if (random.nextInt(8) == 0) {
            return new NoteDisk(member(), random.nextInt(3) - 1, random.nextBoolean());
        }
        if (random.nextInt(16) == 0) {
            return new Command.NoteLeaving(member(), random.nextInt(3) - 1);
        }
        if (random.nextInt(6) == 0) {
            int node = gone.isEmpty() ? member() : gone.get(random.nextInt(gone.size()));
            return new Command.ForgetNode(
                    random.nextInt(8) == 0 ? random.nextInt(30) : node,
                    random.nextInt(3) - 1,
                    random.nextBoolean());
        }
        if (random.nextInt(8) == 0) {
            return superpeers();
        }
        if (random.nextInt(5) == 0) {
            return new RegisterSuperpeer(random.nextInt(3), "host", random.nextInt(9));
        }
        boolean back = !gone.isEmpty() && random.nextInt(3) > 0;
        return registration(
                back
                        ? gone.get(random.nextInt(gone.size()))
                        : random.nextInt(4) == 0 ? member() : RegisterNode.NO_PREVIOUS);
    }

    private Command superpeers() {
        List<SuperpeerInfo> all = directory.superpeers();
        SuperpeerInfo one = all.get(random.nextInt(all.size()));
        return switch (random.nextInt(5)) {
            case 0, 1 -> new Command.AddSuperpeer("s" + random.nextInt(6), 1, random.nextInt(40));
            case 2 -> new RegisterSuperpeer(one.node(), one.host(), one.port());
            case 3 -> new Command.ForgetNode(one.node(), 0, false);
            default -> new Command.RemoveSuperpeer(one.node());
        };
    }

    private RegisterNode registration(int previous) {
        return new RegisterNode(
                Role.PEER,
                "host" + random.nextInt(9),
                random.nextInt(65_536),
                1 + random.nextInt(9),
                random.nextInt(8) == 0 ? NodeOptions.COMPUTES : 3,
                random.nextInt(9) == 0 ? random.nextInt(9) : CLUSTER,
                previous,
                0,
                random.nextInt(100),
                new Place(
                        random.nextInt(3) == 0
                                ? ""
                                : "r%d/h%d".formatted(random.nextInt(2), random.nextInt(3))));
    }

    private Command zoneCommand() {
        List<ZoneInfo> orphans = directory.orphans();
        if (!orphans.isEmpty() && random.nextInt(3) == 0) {
            ZoneInfo orphan = orphans.get(random.nextInt(orphans.size()));
            List<Integer> heirs = orphan.lost() ? orphan.returnedHolders() : orphan.backups();
            int heir = heirs.isEmpty() ? member() : heirs.get(random.nextInt(heirs.size()));
            return switchZone(orphan.zone(), epoch(orphan), heir);
        }
        int owner = member();
        List<ZoneInfo> zones =
                directory.zonesChangedAfter(0).stream()
                        .filter(zone -> random.nextInt(4) == 0)
                        .toList();
        if (zones.isEmpty() || random.nextInt(6) == 0) {
            return new OpenZone(zone(owner, random.nextInt(4)), owner, random.nextInt(4));
        }
        ZoneInfo zone = zones.getFirst();
        return switch (random.nextInt(11)) {
            case 10 -> new Command.BeginRecovery(zone.zone(), epoch(zone));
            case 9 -> new Command.GiveBackZone(zone.zone(), epoch(zone));
            case 8 ->
                    new Command.YieldZone(
                            zone.zone(),
                            epoch(zone),
                            random.nextInt(4) == 0 ? member() : zone.owner());
            case 0, 1, 2 -> new ConfirmZone(zone.zone(), epoch(zone), zone.owner());
            case 3, 4 -> new AddBackup(zone.zone(), epoch(zone), member());
            case 5 ->
                    new RetireBackup(
                            zone.zone(),
                            epoch(zone),
                            zone.backups().isEmpty() ? member() : zone.backups().getLast(),
                            random.nextBoolean());
            case 6 -> switchZone(zone.zone(), epoch(zone), member());
            default ->
                    new DropZone(
                            zone.zone(),
                            epoch(zone),
                            random.nextInt(4) == 0 ? zone.owner() : member());
        };
    }

    private long epoch(ZoneInfo zone) {
        return zone.epoch() - (random.nextInt(8) == 0 ? 1 : 0);
    }

    private Command jobCommand() {
        List<JobInfo> jobs = directory.jobs();
        if (jobs.isEmpty() || random.nextInt(8) == 0) {
            return new SubmitJob(random.nextInt(40), "job" + random.nextInt(9), bytes(60));
        }
        MasterInfo master = directory.master();
        JobInfo job = jobs.get(random.nextInt(jobs.size()));
        long attempt = job.attempt() - (random.nextInt(8) == 0 ? 1 : 0);
        return switch (random.nextInt(6)) {
            case 0 -> new ElectMaster(member());
            case 1, 2 ->
                    random.nextInt(3) > 0
                            ? new StartJob(job.id(), master.node(), master.term(), attempt)
                            : new CancelJob(random.nextInt(30));
            case 3, 4 -> {
                long done = directory.job(job.id()).map(known -> known.checkpoints()).orElse(0L);
                yield new CommitCheckpoint(
                        job.id(), attempt, done + (random.nextInt(6) == 0 ? 0 : 1), bytes(90));
            }
            default ->
                    new EndJob(
                            job.id(),
                            attempt,
                            STATUSES.get(random.nextInt(STATUSES.size())),
                            bytes(50));
        };
    }

    private byte[] bytes(int most) {
        byte[] bytes = new byte[random.nextInt(most)];
        random.nextBytes(bytes);
        return bytes;
    }

    private int member() {
        List<NodeInfo> nodes = directory.nodes();
        return nodes.isEmpty() ? 0 : nodes.get(random.nextInt(nodes.size())).id();
    }
}
