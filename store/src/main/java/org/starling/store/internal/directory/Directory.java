package org.starling.store.internal.directory;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.starling.store.AccessRegistry;
import org.starling.store.ChunkId;
import org.starling.store.Exposure;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.NameService;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.internal.directory.Command.AddBackup;
import org.starling.store.internal.directory.Command.AddSuperpeer;
import org.starling.store.internal.directory.Command.BeginRecovery;
import org.starling.store.internal.directory.Command.CancelJob;
import org.starling.store.internal.directory.Command.CommitCheckpoint;
import org.starling.store.internal.directory.Command.ConfirmZone;
import org.starling.store.internal.directory.Command.DropZone;
import org.starling.store.internal.directory.Command.ElectMaster;
import org.starling.store.internal.directory.Command.EndJob;
import org.starling.store.internal.directory.Command.ForgetNode;
import org.starling.store.internal.directory.Command.FoundCluster;
import org.starling.store.internal.directory.Command.GiveBackZone;
import org.starling.store.internal.directory.Command.GrantAccess;
import org.starling.store.internal.directory.Command.MoveName;
import org.starling.store.internal.directory.Command.NoteDisk;
import org.starling.store.internal.directory.Command.NoteLeaving;
import org.starling.store.internal.directory.Command.OpenZone;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RegisterSuperpeer;
import org.starling.store.internal.directory.Command.ReleaseNode;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.RemoveNode;
import org.starling.store.internal.directory.Command.RemoveSuperpeer;
import org.starling.store.internal.directory.Command.RetireBackup;
import org.starling.store.internal.directory.Command.RevokeAccess;
import org.starling.store.internal.directory.Command.StartJob;
import org.starling.store.internal.directory.Command.SubmitJob;
import org.starling.store.internal.directory.Command.SwitchZone;
import org.starling.store.internal.directory.Command.YieldZone;

/**
 * Who is a member, who owns and backs up which zone, names, the master and its jobs, and who was
 * granted access: the state that a whole cluster must agree on. A deterministic state machine:
 * {@link #apply} depends on the commands so far and on nothing else, so replicas that apply the
 * same commands are equal, and so are their snapshots, byte by byte ({@link DirectorySnapshot}).
 * Every command may come twice, or late: its guards see to it that it takes effect once.
 *
 * <p>Owned by a {@link DirectoryReplica} and guarded by it; not thread-safe. A volatile chunk's
 * owner is its creator, a replicated chunk's that of its zone, so creating and removing chunks
 * needs no command. A command costs O(log n), a snapshot O(n). The work is done by one class for
 * each part of the state.
 */
public final class Directory {
    /** The greatest node id of a member; the ids above are for nodes that are joining. */
    public static final int MAX_MEMBER = 65_023;

    /** The most names. */
    public static final int MAX_NAMES = 1 << 20;

    private final NodeTable nodes = new NodeTable();
    private final ZoneTable zones = new ZoneTable(nodes);
    private final JobTable jobs = new JobTable(nodes);
    private final TreeMap<String, Long> names = new TreeMap<>();
    private final TreeMap<String, byte[]> grants = new TreeMap<>();

    /** Of commands about names and grants. */
    private final RecentNonces nameNonces = new RecentNonces();

    /** Carries out a command; says what came of it. */
    public Result apply(Command command) {
        return switch (command) {
            case FoundCluster c -> nodes.found(c);
            case RegisterSuperpeer c -> nodes.register(c);
            case RegisterNode c -> register(c);
            case RemoveNode c -> new Result.Done(remove(c.node(), c.incarnation()));
            case ReleaseNode c -> nodes.release(c);
            case NoteDisk c -> note(c);
            case NoteLeaving c -> note(c);
            case ForgetNode c -> forget(c);
            case AddSuperpeer c -> nodes.add(c);
            case RemoveSuperpeer c -> new Result.Done(retire(c.node()));
            case OpenZone c -> zones.open(c);
            case ConfirmZone c -> zones.confirm(c);
            case AddBackup c -> zones.add(c);
            case RetireBackup c -> zones.retire(c);
            case SwitchZone c -> zones.switchTo(c);
            case YieldZone c -> zones.orphan(c);
            case GiveBackZone c -> zones.giveBack(c);
            case BeginRecovery c -> zones.beginRecovery(c);
            case DropZone c -> zones.drop(c);
            case ElectMaster c -> jobs.elect(c);
            case SubmitJob c -> jobs.submit(c);
            case StartJob c -> jobs.start(c);
            case CommitCheckpoint c -> jobs.commit(c);
            case EndJob c -> jobs.end(c);
            case CancelJob c -> jobs.cancel(c);
            case RegisterName c -> once(c.nonce(), () -> register(c.name(), c.id()));
            case MoveName c -> once(c.nonce(), () -> move(c));
            case RemoveName c ->
                    once(c.nonce(), () -> new Result.Done(names.remove(c.name()) != null));
            case GrantAccess c -> once(c.nonce(), () -> grant(c));
            case RevokeAccess c ->
                    once(c.nonce(), () -> new Result.Done(grants.remove(c.name()) != null));
        };
    }

