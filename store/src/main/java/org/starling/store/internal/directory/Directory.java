package org.starling.store.internal.directory;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.starling.store.ChunkId;
import org.starling.store.NameService;
import org.starling.store.NodeInfo;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.internal.directory.Command.ArriveAtBarrier;
import org.starling.store.internal.directory.Command.CreateBarrier;
import org.starling.store.internal.directory.Command.RegisterName;
import org.starling.store.internal.directory.Command.RegisterNode;
import org.starling.store.internal.directory.Command.RemoveBarrier;
import org.starling.store.internal.directory.Command.RemoveName;
import org.starling.store.internal.directory.Command.RemoveNode;

/**
 * Who is a member, who owns which chunks, names and barriers: the state that a whole cluster must
 * agree on. A deterministic state machine: {@link #apply} depends on the commands so far and on
 * nothing else, so replicas that apply the same commands are equal, and so are their snapshots,
 * byte by byte ({@link DirectorySnapshot}).
 *
 * <p>Owned by the superpeer and guarded by it; not thread-safe. A chunk's owner is its creator
 * unless a range says otherwise, so creating and removing chunks needs no command. A command costs
 * O(log n), a snapshot O(n).
 */
public final class Directory {
    /** The greatest node id of a member; the ids above are for nodes that are joining. */
    public static final int MAX_MEMBER = 65_023;

    /** The most names. */
    public static final int MAX_NAMES = 1 << 20;

    /** The most ranges whose owner is not their creator. */
    public static final int MAX_RANGES = 1 << 20;

    /** The most barriers. */
    public static final int MAX_BARRIERS = 1 << 16;

    /** The most parties of a barrier. */
    public static final int MAX_PARTIES = 1 << 16;

    /** One barrier: who has arrived in the open round. */
    record Barrier(int parties, long round, SortedSet<Integer> arrived) {}

    private final TreeMap<Integer, NodeInfo> nodes = new TreeMap<>();
    private final RangeMap owners = new RangeMap();
    private final TreeMap<String, Long> names = new TreeMap<>();
    private final TreeMap<Long, Barrier> barriers = new TreeMap<>();
    private int nextNode;
    private long nextBarrier;

    /** Counts changes of membership; tells an older list of nodes from a newer one. */
    private long membershipVersion;

    /** An empty directory. */
    public Directory() {}

    /**
     * Carries out a command.
     *
     * @param command what to do
     * @return what came of it
     */
    public Result apply(Command command) {
        return switch (command) {
            case RegisterNode c -> register(c);
            case RemoveNode c -> remove(c);
            case RegisterName c -> register(c);
            case RemoveName c -> new Result.Done(names.remove(c.name()) != null);
            case CreateBarrier c -> create(c);
            case ArriveAtBarrier c -> arrive(c);
            case RemoveBarrier c -> new Result.Done(barriers.remove(c.barrier()) != null);
            default -> throw new UnsupportedOperationException("not written yet");
        };
    }

    // queries

    /**
     * The members.
     *
     * @return a copy, by ascending id
     */
    public List<NodeInfo> nodes() {
        return new ArrayList<>(nodes.values());
    }

    /**
     * Whether a node is a member.
     *
     * @param node node id
     * @return true if it is
     */
    public boolean isMember(int node) {
        return nodes.containsKey(node);
    }

    /**
     * How often the membership has changed.
     *
     * @return changes so far
     */
    public long membershipVersion() {
        return membershipVersion;
    }

    /**
     * The owner of a chunk, and the ids around it that have the same one.
     *
     * @param id chunk id
     * @return the range and its owner, who may have been lost
     */
    public RangeMap.Range locate(long id) {
        int creator = ChunkId.creator(id);
        long lowest = id & ~ChunkId.MAX_LOCAL;
        return owners.around(id, lowest, lowest | ChunkId.MAX_LOCAL, creator);
    }

    /**
     * Whether every chunk is with its creator.
     *
     * @return true if no range says otherwise
     */
    public boolean everyCreatorOwns() {
        return owners.size() == 0;
    }

    /**
     * The chunk of a name.
     *
     * @param name a name
     * @return chunk id, or {@link ChunkId#NONE}
     */
    public long lookup(String name) {
        Long id = names.get(name);
        return id == null ? ChunkId.NONE : id;
    }

    /**
     * Names in order.
     *
     * @param after names greater than this; empty for all
     * @return a view
     */
    public SortedMap<String, Long> namesAfter(String after) {
        return Collections.unmodifiableSortedMap(names.tailMap(after, false));
    }

