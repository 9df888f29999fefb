package org.starling.compute.internal.structure;

import java.util.ArrayList;
import java.util.List;
import org.starling.graph.Structures.Durability;

/**
 * What the store knows of a structure: a chunk of JSON under the structure's name. Immutable; a
 * change makes a new one, to which the name moves in one step.
 *
 * @param type what it is
 * @param durability of its chunks
 * @param kept whether it outlives its job
 * @param keptBefore whether it was kept before the last commit
 * @param dropped whether it is gone but for its chunks
 * @param root pages of the last commit
 * @param before pages before that
 * @param job that made the last commit; 0 if none was made on a cluster
 * @param task of the job that made it
 * @param fresh chunks of the last commit that were not there before
 * @param stale chunks that the last commit needs no more
 * @param pending chunks made for a commit to come
 * @param leaving chunks that nobody needs
 * @param users jobs that have opened it
 * @param writer the job that changes it; 0 if none does
 */
record Head(
        StructureType type,
        Durability durability,
        boolean kept,
        boolean keptBefore,
        boolean dropped,
        Root root,
        Root before,
        long job,
        int task,
        List<Span> fresh,
        List<Span> stale,
        List<Span> pending,
        List<Span> leaving,
        List<Long> users,
        long writer) {
    Head {
        fresh = List.copyOf(fresh);
        stale = List.copyOf(stale);
        pending = List.copyOf(pending);
        leaving = List.copyOf(leaving);
        users = List.copyOf(users);
    }

    /**
     * Where the pages are named.
     *
     * @param chunk which names them; 0 if there are none
     * @param token that the chunk bears
     * @param size number of entries
     */
    record Root(long chunk, long token, long size) {
        static final Root EMPTY = new Root(0, 0, 0);
    }

    static Head fresh(StructureType type, Durability durability) {
        List<Span> none = List.of();
        return new Head(
                type,
                durability,
                false,
                false,
                false,
                Root.EMPTY,
                Root.EMPTY,
                0,
                0,
                none,
                none,
                none,
                none,
                List.of(),
                0);
    }

    Head with(boolean newKept, boolean newDropped) {
        return with(newKept, newDropped, pending, leaving, users, writer);
    }

    Head withUsers(List<Long> newUsers, long newWriter) {
        return with(kept, dropped, pending, leaving, newUsers, newWriter);
    }

    Head withPending(List<Span> newPending) {
        return with(kept, dropped, newPending, leaving, users, writer);
    }

    Head withLeaving(List<Span> newLeaving) {
        return with(kept, dropped, pending, newLeaving, users, writer);
    }

    private Head with(
            boolean newKept,
            boolean newDropped,
            List<Span> newPending,
            List<Span> newLeaving,
            List<Long> newUsers,
            long newWriter) {
        return new Head(
                type,
                durability,
                newKept,
                keptBefore,
                newDropped,
                root,
                before,
                job,
                task,
                fresh,
                stale,
                newPending,
                newLeaving,
                newUsers,
                newWriter);
    }

    /** With a commit: what was pending is its own. */
    Head committed(Root newRoot, List<Span> superseded, long byJob, int byTask) {
        return new Head(
                type,
                durability,
                kept,
                kept,
                dropped,
                newRoot,
                root,
                byJob,
                byTask,
                pending,
                superseded,
                List.of(),
                joined(leaving, stale),
                users,
                writer);
    }

    /** Nobody goes back behind the last commit: what it superseded leaves. */
    Head settled() {
        return withoutBefore(kept, dropped, root, stale);
    }

    /** As it was before the last commit, whose task is done again. */
    Head reverted() {
        return withoutBefore(keptBefore, false, before, fresh);
    }

    private Head withoutBefore(boolean isKept, boolean isDropped, Root only, List<Span> unused) {
        return new Head(
                type,
                durability,
                isKept,
                isKept,
                isDropped,
                only,
                Root.EMPTY,
                0,
                0,
                List.of(),
                List.of(),
                pending,
                joined(leaving, unused),
                users,
                writer);
    }

    /** Without what somebody has made for a commit that does not come. */
    Head aborted() {
        return with(kept, dropped, List.of(), joined(leaving, pending), users, writer);
    }

    /**
     * Without what a task has made, and as it was before that task's commit, if that has come here:
     * who moved the name may not have heard that it did.
     */
    Head undone(long byJob, int byTask) {
        boolean isTheirs = byJob != 0 && job == byJob && task == byTask;
        return isTheirs ? aborted().reverted() : aborted();
    }

    /** All chunks leave. */
    Head emptied(List<Span> pages) {
        List<Span> all = joined(joined(joined(leaving, pending), stale), pages);
        return new Head(
                type,
                durability,
                kept,
                keptBefore,
                true,
                Root.EMPTY,
                Root.EMPTY,
                job,
                task,
                List.of(),
                List.of(),
                List.of(),
                all,
                users,
                writer);
    }

    static List<Span> joined(List<Span> some, List<Span> others) {
        List<Span> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }
}