    // members

    /** Which cluster this is; 0 until it is founded. */
    public long clusterId() {
        return nodes.clusterId();
    }

    /** The superpeers by ascending id, those that are down among them; a copy. */
    public List<SuperpeerInfo> superpeers() {
        return nodes.superpeers().copy();
    }

    /** Whether a node is one of the superpeers that decide. */
    public boolean isSuperpeer(int node) {
        return nodes.superpeers().votes(node);
    }

    /** Whether a node was a superpeer until it was removed for good, or is about to be removed. */
    public boolean wasSuperpeer(int node) {
        return nodes.superpeers().isRetired(node)
                || nodes.superpeers().state(node) == SuperpeerInfo.State.LEAVING;
    }

    /** Node ids of superpeers that were removed, ascending; a copy. */
    public List<Integer> formerSuperpeers() {
        return List.copyOf(nodes.superpeers().retired());
    }

    /** How many superpeers the cluster was founded with; 0 until it is. */
    public int founders() {
        return nodes.superpeers().founded();
    }

    /** Whether a superpeer is on its own, and never had another that could have led. */
    public boolean hasOneSuperpeer() {
        return nodes.superpeers().size() == 1 && nodes.superpeers().retired().isEmpty();
    }

    /** The members by ascending id; a copy. */
    public List<NodeInfo> nodes() {
        return nodes.copy();
    }

    public boolean isMember(int node) {
        return nodes.isMember(node);
    }

    /** Whether a certain bearer of an id is a member. */
    public boolean isMember(int node, int incarnation) {
        return nodes.isMember(node) && nodes.incarnation(node) == incarnation;
    }

    /** How often an id was handed out before the node that has it, or had it last, got it. */
    public int incarnation(int node) {
        return nodes.incarnation(node);
    }

    /** The ids of nodes that are gone and have not been released, ascending; a copy. */
    public List<Integer> resting() {
        return List.copyOf(nodes.resting());
    }

    /**
     * Whether a certain bearer of an id was forgotten: its disk counts for nothing.
     *
     * @param node node id, or −1
     * @param incarnation of the bearer
     */
    public boolean wasForgotten(int node, int incarnation) {
        return nodes.wasForgotten(node, incarnation);
    }

    /** How often the membership has changed. */
    public long membershipVersion() {
        return nodes.version();
    }

    // zones

    /** A zone, if it exists. */
    public Optional<ZoneInfo> zone(long id) {
        return Optional.ofNullable(zones.zone(id));
    }

    public int zoneCount() {
        return zones.all().size();
    }

    /**
     * Whether a zone was dropped, or passed over for a greater one. Once true it stays true, so an
     * old answer is as good as a new one.
     */
    public boolean isDropped(long zone) {
        return zones.isDropped(zone);
    }

    /** Who may have a copy of a zone without an owner. */
    public ZoneSources sources(long zone) {
        return zones.sources(zone);
    }

    /** The zones of an owner, who may have been lost, by ascending id; a copy. */
    public List<ZoneInfo> zonesOwnedBy(int node) {
        return zones.ownedBy(node);
    }

    /** The zones that a member backs up, by ascending id; a copy. */
    public List<ZoneInfo> zonesBackedBy(int node) {
        return zones.backedBy(node);
    }

    /**
     * The zones that a node may have on its disk, as backup or from before, by ascending id; a
     * copy. A log of any other zone is of no use to anyone.
     */
    public List<ZoneInfo> zonesHeldBy(int node) {
        return zones.heldBy(node);
    }