    /** The zone, if it is open. */
    public Optional<ZoneInfo> zone(long zone) {
        throw new UnsupportedOperationException("not written yet");
    }
    public List<ZoneInfo> zones() {
        throw new UnsupportedOperationException("not written yet");
    }
    public List<ZoneInfo> zonesOwnedBy(int node) {
        throw new UnsupportedOperationException("not written yet");
    }
    public List<ZoneInfo> zonesBackedBy(int node) {
        throw new UnsupportedOperationException("not written yet");
    }
    public List<ZoneInfo> zonesHeldBy(int node) {
        throw new UnsupportedOperationException("not written yet");
    }
    public List<ZoneInfo> orphans() {
        throw new UnsupportedOperationException("not written yet");
    }
    public int zoneCount() {
        throw new UnsupportedOperationException("not written yet");
    }
    public int chooseBackup(long zone) {
        throw new UnsupportedOperationException("not written yet");
    }
    public int underReplicated(int wanted) {
        throw new UnsupportedOperationException("not written yet");
    }
    /** Counts changes of zones. */
    public long zoneVersion() {
        throw new UnsupportedOperationException("not written yet");
    }
    /** Zones (as they are now) changed after that zoneVersion; dropped ones are not among them. */
    public List<ZoneInfo> zonesChangedAfter(long version) {
        throw new UnsupportedOperationException("not written yet");
    }
    public Optional<Job> job(long id) {
        throw new UnsupportedOperationException("not written yet");
    }
    public List<JobInfo> jobs() {
        throw new UnsupportedOperationException("not written yet");
    }
    public MasterInfo master() {
        throw new UnsupportedOperationException("not written yet");
    }
    /** 0 until founded. */
    public long clusterId() {
        throw new UnsupportedOperationException("not written yet");
    }
    public int superpeers() {
        throw new UnsupportedOperationException("not written yet");
    }
    /** Port of REST of a superpeer, 0 if none. */
    public int restPort(int superpeer) {
        throw new UnsupportedOperationException("not written yet");
    }

    // for the snapshot

    RangeMap owners() {
        return owners;
    }

    SortedMap<String, Long> names() {
        return names;
    }

    SortedMap<Long, Barrier> barriers() {
        return barriers;
    }

    int nextNode() {
        return nextNode;
    }

    long nextBarrier() {
        return nextBarrier;
    }

    void restore(List<NodeInfo> members, int node, long barrier, long version) {
        members.forEach(member -> nodes.put(member.id(), member));
        nextNode = node;
        nextBarrier = barrier;
        membershipVersion = version;
    }

    // commands

    private Result register(RegisterNode command) {
        if (nextNode > MAX_MEMBER) {
            return new Result.Refused("all node ids up to " + MAX_MEMBER + " have been used");
        }
        NodeInfo node;
        try {
            node =
                    new NodeInfo(
                            nextNode,
                            command.role(),
                            command.host(),
                            command.port(),
                            command.cores(),
                            command.capabilities());
        } catch (IllegalArgumentException e) {
            return new Result.Refused(String.valueOf(e.getMessage()));
        }
        nodes.put(nextNode++, node);
        membershipVersion++;
        return new Result.NodeRegistered(node.id());
    }

    private Result remove(RemoveNode command) {
        if (nodes.remove(command.node()) == null) {
            return new Result.Done(false);
        }
        membershipVersion++;
        return new Result.Done(true);
    }

    private Result register(RegisterName command) {
        String name = command.name();
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > NameService.MAX_NAME_BYTES) {
            return new Result.Refused(
                    "a name has 1 to " + NameService.MAX_NAME_BYTES + " bytes, not " + bytes);
        }
        if (names.size() >= MAX_NAMES && !names.containsKey(name)) {
            return new Result.Refused("more than " + MAX_NAMES + " names");
        }
        Long before = names.put(name, command.id());
        return new Result.Done(before == null || before != command.id());
    }

    private Result create(CreateBarrier command) {
        if (command.parties() < 1 || command.parties() > MAX_PARTIES) {
            return new Result.Refused(
                    "a barrier has 1 to " + MAX_PARTIES + " parties, not " + command.parties());
        }
        if (barriers.size() >= MAX_BARRIERS) {
            return new Result.Refused("more than " + MAX_BARRIERS + " barriers");
        }
        barriers.put(nextBarrier, new Barrier(command.parties(), 0, new TreeSet<>()));
        return new Result.BarrierCreated(nextBarrier++);
    }

    private Result arrive(ArriveAtBarrier command) {
        Barrier barrier = barriers.get(command.barrier());
        if (barrier == null) {
            return new Result.Refused("barrier " + command.barrier() + " does not exist");
        }
        if (command.round() > barrier.round) {
            return new Result.Refused(
                    "barrier "
                            + command.barrier()
                            + " is in round "
                            + barrier.round
                            + ", not yet in "
                            + command.round());
        }
        if (command.round() == barrier.round) {
            barrier.arrived.add(command.party());
        }
        if (barrier.arrived.size() == barrier.parties) {
            barrier = new Barrier(barrier.parties, barrier.round + 1, new TreeSet<>());
            barriers.put(command.barrier(), barrier);
        }
        return new Result.Arrived(barrier.round, barrier.parties - barrier.arrived.size());
    }
}
