package org.starling.store.internal.directory;

import java.util.List;
import org.starling.store.JobStatus;
import org.starling.store.NodeOptions;
import org.starling.store.Place;
import org.starling.store.Role;

/**
 * Everything that can change the {@link Directory}. Commands carry all that they depend on, no
 * clock and no chance; their bytes are defined by {@link CommandLayout}.
 */
public sealed interface Command {
    /** Instead of an incarnation: whoever has the node id now. */
    int ANY = -1;

    // nodes

    /**
     * The cluster comes into being. Only the first one changes anything.
     *
     * @param clusterId tells this cluster from others, not 0
     * @param superpeers how many superpeers there are at first, 1 or more; node ids below are
     *     theirs
     */
    record FoundCluster(long clusterId, int superpeers) implements Command {}

    /**
     * A superpeer starts or has restarted; its node id is its index.
     *
     * @param index 0 to the number of superpeers - 1
     * @param host where the others reach it; empty for the in-process loopback
     * @param port likewise
     */
    record RegisterSuperpeer(int index, String host, int port) implements Command {}

    /**
     * A superpeer is to be taken in, and gets a node id that nobody has had. It counts from its
     * first {@link RegisterSuperpeer} on, which comes when it has all that the directory has. At
     * the address of a superpeer it is that one again, with an empty disk.
     *
     * @param host where the others reach it; empty for the in-process loopback
     * @param port likewise
     * @param nonce tells a repeated command from another; 0 if it is never repeated
     */
    record AddSuperpeer(String host, int port, long nonce) implements Command {}

    /**
     * A superpeer that is to leave ({@link ForgetNode}) has no vote any more.
     *
     * @param node its id
     */
    record RemoveSuperpeer(int node) implements Command {}

    /**
     * A peer joins and gets a node id: the next one that nobody has had, or one whose last bearer
     * has been let go ({@link ReleaseNode}), under the next incarnation. The same nonce again gets
     * the same id and incarnation.
     *
     * @param role {@link Role#PEER}
     * @param host where the others reach it; empty for the in-process loopback
     * @param port likewise
     * @param cores processors it offers
     * @param capabilities bit set, see {@link NodeOptions#capabilities()}
     * @param clusterId the cluster that its data directory belongs to; 0 if it has none
     * @param previous the node id under which its data directory was last used; -1 if it never was
     * @param incarnation of that id, then
     * @param nonce tells a repeated registration from another; 0 if it is never repeated
     * @param place the failure domains that it is in
     */
    record RegisterNode(
            Role role,
            String host,
            int port,
            int cores,
            long capabilities,
            long clusterId,
            int previous,
            int incarnation,
            long nonce,
            Place place)
            implements Command {
        /** The {@link #previous} of a node without a past. */
        public static final int NO_PREVIOUS = -1;
    }

    /**
     * A node has left or is lost. It is taken off every zone's backups, and the zones it owns
     * become orphans. Its id rests until it is released.
     *
     * @param node node id
     * @param incarnation of the node that is meant, or {@link #ANY}; another one stays
     */
    record RemoveNode(int node, int incarnation) implements Command {
        /** Whoever has the id now. */
        public RemoveNode(int node) {
            this(node, ANY);
        }
    }

    /**
     * A node has been gone for so long that nothing it has sent, and nothing sent about it, can be
     * under way any more: its id may be handed out again, once no zone has to do with it.
     *
     * @param node node id
     * @param incarnation of the node that is gone
     */
    record ReleaseNode(int node, int incarnation) implements Command {}

    /**
     * A peer's disk hangs, or answers again. While it hangs the peer is chosen as nobody's backup;
     * it is taken off the backups of all zones that have another one.
     *
     * @param node a member that stores
     * @param incarnation of the node that is meant, or {@link #ANY}
     * @param hangs whether it does
     */
    record NoteDisk(int node, int incarnation, boolean hangs) implements Command {
        /** Whoever has the id now. */
        public NoteDisk(int node, boolean hangs) {
            this(node, ANY, hangs);
        }
    }

    /**
     * Somebody wants a peer to leave: it is chosen as nobody's backup and as no master any more,
     * and groups that compute do without it. It leaves by itself when it has nothing to do.
     *
     * @param node a peer
     * @param incarnation of the node that is meant, or {@link #ANY}
     */
    record NoteLeaving(int node, int incarnation) implements Command {
        /** Whoever has the id now. */
        public NoteLeaving(int node) {
            this(node, ANY);
        }
    }

