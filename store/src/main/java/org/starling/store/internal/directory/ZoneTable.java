package org.starling.store.internal.directory;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.starling.store.Exposure;
import org.starling.store.internal.directory.Command.AddBackup;
import org.starling.store.internal.directory.Command.BeginRecovery;
import org.starling.store.internal.directory.Command.ConfirmZone;
import org.starling.store.internal.directory.Command.DropZone;
import org.starling.store.internal.directory.Command.GiveBackZone;
import org.starling.store.internal.directory.Command.OpenZone;
import org.starling.store.internal.directory.Command.RetireBackup;
import org.starling.store.internal.directory.Command.SwitchZone;
import org.starling.store.internal.directory.Command.YieldZone;
import org.starling.store.internal.directory.ZoneRecord.Holder;

/**
 * Who owns and backs up each zone, under which epoch, and on whose disks it is if all else is gone.
 * A part of the {@link Directory} and guarded like it. A command costs O(log zones + members), the
 * loss of a node O(zones it had to do with).
 *
 * <p>Invariants: an owner is none of its zone's backups; backups are members that store and are
 * among the holders; epochs only rise; whoever is marked as returned is a member. Every write that
 * was acknowledged as on two disks is on the disks of two holders, so all holders but one are
 * enough to bring it back (docs/design/reliability.md); a zone that was dropped is never opened
 * again.
 */
final class ZoneTable {
    /** The most zones. */
    static final int MAX_ZONES = 1 << 20;

    /** The most backups of a zone. */
    static final int MAX_BACKUPS = 16;

    /** Zone ids have 36 bits: 16 of the creator, 1 that is always set, 19 of a number. */
    private static final int CREATOR_SHIFT = 20;

    private static final long REPLICATED = 1L << 19;

    /** A node id is handed out again as long as this many zone numbers are left to it. */
    private static final int LEAST_NUMBERS = 1 << 18;

    /** Of every zone. */
    private static final long FIRST_EPOCH = 1;

    /** Less than every zone id. */
    private static final long NONE = -1;

    private final NodeTable nodes;
    private final TreeMap<Long, ZoneRecord> zones = new TreeMap<>();
    private final ZoneIndex index = new ZoneIndex();
    private final Spread spread;

    /**
     * By node id under which zones were opened: the greatest of them. Outlives its bearers, so that
     * none opens a zone that another one has had.
     */
    private final SortedMap<Integer, Long> lastOpened = new TreeMap<>();

    /** Counts changes of zones. */
    private long version;

    ZoneTable(NodeTable nodes) {
        this.nodes = nodes;
        spread = new Spread(nodes, index);
    }

    // commands

    Result open(OpenZone command) {
        ZoneRecord zone = zones.get(command.zone());
        if (zone != null) {
            return zone.owner() == command.owner()
                    ? new Result.Zone(info(zone), false)
                    : new Result.Refused(name(zone.id()) + " belongs to node " + zone.owner());
        }
        if (command.zone() >>> CREATOR_SHIFT != command.owner()
                || (command.zone() & REPLICATED) == 0) {
            return new Result.Refused(
                    name(command.zone()) + " is not one that node " + command.owner() + " creates");
        }
        if (!nodes.isStoring(command.owner())) {
            return notStoring(command.owner());
        }
        if (command.wanted() < 0 || command.wanted() > MAX_BACKUPS) {
            return new Result.Refused(
                    "a zone has 0 to " + MAX_BACKUPS + " backups, not " + command.wanted());
        }
        if (command.zone() <= lastOpened.getOrDefault(command.owner(), NONE)) {
            return new Result.Refused(
                    name(command.zone())
                            + " has been dropped, or passed over for a greater one; its ids are not"
                            + " handed out again");
        }
        if (zones.size() >= MAX_ZONES) {
            return new Result.Refused("more than " + MAX_ZONES + " zones");
        }
        List<Integer> backups = new ArrayList<>();
        while (backups.size() < command.wanted()) {
            int next = spread.choose(command.owner(), backups, List.of());
            if (next < 0) {
                break;
            }
            backups.add(next);
        }
        lastOpened.put(command.owner(), command.zone());
        return changed(
                new ZoneRecord(
                        command.zone(),
                        command.owner(),
                        FIRST_EPOCH,
                        command.isConfirmed() ? FIRST_EPOCH : ZoneRecord.NEVER,
                        List.copyOf(backups),
                        ZoneRecord.kept(backups),
                        0,
                        false));
    }

