package org.starling.store.internal.directory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.starling.store.JobInfo;
import org.starling.store.NodeInfo;
import org.starling.store.Role;
import org.starling.store.internal.directory.ZoneRecord.Holder;

/** Looks at a directory after each command and says what must never be. */
final class DirectoryInvariants {
    private final Map<Long, Long> epochs = new HashMap<>();
    private final Map<Long, Long> attempts = new HashMap<>();
    private final Map<Long, Long> checkpoints = new HashMap<>();
    private long masterTerm;
    private long zoneVersion;

    /**
     * Compares with what was there before.
     *
     * @return one sentence for each thing that is wrong
     */
    List<String> violations(Directory directory) {
        List<String> wrong = new ArrayList<>();
        for (ZoneRecord zone : directory.zoneTable().all()) {
            check(directory, zone, wrong);
        }
        epochs.keySet().removeIf(zone -> directory.zone(zone).isEmpty());
        for (JobInfo job : directory.jobs()) {
            long done = directory.job(job.id()).orElseThrow().checkpoints();
            rises(
                    wrong,
                    "attempt of job " + job.id(),
                    attempts.put(job.id(), job.attempt()),
                    job.attempt());
            rises(wrong, "checkpoints of job " + job.id(), checkpoints.put(job.id(), done), done);
        }
        if (directory.superpeers().isEmpty() && directory.clusterId() != 0) {
            wrong.add("there is no superpeer left");
        }
        for (NodeInfo node : directory.nodes()) {
            if ((node.role() == Role.SUPERPEER) != directory.isSuperpeer(node.id())) {
                wrong.add("a member is superpeer and is not: " + node);
            }
        }
        MasterInfo master = directory.master();
        if (master.node() != MasterInfo.NOBODY && !directory.isMember(master.node())) {
            wrong.add("the master is no member");
        }
        rises(wrong, "term of the master", masterTerm, master.term());
        rises(wrong, "version of zones", zoneVersion, directory.zoneVersion());
        masterTerm = master.term();
        zoneVersion = directory.zoneVersion();
        return wrong;
    }

    private void check(Directory directory, ZoneRecord zone, List<String> wrong) {
        ZoneInfo info = directory.zone(zone.id()).orElseThrow();
        Set<Integer> distinct = new HashSet<>(zone.backups());
        if (distinct.contains(zone.owner())) {
            wrong.add("an owner backs its own zone up: " + zone);
        }
        if (distinct.size() != zone.backups().size()) {
            wrong.add("a backup is listed twice: " + zone);
        }
        if (!zone.backups().stream().allMatch(directory.nodeTable()::isStoring)) {
            wrong.add("a listed backup is no member that stores: " + zone);
        }
        if (!zone.holders().keySet().containsAll(distinct)) {
            wrong.add("a listed backup is no holder: " + zone);
        }
        if (zone.backups().stream().anyMatch(node -> zone.holders().get(node) != Holder.KEPT)) {
            wrong.add("a listed backup does not count as holder: " + zone);
        }
        boolean orphan = !directory.isMember(zone.owner());
        if (info.lost() != (orphan && zone.backups().isEmpty())) {
            wrong.add("lost is wrong: " + zone);
        }
        if (info.recoverable() && (!info.lost() || info.returnedHolders().isEmpty())) {
            wrong.add("recoverable is wrong: " + zone);
        }
        if (!info.returnedHolders().stream().allMatch(directory::isMember)) {
            wrong.add("who has returned is no member: " + zone);
        }
        if (zone.confirmed() > zone.epoch()) {
            wrong.add("an epoch is confirmed before it is there: " + zone);
        }
        if (directory.orphans().contains(info) != orphan) {
            wrong.add("orphans are wrong: " + zone);
        }
        if (!directory.zonesOwnedBy(zone.owner()).contains(info)
                || !zone.backups().stream()
                        .allMatch(node -> directory.zonesBackedBy(node).contains(info))
                || !zone.holders().keySet().stream()
                        .allMatch(node -> directory.zonesHeldBy(node).contains(info))) {
            wrong.add("a query does not find: " + zone);
        }
        rises(wrong, "epoch of " + zone, epochs.put(zone.id(), zone.epoch()), zone.epoch());
    }

    private static void rises(List<String> wrong, String what, Long before, long now) {
        if (before != null && now < before) {
            wrong.add(what + " fell from " + before + " to " + now);
        }
    }
}