    /**
     * Those who may have a zone on their disks, if all else is gone; nodes that are gone are among
     * them. A copy; empty if there is no such zone.
     */
    public Set<Integer> holders(long zone) {
        return zones.holders(zone);
    }

    /** The zones whose owner is no member, by ascending id; a copy. */
    public List<ZoneInfo> orphans() {
        return zones.orphans();
    }

    /** How many zones of nodes that are up have fewer backups that are than wanted. */
    public int underReplicated(int wanted, IntPredicate isUp) {
        return zones.underReplicated(wanted, isUp);
    }

    /** How many zones belong to members that are not up. */
    public int silentZones(IntPredicate isUp) {
        return zones.silent(isUp);
    }

    /** How many zones have chunks that are lost for good. */
    public int damagedZones() {
        return zones.damaged();
    }

    /** Failure domains whose loss alone would take all live copies of some zones, hosts first. */
    public List<Exposure> exposures() {
        return zones.exposures();
    }

    /**
     * The next best backup of a zone: one that shares a host, then a rack and so on, with as few of
     * its copies as can be. Of those for its first, the member that is first backup of the fewest
     * zones; for others, the one that is backup of the fewest. None of the avoided ones; -1 if no
     * other member keeps copies or there is no such zone.
     */
    public int chooseBackup(long id, Collection<Integer> avoided) {
        return zones.chooseBackup(id, avoided);
    }

    /** How often zones have changed. */
    public long zoneVersion() {
        return zones.version();
    }

    /**
     * The zones that have changed since a {@link #zoneVersion()} of before, as they are now, by
     * their last change. Zones that are gone are not among them: whoever drops one knows, and of
     * one that has gone with its owner learns who asks.
     */
    public List<ZoneInfo> zonesChangedAfter(long version) {
        return zones.changedAfter(version);
    }

    // the master and its jobs

    /** Who leads the compute group, and in which term. */
    public MasterInfo master() {
        return jobs.master();
    }

    /** A job with its bytes, if it is known. */
    public Optional<Job> job(long id) {
        return Optional.ofNullable(jobs.job(id));
    }

    /** The jobs that wait or run and the last that have ended, by ascending id; a copy. */
    public List<JobInfo> jobs() {
        return jobs.infos();
    }

    // names

    /** The chunk of a name, or {@link ChunkId#NONE}. */
    public long lookup(String name) {
        Long id = names.get(name);
        return id == null ? ChunkId.NONE : id;
    }

    /** Names in order, those greater than one; a view. */
    public SortedMap<String, Long> namesAfter(String after) {
        return Collections.unmodifiableSortedMap(names.tailMap(after, false));
    }

    // access

    /** What was granted, by ascending name; a view, whose values nobody changes. */
    public SortedMap<String, byte[]> grants() {
        return Collections.unmodifiableSortedMap(grants);
    }

    // for the snapshot

    void restoreGrant(String name, byte[] grant) {
        grants.put(name, grant);
    }

    NodeTable nodeTable() {
        return nodes;
    }

    ZoneTable zoneTable() {
        return zones;
    }

    JobTable jobTable() {
        return jobs;
    }

    SortedMap<String, Long> names() {
        return names;
    }

    RecentNonces nameNonces() {
        return nameNonces;
    }

    // commands that concern several parts

    private Result register(RegisterNode command) {
        Result.NodeRegistered known = nodes.known(command.nonce());
        Result answer = known == null ? nodes.refusal(command) : registered(known);
        if (answer != null) {
            return answer;
        }
        int id = nodes.freeId(zones::isSettled);
        if (id < 0) {
            return new Result.Refused(
                    "all node ids up to "
                            + MAX_MEMBER
                            + " have been handed out, and none can be had again now: their bearers"
                            + " are members, have left less than a minute ago, or may have zones on"
                            + " their disks; try again later");
        }
        // Nothing is left of what an earlier bearer of an id had, or the id would still be its own.
        boolean isBack =
                command.previous() != RegisterNode.NO_PREVIOUS
                        && nodes.isMeant(command.previous(), command.incarnation());
        if (isBack) {
            remove(command.previous(), command.incarnation());
        }
        NodeInfo node = nodes.add(command, id);
        if (isBack && node.stores()) {
            zones.returned(command.previous(), node.id());
        }
        return registered(new Result.NodeRegistered(node.id(), node.incarnation(), 0));
    }