    Result confirm(ConfirmZone command) {
        ZoneRecord zone = zones.get(command.zone());
        if (zone == null) {
            return unknown(command.zone());
        }
        if (zone.owner() != command.owner() || !nodes.isMember(command.owner())) {
            return notOwner(zone, command.owner());
        }
        if (zone.epoch() != command.epoch()) {
            return new Result.Zone(info(zone), false);
        }
        // While nobody backs the zone up, nothing is acknowledged as safe, so whoever had it last
        // still has all that was.
        SortedMap<Integer, Holder> holders =
                zone.backups().isEmpty() ? zone.holders() : ZoneRecord.kept(zone.backups());
        if (zone.confirmed() == zone.epoch() && holders.equals(zone.holders())) {
            return new Result.Zone(info(zone), false);
        }
        return changed(zone.with(zone.epoch(), zone.epoch(), zone.backups(), holders));
    }

    Result add(AddBackup command) {
        ZoneRecord zone = zones.get(command.zone());
        if (zone == null) {
            return unknown(command.zone());
        }
        if (zone.epoch() != command.epoch() || zone.backups().contains(command.node())) {
            return new Result.Zone(info(zone), false);
        }
        if (!nodes.isMember(zone.owner())) {
            return new Result.Refused(name(zone.id()) + " has no owner, so it gets no new backup");
        }
        if (!nodes.isStoring(command.node())
                || !nodes.isMeant(command.node(), command.incarnation())) {
            return notStoring(command.node());
        }
        if (!nodes.isKeeping(command.node())) {
            return new Result.Refused(
                    "the disk of node " + command.node() + " hangs, or it is about to leave");
        }
        if (zone.owner() == command.node()) {
            return new Result.Refused("an owner is no backup of its own zone");
        }
        if (zone.backups().size() >= MAX_BACKUPS) {
            return new Result.Refused("a zone has 0 to " + MAX_BACKUPS + " backups");
        }
        SortedMap<Integer, Holder> holders = new TreeMap<>(zone.holders());
        holders.put(command.node(), Holder.KEPT);
        List<Integer> backups = new ArrayList<>(zone.backups());
        backups.removeIf(nodes::diskHangs); // until now there was no other
        backups.add(command.node());
        return changed(
                zone.with(zone.epoch() + 1, zone.confirmed(), List.copyOf(backups), holders));
    }

    /**
     * While a zone has no owner, whoever has a copy of it is needed to bring it back, whatever its
     * last owner thought of that one.
     */
    Result retire(RetireBackup command) {
        ZoneRecord zone = zones.get(command.zone());
        if (zone == null) {
            return unknown(command.zone());
        }
        boolean isDue =
                zone.backups().contains(command.node())
                        ? zone.epoch() == command.epoch()
                                && (nodes.isMember(zone.owner()) || !command.isKept())
                        : zone.holders().get(command.node()) == Holder.RETURNED
                                && !command.isKept();
        return isDue
                ? retired(zone, command.node(), command.isKept() ? Holder.KEPT : Holder.RETIRED)
                : new Result.Zone(info(zone), false);
    }

    private Result retired(ZoneRecord zone, int node, Holder as) {
        SortedMap<Integer, Holder> holders = new TreeMap<>(zone.holders());
        holders.put(node, as);
        boolean isNews = zone.backups().contains(node) || isLost(zone);
        return changed(
                zone.with(
                        isNews ? zone.epoch() + 1 : zone.epoch(),
                        zone.confirmed(),
                        zone.backupsWithout(node),
                        holders));
    }

    /**
     * Takes a node whose disk hangs off the backups of all zones that have another one: of the
     * others it may have the only copy.
     */
    void retireAll(int node) {
        for (long id : index.backedBy(node)) {
            ZoneRecord zone = get(id);
            if (zone.backups().size() > 1) {
                Result _ = retired(zone, node, Holder.KEPT);
            }
        }
    }

