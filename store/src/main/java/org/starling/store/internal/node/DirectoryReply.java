package org.starling.store.internal.node;

import java.util.List;
import java.util.Optional;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.store.ClusterStatus;
import org.starling.store.Job;
import org.starling.store.JobInfo;
import org.starling.store.internal.directory.JobLayout;
import org.starling.store.internal.directory.Result;
import org.starling.store.internal.directory.ResultLayout;
import org.starling.store.internal.directory.ZoneInfo;

/** What the directory answers to a {@link DirectoryQuery}; in {@link NodeMessage.Answer}. */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface DirectoryReply {
    /** The most names in one reply. */
    int MAX_NAMES = 4096;

    /** The result of a command. */
    record Applied(Result result) implements DirectoryReply {}

    /** A chunk id, or none. */
    record LookedUp(long id) implements DirectoryReply {}

    /** The next names in order, up to {@link #MAX_NAMES}, and their chunks. */
    record Names(String[] names, long[] ids) implements DirectoryReply {}

    /** Zones. */
    record Zones(List<ZoneInfo> zones) implements DirectoryReply {}

    /** Zones that have been dropped. */
    record Dropped(long[] zones) implements DirectoryReply {}

    /** A node id, or −1. */
    record Chosen(int node) implements DirectoryReply {}

    /** Jobs in few words. */
    record JobList(List<JobInfo> jobs) implements DirectoryReply {}

    /** One job, if it is known. */
    record JobIs(Optional<Job> job) implements DirectoryReply {}

    /** How the cluster is. */
    record StatusIs(ClusterStatus status) implements DirectoryReply {}

    default void write(Exporter out) {
        switch (this) {
            case Applied r -> {
                out.writeByte((byte) 1);
                out.writeBytes(ResultLayout.write(r.result()));
            }
            case LookedUp r -> {
                out.writeByte((byte) 2);
                out.writeLong(r.id());
            }
            case Names r -> {
                out.writeByte((byte) 3);
                out.writeLongs(r.ids());
                for (String name : r.names()) {
                    out.writeString(name);
                }
            }
            case Zones r -> {
                out.writeByte((byte) 4);
                out.writeBytes(ResultLayout.writeZones(r.zones()));
            }
            case Chosen r -> {
                out.writeByte((byte) 5);
                out.writeInt(r.node());
            }
            case JobList r -> {
                out.writeByte((byte) 6);
                out.writeBytes(JobLayout.writeList(r.jobs()));
            }
            case JobIs r -> {
                out.writeByte((byte) 7);
                out.writeBytes(JobLayout.writeOptional(r.job()));
            }
            case StatusIs r -> {
                out.writeByte((byte) 8);
                writeStatus(out, r.status());
            }
            case Dropped r -> {
                out.writeByte((byte) 9);
                out.writeLongs(r.zones());
            }
        }
    }

    static DirectoryReply read(Importer in) {
        int kind = in.readByte();
        try {
            return switch (kind) {
                case 1 -> new Applied(ResultLayout.read(in.readBytes()));
                case 2 -> new LookedUp(in.readLong());
                case 3 -> readNames(in);
                case 4 -> new Zones(ResultLayout.readZones(in.readBytes()));
                case 5 -> new Chosen(in.readInt());
                case 6 -> new JobList(JobLayout.readList(in.readBytes()));
                case 7 -> new JobIs(JobLayout.readOptional(in.readBytes()));
                case 8 -> new StatusIs(readStatus(in));
                case 9 -> new Dropped(in.readLongs());
                default -> throw new MalformedMessageException("unknown kind of reply " + kind);
            };
        } catch (IllegalArgumentException e) {
            throw new MalformedMessageException(
                    "bad reply of kind " + kind + ": " + e.getMessage());
        }
    }

    private static Names readNames(Importer in) {
        long[] ids = in.readLongs();
        String[] names = new String[ids.length];
        for (int i = 0; i < ids.length; i++) {
            names[i] = in.readString();
        }
        return new Names(names, ids);
    }

    private static void writeStatus(Exporter out, ClusterStatus status) {
        out.writeInt(status.leader());
        new View(0, status.nodes()).write(out);
        out.writeInt(status.master());
        out.writeInt(status.zones());
        out.writeInt(status.underReplicated());
        out.writeInt(status.lost());
        out.writeInt(status.orphaned());
        out.writeLong(status.clusterId());
    }

    private static ClusterStatus readStatus(Importer in) {
        return new ClusterStatus(
                in.readInt(),
                View.read(in).nodes(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readInt(),
                in.readLong());
    }
}
