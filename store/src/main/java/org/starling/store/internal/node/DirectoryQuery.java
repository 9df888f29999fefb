package org.starling.store.internal.node;

import java.util.ArrayList;
import java.util.List;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.MalformedMessageException;
import org.starling.store.internal.directory.Command;
import org.starling.store.internal.directory.CommandLayout;

/** What a node can ask the directory; travels in {@link NodeMessage.Ask}, its number first. */
@SuppressWarnings("ArrayRecordComponent") // messages are written once and never compared
sealed interface DirectoryQuery {
    /** Have a command carried out ({@link CommandLayout}). */
    record Apply(byte[] command) implements DirectoryQuery {
        static Apply of(Command command) {
            return new Apply(CommandLayout.write(command));
        }
    }

    /** The chunk of a name. */
    record Lookup(String name) implements DirectoryQuery {}

    /** Names greater than one. */
    record ListNames(String after) implements DirectoryQuery {}

    /** A zone, if it exists. */
    record ZoneOf(long zone) implements DirectoryQuery {}

    /** The zones that a node owns, backs up or holds on its disk. */
    record ZonesOf(int node) implements DirectoryQuery {}

    /** Which of some zones have been dropped. */
    record DroppedOf(long[] zones) implements DirectoryQuery {}

    /** The best node for another backup of a zone, none of the avoided ones. */
    record ChooseBackup(long zone, List<Integer> avoided) implements DirectoryQuery {}

    /** All jobs in few words. */
    record Jobs() implements DirectoryQuery {}

    /** One job. */
    record JobOf(long id) implements DirectoryQuery {}

    /** How the cluster is. */
    record Status() implements DirectoryQuery {}

    /** Whether it can change the directory. */
    default boolean isWrite() {
        return this instanceof Apply;
    }

    default void write(Exporter out) {
        switch (this) {
            case Apply q -> {
                out.writeByte((byte) 1);
                out.writeBytes(q.command());
            }
            case Lookup q -> {
                out.writeByte((byte) 2);
                out.writeString(q.name());
            }
            case ListNames q -> {
                out.writeByte((byte) 3);
                out.writeString(q.after());
            }
            case ZoneOf q -> {
                out.writeByte((byte) 4);
                out.writeLong(q.zone());
            }
            case ZonesOf q -> {
                out.writeByte((byte) 5);
                out.writeInt(q.node());
            }
            case ChooseBackup q -> {
                out.writeByte((byte) 6);
                out.writeLong(q.zone());
                out.writeCompactInt(q.avoided().size());
                q.avoided().forEach(out::writeCompactInt);
            }
            case Jobs q -> out.writeByte((byte) 7);
            case JobOf q -> {
                out.writeByte((byte) 8);
                out.writeLong(q.id());
            }
            case Status q -> out.writeByte((byte) 9);
            case DroppedOf q -> {
                out.writeByte((byte) 10);
                out.writeLongs(q.zones());
            }
        }
    }

    private static List<Integer> nodes(Importer in) {
        int count = in.readLength(1);
        List<Integer> nodes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            nodes.add(in.readCompactInt());
        }
        return nodes;
    }

    static DirectoryQuery read(Importer in) {
        int kind = in.readByte();
        return switch (kind) {
            case 1 -> new Apply(in.readBytes());
            case 2 -> new Lookup(in.readString());
            case 3 -> new ListNames(in.readString());
            case 4 -> new ZoneOf(in.readLong());
            case 5 -> new ZonesOf(in.readInt());
            case 6 -> new ChooseBackup(in.readLong(), nodes(in));
            case 7 -> new Jobs();
            case 8 -> new JobOf(in.readLong());
            case 9 -> new Status();
            case 10 -> new DroppedOf(in.readLongs());
            default -> throw new MalformedMessageException("unknown kind of query " + kind);
        };
    }
}