    Result switchTo(SwitchZone command) {
        ZoneRecord zone = zones.get(command.zone());
        if (zone == null) {
            return unknown(command.zone());
        }
        if (zone.epoch() != command.epoch()) {
            return new Result.Zone(info(zone), false);
        }
        if (nodes.isMember(zone.owner())) {
            return new Result.Refused(
                    name(zone.id()) + " belongs to node " + zone.owner() + ", which is a member");
        }
        int next = command.newOwner();
        List<Integer> sources = isRecoverable(zone) ? zone.returned() : zone.backups();
        if (!sources.contains(next)) {
            return new Result.Refused(
                    "node "
                            + next
                            + " is none of those who can bring "
                            + name(zone.id())
                            + " back");
        }
        if (!nodes.isStoring(next)) {
            return notStoring(next);
        }
        List<Integer> backups =
                sources.stream()
                        .filter(node -> node != next && !command.left().contains(node))
                        .toList();
        boolean isOnNoDisk = backups.isEmpty() && command.left().contains(next);
        List<Integer> gone = zone.holding(Holder.RETIRED);
        // With damage what needs more than one of those is given up.
        boolean isGivenUp = command.damaged() && !gone.isEmpty();
        ZoneRecord before = isGivenUp ? zone.damagedWithout(gone.getFirst()) : zone;
        SortedMap<Integer, Holder> holders =
                isOnNoDisk
                        ? before.holders() // of which all but one have what was on disks before
                        : ZoneRecord.kept(backups.isEmpty() ? List.of(next) : backups);
        long epoch = zone.epoch() + 1;
        boolean damaged = zone.damaged() || command.damaged();
        return changed(new ZoneRecord(zone.id(), next, epoch, epoch, backups, holders, 0, damaged));
    }

    Result orphan(YieldZone command) {
        ZoneRecord zone = zones.get(command.zone());
        if (zone == null) {
            return unknown(command.zone());
        }
        if (zone.owner() == ~command.owner()) {
            return new Result.Zone(info(zone), false);
        }
        if (zone.owner() != command.owner() || !nodes.isMember(command.owner())) {
            return notOwner(zone, command.owner());
        }
        // What this depends on changes with the epoch alone, so a command that comes again changes
        // nothing once one under its epoch has not.
        if (zone.epoch() != command.epoch() || zone.backups().isEmpty()) {
            return new Result.Zone(info(zone), false);
        }
        return changed(zone.yielded());
    }

    Result beginRecovery(BeginRecovery command) {
        ZoneRecord zone = zones.get(command.zone());
        if (zone == null) {
            return unknown(command.zone());
        }
        if (zone.epoch() != command.epoch() || nodes.isMember(zone.owner())) {
            return new Result.Zone(info(zone), false);
        }
        return changed(
                zone.with(zone.epoch() + 1, zone.confirmed(), zone.backups(), zone.holders()));
    }

    Result giveBack(GiveBackZone command) {
        ZoneRecord zone = zones.get(command.zone());
        if (zone == null) {
            return unknown(command.zone());
        }
        if (zone.epoch() != command.epoch() || !zone.isYielded()) {
            return new Result.Zone(info(zone), false);
        }
        return changed(zone.givenBack());
    }

    Result drop(DropZone command) {
        ZoneRecord zone = zones.get(command.zone());
        if (zone == null) {
            return new Result.Done(false);
        }
        if (zone.owner() != command.owner() || !nodes.isMember(command.owner())) {
            return notOwner(zone, command.owner());
        }
        if (zone.epoch() != command.epoch()) {
            return new Result.Zone(info(zone), false);
        }
        remove(zone);
        return new Result.Done(true);
    }

    // what follows from changes of membership

    /**
     * After a node has ceased to be a member. A zone of which nothing was acknowledged goes with
     * its owner: there may be no log of it anywhere, and nobody could tell that from a loss.
     */
    void left(int node) {
        for (long id : index.involving(node)) {
            ZoneRecord zone = get(id);
            boolean isYielder = zone.owner() == ~node;
            if ((isYielder || zone.owner() == node) && zone.isBlank()) {
                remove(zone);
                continue;
            }
            SortedMap<Integer, Holder> holders = new TreeMap<>(zone.holders());
            boolean gone = holders.replace(node, Holder.RETURNED, Holder.KEPT);
            boolean listed = zone.backups().contains(node);
            if (!gone && !listed && !isYielder && zone.owner() != node) {
                continue;
            }
            // Who hears of that uses it again until its lease is over, for which nobody waits who
            // has begun to recover it before.
            ZoneRecord rest = isYielder ? zone.givenBack() : zone;
            changed(
                    rest.with(
                            listed ? rest.epoch() + 1 : rest.epoch(),
                            zone.confirmed(),
                            zone.backupsWithout(node),
                            holders));
        }
    }

    /**
     * After a node has come back under a new id with the disk it had. A lost zone gets a new epoch:
     * who recovers it without knowing of this holder must not switch it.
     */
    void returned(int previous, int node) {
        for (long id : index.heldBy(previous)) {
            ZoneRecord zone = get(id);
            if (zone.holders().get(previous) == Holder.RETIRED) {
                continue;
            }
            SortedMap<Integer, Holder> holders = new TreeMap<>(zone.holders());
            holders.remove(previous);
            holders.put(node, Holder.RETURNED);
            long epoch = isLost(zone) ? zone.epoch() + 1 : zone.epoch();
            changed(zone.with(epoch, zone.confirmed(), zone.backups(), holders));
        }
    }

