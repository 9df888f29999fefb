package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ChunkBytes;
import org.starling.compute.internal.graph.Column;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkId;
import org.starling.store.ChunkService;
import org.starling.store.Durability;

/**
 * Writes what a run knows of its shards into chunks, and takes it out again.
 *
 * <p>Between two supersteps, when all direct messages for the one to come have arrived, a run is:
 * its states, the inboxes of the superstep to come (messages that are not combined among them),
 * what was broadcast in the last one, who has settled, staged and seen values of mirrors. Each
 * shard's part lies with the shard's rows, in the same zone. Stateless; workers call it for
 * different shards.
 */
final class ShardSnapshots {
    /**
     * A column of the run; bits or values may be missing ({@code 0}).
     *
     * @param set what the bits belong to, if they are marked
     */
    private record Section(int kind, long bits, long values, int width, @Nullable VertexSet set) {
        static Section of(int kind, VertexSet set, long values, int width) {
            return new Section(kind, set.words, values, width, set);
        }
    }

    private static final int STATE = 1;
    private static final int INBOX = 2;
    private static final int PUBLISHED = 3;
    private static final int SETTLED = 4;
    private static final int STAGED = 5;
    private static final int MIRROR = 6;
    private static final int RECORDS = 7;

    private final RunContext context;
    private final ShardTable shards;

    ShardSnapshots(RunContext context) {
        this.context = context;
        this.shards = context.graph.shards();
    }

    /**
     * Writes a shard's part into a new chunk.
     *
     * @param superstep the superstep to come
     * @param checkpoint for which it is
     * @param made makes the chunk
     * @return the chunk; 0 if the shard is empty
     */
    long save(int shard, int superstep, long checkpoint, MadeChunks made) {
        if (shards.size(shard) == 0) {
            return 0;
        }
        List<Section> sections = sections(superstep);
        long bytes = ShardSnapshotLayout.HEADER_BYTES;
        for (Section section : sections) {
            bytes += ShardSnapshotLayout.SECTION_HEADER_BYTES + payloadBytes(section, shard);
        }
        for (RecordStream stream : context.records) {
            bytes += ShardSnapshotLayout.SECTION_HEADER_BYTES;
            bytes += stream.inbox(superstep).bytes(shard);
        }
        long rows = context.graph.descriptor().outRanges()[shard];
        Durability durability = ChunkId.isReplicated(rows) ? Durability.PROCESS : Durability.MEMORY;
        ChunkService chunks = context.node.chunks().with(durability).near(rows);
        return made.make(
                checkpoint,
                chunks,
                new int[] {Math.toIntExact(bytes)},
                pinned -> write(pinned.address(0), shard, superstep, sections));
    }

    /** Takes a shard's part out of its chunk: of an own shard all, of another one the mirrors. */
    void restore(int shard, int superstep, long chunk) {
        try (ChunkBytes bytes = new ChunkBytes(context.node.chunks(), chunk)) {
            read(bytes.address(), bytes.bytes(), shard, superstep);
        }
    }

    /** True if all nodes need all shards' parts. */
    boolean hasMirrors() {
        return !context.mirrors.isEmpty();
    }

    /** Writes a shard's part at an address; its bytes. */
    private long write(long address, int shard, int superstep, List<Section> sections) {
        int count = sections.size() + context.records.size();
        ShardSnapshotLayout.writeHeader(address, superstep, shard, shards.size(shard), count);
        long at = address + ShardSnapshotLayout.HEADER_BYTES;
        for (Section section : sections) {
            long bytes = payloadBytes(section, shard);
            ShardSnapshotLayout.writeSectionHeader(at, section.kind, section.width, bytes);
            at += ShardSnapshotLayout.SECTION_HEADER_BYTES;
            if (bytes > 0) {
                long bitsBytes = bitsBytes(section, shards.size(shard));
                NativeMemory.copy(bitsAddress(section, shard), at, bitsBytes);
                NativeMemory.copy(valuesAddress(section, shard), at + bitsBytes, bytes - bitsBytes);
            }
            at += bytes;
        }
        for (RecordStream stream : context.records) {
            RecordInbox inbox = stream.inbox(superstep);
            long bytes = inbox.bytes(shard);
            ShardSnapshotLayout.writeSectionHeader(at, RECORDS, stream.format().bytes(), bytes);
            at += ShardSnapshotLayout.SECTION_HEADER_BYTES;
            inbox.copyTo(shard, at);
            at += bytes;
        }
        return at - address;
    }