    /**
     * A peer that is no member is gone for good, and its disk with it: it counts no more among
     * those who may have a zone. A zone that is lost and can't be brought back whole without it is
     * brought back from what is left, as damaged, if that is accepted; otherwise the node stays.
     *
     * @param node node id of a peer that has left or was lost
     * @param incarnation of the node that is meant, or {@link #ANY}; of another one nothing is left
     * @param acceptsLoss whether zones may lose changes for good
     */
    record ForgetNode(int node, int incarnation, boolean acceptsLoss) implements Command {
        /** Whoever has had the id last. */
        public ForgetNode(int node, boolean acceptsLoss) {
            this(node, ANY, acceptsLoss);
        }
    }

    // zones: a command whose epoch is not the current one changes nothing and gets the zone as it
    // is

    /**
     * The creator of a zone opens it, with epoch 1.
     *
     * @param zone zone id, of the owner's own and greater than all that it has opened
     * @param owner a member that stores
     * @param wanted how many backups to choose, if there are that many
     * @param isConfirmed whether the owner acknowledges writes without a {@link ConfirmZone} of the
     *     first epoch, as owners did before they sent one
     */
    record OpenZone(long zone, int owner, int wanted, boolean isConfirmed) implements Command {
        /** The owner acknowledges nothing before it has confirmed the first epoch. */
        public OpenZone(long zone, int owner, int wanted) {
            this(zone, owner, wanted, false);
        }
    }

    /**
     * The owner works under the current epoch, so nodes that are no backups any more may lack what
     * is acknowledged from now on.
     *
     * @param zone zone id
     * @param epoch the current epoch
     * @param owner its owner
     */
    record ConfirmZone(long zone, long epoch, int owner) implements Command {}

    /**
     * A node that has everything of a zone on its disk becomes its last backup.
     *
     * @param zone zone id
     * @param epoch the current epoch
     * @param node a member that stores, not the owner
     * @param incarnation of the node that is meant, or {@link #ANY}
     */
    record AddBackup(long zone, long epoch, int node, int incarnation) implements Command {
        /** Whoever has the id now. */
        public AddBackup(long zone, long epoch, int node) {
            this(zone, epoch, node, ANY);
        }
    }

    /**
     * A node is a backup no more, because its disk has failed or it does not answer; or a returned
     * holder has nothing.
     *
     * @param zone zone id
     * @param epoch the epoch under which this was found; under another one a backup stays
     * @param node the backup or returned holder
     * @param isKept whether what it has on disk is all that it has ever said to be there, so that
     *     it counts should it come back; while the zone has no owner such a backup stays
     */
    record RetireBackup(long zone, long epoch, int node, boolean isKept) implements Command {}

    /**
     * An orphan gets a new owner, who has recovered it.
     *
     * @param zone zone id
     * @param epoch the epoch under which it was recovered
     * @param newOwner one of its backups; of a lost zone that is recoverable, a returned holder
     * @param left those among the others that do not have all of it, and are backups no more; with
     *     the new owner among them its disk does not have it either
     * @param damaged whether chunks were lost; stays with the zone for good
     */
    record SwitchZone(long zone, long epoch, int newOwner, List<Integer> left, boolean damaged)
            implements Command {
        /** Copies the list. */
        public SwitchZone {
            left = List.copyOf(left);
        }
    }

    /**
     * The owner serves a zone no more and lets one of its backups take it over: it is an orphan
     * from now on. Until another one has taken it its owner keeps what it has, and gets it back
     * when there is no backup any more. A zone without backups stays as it is.
     *
     * @param zone zone id
     * @param epoch the current epoch
     * @param owner its owner
     * @param target the backup that has been prepared for it, and should take it if it can; or
     *     {@link #ANYBODY}
     */
    record YieldZone(long zone, long epoch, int owner, int target) implements Command {
        /** No backup in particular. */
        public static final int ANYBODY = -1;

        /** To whichever backup can take it. */
        public YieldZone(long zone, long epoch, int owner) {
            this(zone, epoch, owner, ANYBODY);
        }
    }