    /**
     * After a node is gone for good. Its copy of a zone may have been one of two that had a change,
     * so it counts as missing from now on, and not as one that there never was: a zone that is lost
     * needs all others. Of one that needs more than there can be, changes are lost.
     *
     * @return what comes of zones that are lost now; a refusal if some lose changes and that is not
     *     accepted
     */
    Result forget(int node, boolean acceptsLoss) {
        SortedSet<Long> held = index.heldBy(node);
        SortedSet<Long> damaged = new TreeSet<>();
        int waiting = 0;
        for (long id : held) {
            ZoneRecord zone = get(id);
            if (!isLost(zone) || isRecoverable(zone)) {
                continue;
            }
            if (zone.canBeWholeWithout(node)) {
                waiting++;
            } else {
                damaged.add(id);
            }
        }
        if (!damaged.isEmpty() && !acceptsLoss) {
            return lossRefused(node, damaged);
        }
        boolean isNews = false;
        for (long id : held) {
            ZoneRecord zone = get(id);
            ZoneRecord without =
                    damaged.contains(id) ? zone.damagedWithout(node) : zone.without(node);
            if (!without.equals(zone)) {
                changed(without);
                isNews = true;
            }
        }
        return new Result.Forgotten(isNews, waiting, damaged.size());
    }

    private static Result lossRefused(int node, SortedSet<Long> zones) {
        return new Result.Refused(
                "node %d can't be removed without loss: %d %s (the first is %09x) no live copy, and what is on the other disks is not all of %s; start the node again, or accept the loss (--accept-loss)"
                        .formatted(
                                node,
                                zones.size(),
                                zones.size() == 1 ? "zone has" : "zones have",
                                zones.getFirst(),
                                zones.size() == 1 ? "it" : "them"));
    }

    // queries

    @Nullable ZoneInfo zone(long id) {
        ZoneRecord zone = zones.get(id);
        return zone == null ? null : info(zone);
    }

    /**
     * Whether a zone was dropped, or passed over: it does not exist, and its creators open greater
     * ones only. Once true it stays true.
     */
    boolean isDropped(long id) {
        int creator = (int) (id >>> CREATOR_SHIFT);
        return !zones.containsKey(id) && id <= lastOpened.getOrDefault(creator, NONE);
    }

    /** Who may have a copy of a zone without an owner; nobody of one that does not exist. */
    ZoneSources sources(long id) {
        ZoneRecord zone = zones.get(id);
        if (zone == null) {
            return ZoneSources.of(List.of(), true, false);
        }
        boolean isLost = isLost(zone);
        List<Integer> sources = isLost ? zone.returned() : zone.backups();
        ZoneRecord present = withPresent(zone);
        List<Integer> others = new ArrayList<>(present.holding(Holder.RETURNED));
        List<Integer> awaited = new ArrayList<>(present.holding(Holder.KEPT));
        others.removeAll(sources);
        awaited.removeAll(sources);
        if (zone.isYielded()) {
            awaited.add(~zone.owner());
        }
        return new ZoneSources(
                sources,
                isLost,
                isLost && sources.size() == zone.holders().size(),
                others,
                awaited);
    }

    /** The number of the first zone that a node with this id may open. */
    int firstFree(int node) {
        Long last = lastOpened.get(node);
        return last == null ? 0 : (int) (last & (REPLICATED - 1)) + 1;
    }

    /** Whether no zone depends on who has an id, and the next one who has it may open enough. */
    boolean isSettled(int node) {
        return !index.knows(node) && firstFree(node) <= REPLICATED - LEAST_NUMBERS;
    }

    List<ZoneInfo> ownedBy(int node) {
        return infos(index.ownedBy(node));
    }

    List<ZoneInfo> backedBy(int node) {
        return infos(index.backedBy(node));
    }

    List<ZoneInfo> heldBy(int node) {
        return infos(index.heldBy(node));
    }

    Set<Integer> holders(long id) {
        ZoneRecord zone = zones.get(id);
        return zone == null ? Set.of() : Set.copyOf(zone.holders().keySet());
    }

    List<ZoneInfo> orphans() {
        SortedSet<Long> orphans = new TreeSet<>();
        for (int owner : index.owners()) {
            if (!nodes.isMember(owner)) {
                orphans.addAll(index.ownedBy(owner));
            }
        }
        return infos(orphans);
    }

    List<ZoneInfo> changedAfter(long since) {
        return infos(index.changedAfter(since));
    }