    private Result registered(Result.NodeRegistered node) {
        return new Result.NodeRegistered(
                node.node(), node.incarnation(), zones.firstFree(node.node()));
    }

    private Result note(NoteDisk command) {
        if (!nodes.isStoring(command.node())
                || !nodes.isMeant(command.node(), command.incarnation())) {
            return new Result.Refused("node " + command.node() + " is no member that stores");
        }
        boolean isNews = nodes.noteDisk(command.node(), command.hangs());
        if (isNews && command.hangs()) {
            zones.retireAll(command.node());
        }
        return new Result.Done(isNews);
    }

    /** Whether a member was asked to leave. */
    public boolean isLeaving(int node) {
        return nodes.isLeaving(node);
    }

    private Result note(NoteLeaving command) {
        boolean isPeer =
                nodes.members().stream()
                        .anyMatch(node -> node.id() == command.node() && node.role() == Role.PEER);
        if (!isPeer || !nodes.isMeant(command.node(), command.incarnation())) {
            return new Result.Refused("node " + command.node() + " is no peer of the cluster");
        }
        boolean isNews = nodes.noteLeaving(command.node());
        if (isNews) {
            jobs.left(command.node());
        }
        return new Result.Done(isNews);
    }

    private Result forget(ForgetNode command) {
        if (nodes.superpeers().isTaken(command.node())) {
            return nodes.leave(command.node());
        }
        Result refusal = nodes.refusal(command);
        if (refusal != null) {
            return refusal;
        }
        if (!nodes.isMeant(command.node(), command.incarnation())) {
            return new Result.Forgotten(
                    false, 0, 0); // its id was handed out again: nothing is left
        }
        Result result = zones.forget(command.node(), command.acceptsLoss());
        return result instanceof Result.Forgotten done
                ? new Result.Forgotten(
                        nodes.forget(command.node()) || done.changed(),
                        done.waiting(),
                        done.damaged())
                : result;
    }

    private boolean remove(int node, int incarnation) {
        if (!nodes.remove(node, incarnation)) {
            return false;
        }
        zones.left(node);
        jobs.left(node);
        return true;
    }

    private boolean retire(int superpeer) {
        if (!nodes.retire(superpeer)) {
            return false;
        }
        jobs.left(superpeer);
        return true;
    }

    private Result grant(GrantAccess command) {
        int bytes = command.name().getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > AccessRegistry.MAX_NAME_BYTES) {
            return new Result.Refused(
                    "a name has 1 to " + AccessRegistry.MAX_NAME_BYTES + " bytes, not " + bytes);
        }
        if (command.grant().length > AccessRegistry.MAX_GRANT_BYTES) {
            return new Result.Refused(
                    "a grant has at most %d bytes, not %d"
                            .formatted(AccessRegistry.MAX_GRANT_BYTES, command.grant().length));
        }
        if (grants.containsKey(command.name())) {
            return new Result.Done(false);
        }
        if (grants.size() >= AccessRegistry.MAX_GRANTS) {
            return new Result.Refused(
                    "there are %d grants, and no more can be made; revoke one"
                            .formatted(grants.size()));
        }
        grants.put(command.name(), command.grant());
        return new Result.Done(true);
    }

    /** A repetition, which may come late, must not undo what was done to the name meanwhile. */
    private Result once(long nonce, Supplier<Result> command) {
        OptionalLong known = nameNonces.idOf(nonce);
        if (known.isPresent()) {
            return new Result.Done(known.getAsLong() != 0);
        }
        Result result = command.get();
        if (result instanceof Result.Done done) {
            nameNonces.remember(nonce, done.changed() ? 1 : 0);
        }
        return result;
    }

    private Result move(MoveName command) {
        return lookup(command.name()) == command.expected()
                ? register(command.name(), command.id())
                : new Result.Done(false);
    }

    private Result register(String name, long id) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > NameService.MAX_NAME_BYTES) {
            return new Result.Refused(
                    "a name has 1 to " + NameService.MAX_NAME_BYTES + " bytes, not " + bytes);
        }
        if (names.size() >= MAX_NAMES && !names.containsKey(name)) {
            return new Result.Refused("more than " + MAX_NAMES + " names");
        }
        Long before = names.put(name, id);
        return new Result.Done(before == null || before != id);
    }
}