    private void read(long address, long length, int shard, int superstep) {
        List<Section> sections = sections(superstep);
        boolean own = shards.owner(shard) == context.node.node();
        int size =
                ShardSnapshotLayout.checkHeader(
                        address,
                        length,
                        superstep,
                        shard,
                        shards.size(shard),
                        sections.size() + context.records.size());
        long at = address + ShardSnapshotLayout.HEADER_BYTES;
        long end = address + length;
        for (Section section : sections) {
            long rest = end - at - ShardSnapshotLayout.SECTION_HEADER_BYTES;
            ShardSnapshotLayout.check(rest >= 0, "length");
            long bytes = ShardSnapshotLayout.checkSectionHeader(at, section.kind, section.width);
            at += ShardSnapshotLayout.SECTION_HEADER_BYTES;
            long bitsBytes = bitsBytes(section, size);
            boolean empty = bytes == 0 && section.bits != 0;
            boolean fits = bytes == bitsBytes + valuesBytes(section, size) && bytes <= rest;
            ShardSnapshotLayout.check(empty || fits, "length of a section");
            if (!empty && (own || section.kind == MIRROR)) {
                NativeMemory.copy(at, bitsAddress(section, shard), bitsBytes);
                NativeMemory.copy(at + bitsBytes, valuesAddress(section, shard), bytes - bitsBytes);
                if (section.set != null) {
                    section.set.markWords(
                            shards.firstWord(shard), Bitmap.words(shards.first(shard) + size));
                }
            }
            at += bytes;
        }
        for (RecordStream stream : context.records) {
            at = readRecords(stream, at, end, own, superstep);
        }
        ShardSnapshotLayout.check(at == end, "length");
    }

    /** Takes a section of messages; where the next one begins. */
    private static long readRecords(
            RecordStream stream, long at, long end, boolean own, int superstep) {
        int width = stream.format().bytes();
        long first = at + ShardSnapshotLayout.SECTION_HEADER_BYTES;
        ShardSnapshotLayout.check(first <= end, "length");
        long bytes = ShardSnapshotLayout.checkSectionHeader(at, RECORDS, width);
        boolean fits = bytes >= 0 && bytes <= end - first && bytes % width == 0;
        ShardSnapshotLayout.check(fits, "length of messages");
        if (own) {
            stream.inbox(superstep).take(first, bytes);
        }
        return first + bytes;
    }

    private List<Section> sections(int superstep) {
        List<Section> sections = new ArrayList<>();
        for (Column state : context.usedStates()) {
            sections.add(new Section(STATE, 0, state.address(), state.type().width(), null));
        }
        for (Channel channel : context.channels) {
            Inbox inbox = channel.inbox(superstep);
            sections.add(Section.of(INBOX, inbox.receivers, inbox.values, channel.op().width()));
            Published published = channel.published(superstep - 1);
            int width = channel.op().broadcastBytes();
            sections.add(Section.of(PUBLISHED, published.broadcasters, published.values, width));
        }
        sections.add(new Section(SETTLED, context.settled.address(), 0, 0, null));
        for (Mirror mirror : context.mirrors) {
            sections.add(
                    Section.of(STAGED, mirror.stagers, mirror.stagedAddress(), mirror.width()));
            sections.add(new Section(MIRROR, 0, mirror.valuesAddress(), mirror.width(), null));
        }
        return sections;
    }

    private long payloadBytes(Section section, int shard) {
        return section.bits != 0 && isClear(section, shard)
                ? 0
                : bitsBytes(section, shards.size(shard)) + valuesBytes(section, shards.size(shard));
    }

    private boolean isClear(Section section, int shard) {
        long at = bitsAddress(section, shard);
        long end = at + bitsBytes(section, shards.size(shard));
        while (at < end && NativeMemory.getLong(at) == 0) {
            at += Long.BYTES;
        }
        return at >= end;
    }

    private static long bitsBytes(Section section, int size) {
        return section.bits == 0 ? 0 : Bitmap.words(size) * Long.BYTES;
    }

    private static long valuesBytes(Section section, int size) {
        return (long) size * section.width;
    }

    private long bitsAddress(Section section, int shard) {
        return section.bits + shards.firstWord(shard) * Long.BYTES;
    }

    private long valuesAddress(Section section, int shard) {
        return section.values + shards.first(shard) * section.width;
    }
}