    /** Zones of nodes that are up of which fewer back up than wanted. */
    int underReplicated(int wanted, IntPredicate isUp) {
        return count(zone ->
                isUp.test(zone.owner())
                        && zone.backups().stream().filter(isUp::test).count() < wanted);
    }

    /** Zones of members that are not up. */
    int silent(IntPredicate isUp) {
        return count(zone -> nodes.isMember(zone.owner()) && !isUp.test(zone.owner()));
    }

    /** Zones of which some chunks are lost for good. */
    int damaged() {
        return count(zone -> zone.damaged() || isGone(zone));
    }

    /** The member that would be the zone's next backup, or -1. */
    int chooseBackup(long id, Collection<Integer> avoided) {
        ZoneRecord zone = zones.get(id);
        return zone == null ? -1 : spread.choose(zone.owner(), zone.backups(), avoided);
    }

    /** See {@link Spread#exposures}. */
    List<Exposure> exposures() {
        return spread.exposures(zones.values());
    }

    Collection<ZoneRecord> all() {
        return zones.values();
    }

    long version() {
        return version;
    }

    /** The greatest zone opened under each node id. */
    Collection<Long> lastOpened() {
        return lastOpened.values();
    }

    // for the snapshot

    void restore(long tableVersion) {
        version = tableVersion;
    }

    void restoreLastOpened(long zone) {
        lastOpened.put((int) (zone >>> CREATOR_SHIFT), zone);
    }

    void restore(ZoneRecord zone) {
        zones.put(zone.id(), zone);
        index.add(zone);
    }

    // private

    private ZoneRecord get(long id) {
        ZoneRecord zone = zones.get(id);
        if (zone == null) {
            throw new IllegalStateException("index names " + name(id) + ", which does not exist");
        }
        return zone;
    }

    private void remove(ZoneRecord zone) {
        zones.remove(zone.id());
        index.remove(zone);
        version++;
    }

    private Result.Zone changed(ZoneRecord changed) {
        version++;
        ZoneRecord zone = settled(changed).at(version);
        ZoneRecord before = zones.put(zone.id(), zone);
        if (before != null) {
            index.remove(before);
        }
        index.add(zone);
        return new Result.Zone(info(zone), true);
    }

    private ZoneRecord settled(ZoneRecord changed) {
        if (changed.isYielded() && changed.backups().isEmpty()) {
            return changed.givenBack(); // if that one is gone, it is so already: see left()
        }
        return isLost(changed) ? withPresent(changed) : changed;
    }

    /**
     * Holders that were taken off the list and have never gone are as good as those that return.
     */
    private ZoneRecord withPresent(ZoneRecord zone) {
        SortedMap<Integer, Holder> holders = new TreeMap<>(zone.holders());
        for (int node : zone.holders().keySet()) {
            if (nodes.isStoring(node)) {
                holders.replace(node, Holder.KEPT, Holder.RETURNED);
            }
        }
        return zone.with(zone.epoch(), zone.confirmed(), zone.backups(), holders);
    }

    private boolean isLost(ZoneRecord zone) {
        return zone.backups().isEmpty() && !nodes.isMember(zone.owner());
    }

    /** Whether it is lost, and no disk is left that may have it. */
    private boolean isGone(ZoneRecord zone) {
        return isLost(zone) && zone.holders().values().stream().allMatch(Holder.RETIRED::equals);
    }

    private boolean isRecoverable(ZoneRecord zone) {
        int returned = zone.returned().size();
        return isLost(zone) && returned > 0 && zone.holders().size() - returned <= 1;
    }

    private ZoneInfo info(ZoneRecord zone) {
        return new ZoneInfo(
                zone.id(),
                zone.owner(),
                zone.epoch(),
                zone.backups(),
                isLost(zone),
                isRecoverable(zone),
                zone.returned(),
                isLost(zone) ? isGone(zone) : zone.damaged());
    }

    private List<ZoneInfo> infos(Collection<Long> ids) {
        List<ZoneInfo> infos = new ArrayList<>(ids.size());
        for (long id : ids) {
            infos.add(info(get(id)));
        }
        return infos;
    }

    private int count(Predicate<ZoneRecord> condition) {
        return (int) zones.values().stream().filter(condition).count();
    }

    private static String name(long zone) {
        return String.format("zone %09x", zone);
    }

    private static Result unknown(long zone) {
        return new Result.Refused(name(zone) + " does not exist");
    }

    private static Result notOwner(ZoneRecord zone, int node) {
        return new Result.Refused("node " + node + " does not own " + name(zone.id()));
    }

    private static Result notStoring(int node) {
        return new Result.Refused("node " + node + " is no member that stores");
    }
}