    /**
     * A recovery of an orphan begins, under an epoch of its own: whoever was asked to recover it
     * before may still be at work, and what it does counts for nothing from then on.
     *
     * @param zone zone id
     * @param epoch the current epoch; that of the recovery is the next
     */
    record BeginRecovery(long zone, long epoch) implements Command {}

    /**
     * A zone that its owner has yielded is that owner's again: who was to take it could not.
     *
     * @param zone zone id
     * @param epoch the current epoch
     */
    record GiveBackZone(long zone, long epoch) implements Command {}

    /**
     * The owner gives up a zone without chunks, for good: it is never opened again.
     *
     * @param zone zone id
     * @param epoch the current epoch: an owner of before may have had the same id
     * @param owner its owner
     */
    record DropZone(long zone, long epoch, int owner) implements Command {}

    // the master and its jobs

    /**
     * A node is to be master, if there is none.
     *
     * @param node a member that computes
     */
    record ElectMaster(int node) implements Command {}

    /**
     * A job is queued. The same nonce again gets the same job.
     *
     * @param nonce tells a repeated submission from another; 0 if it is never repeated
     * @param name 1 to 255 bytes of UTF-8
     * @param payload at most {@link org.starling.store.Job#MAX_PAYLOAD_BYTES}
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by the bytes of the command
    record SubmitJob(long nonce, String name, byte[] payload) implements Command {}

    /**
     * The master starts a job, or starts it again from its last checkpoint.
     *
     * @param job its id
     * @param node the master
     * @param term the master's term
     * @param lastAttempt the job's attempt until now, 0 for its first start; so that a repeated
     *     command starts it once
     */
    record StartJob(long job, int node, long term, long lastAttempt) implements Command {}

    /**
     * All slaves have written a checkpoint; it becomes the one to go back to.
     *
     * @param job a running job
     * @param attempt its current attempt
     * @param number the job's checkpoints until now + 1; so that a late repetition changes nothing
     * @param progress at most {@link org.starling.store.Job#MAX_PROGRESS_BYTES}
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by the bytes of the command
    record CommitCheckpoint(long job, long attempt, long number, byte[] progress)
            implements Command {}

    /**
     * A running job has ended.
     *
     * @param job its id
     * @param attempt its current attempt
     * @param status how it ended
     * @param report at most {@link org.starling.store.Job#MAX_REPORT_BYTES}
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by the bytes of the command
    record EndJob(long job, long attempt, JobStatus status, byte[] report) implements Command {}

    /**
     * A job is not wanted any more: one that waits ends at once, one that runs is marked for its
     * master.
     *
     * @param job its id
     */
    record CancelJob(long job) implements Command {}

    // names

    /**
     * A chunk gets a name; a name that exists moves to it.
     *
     * @param name 1 to 255 bytes of UTF-8
     * @param id chunk id
     * @param nonce the same for each repetition of the command; 0 for one that does not come twice
     */
    record RegisterName(String name, long id, long nonce) implements Command {}

    /**
     * A name moves from one chunk to another, if it still leads to the first.
     *
     * @param name 1 to 255 bytes of UTF-8
     * @param expected chunk that the name must lead to; none if it must not exist
     * @param id chunk id
     * @param nonce the same for each repetition of the command; 0 for one that does not come twice
     */
    record MoveName(String name, long expected, long id, long nonce) implements Command {}

    /**
     * A name goes away.
     *
     * @param name the name
     * @param nonce the same for each repetition of the command; 0 for one that does not come twice
     */
    record RemoveName(String name, long nonce) implements Command {}

    // access

    /**
     * Somebody gets access under a name that nobody has; a name that is taken stays as it is.
     *
     * @param name 1 to {@link org.starling.store.AccessRegistry#MAX_NAME_BYTES} bytes of UTF-8
     * @param grant at most {@link org.starling.store.AccessRegistry#MAX_GRANT_BYTES}
     * @param nonce the same for each repetition of the command; 0 for one that does not come twice
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by the bytes of the command
    record GrantAccess(String name, byte[] grant, long nonce) implements Command {}

    /**
     * What a name was granted is granted no more.
     *
     * @param name the name
     * @param nonce the same for each repetition of the command; 0 for one that does not come twice
     */
    record RevokeAccess(String name, long nonce) implements Command {}
}
