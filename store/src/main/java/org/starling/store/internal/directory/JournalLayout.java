package org.starling.store.internal.directory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The bytes of a directory's journal. Numbers are big-endian.
 *
 * <pre>
 * header:  | magic 4 "SDJL" | version 1 | generation 8 | CRC32C of all before 4 |
 * record:  | length of body 4 | sequence 8 | CRC32C of length, sequence and body 4 | body |
 * body:    | count 4 | each length 4, command |
 * </pre>
 *
 * A record is what was forced together. Sequences count from 0 in each generation. A record without
 * commands says that the journal was closed in good order; others may follow it when it is opened
 * again.
 */
final class JournalLayout {
    /** Version of this layout. */
    static final int VERSION = 1;

    static final int HEADER_BYTES = 17;

    /** The most bytes of a record's body. */
    static final int MAX_BODY_BYTES = 8 << 20;

    /** Bytes of a record before its body. */
    private static final int PREFIX_BYTES = 16;

    private static final int MAGIC = 0x53444A4C;
    private static final int GENERATION_OFFSET = 5;
    private static final int HEADER_CRC_OFFSET = 13;
    private static final int SEQUENCE_OFFSET = 4;
    private static final int CRC_OFFSET = 12;

    private JournalLayout() {}

    static byte[] header(long generation) {
        ByteBuffer header =
                ByteBuffer.allocate(HEADER_BYTES)
                        .putInt(MAGIC)
                        .put((byte) VERSION)
                        .putLong(generation);
        CRC32C crc = new CRC32C();
        crc.update(header.array(), 0, HEADER_CRC_OFFSET);
        return header.putInt((int) crc.getValue()).array();
    }

    /**
     * Looks at the first bytes of a journal.
     *
     * @return what is wrong with it; empty if nothing is
     */
    static String faultOfHeader(ByteBuffer journal, long generation) {
        if (journal.getInt(0) != MAGIC) {
            return "it is no journal of a directory";
        }
        int version = journal.get(Integer.BYTES);
        if (version != VERSION) {
            return "it has version " + version + ", expected " + VERSION;
        }
        CRC32C crc = new CRC32C();
        crc.update(journal.slice(0, HEADER_CRC_OFFSET));
        if ((int) crc.getValue() != journal.getInt(HEADER_CRC_OFFSET)
                || journal.getLong(GENERATION_OFFSET) != generation) {
            return "its header is damaged";
        }
        return "";
    }

    static ByteBuffer record(long sequence, List<byte[]> commands) {
        ByteWriter writer = new ByteWriter().putInt(commands.size());
        commands.forEach(writer::putBytes);
        byte[] body = writer.toBytes();
        if (body.length > MAX_BODY_BYTES) {
            throw new IllegalArgumentException(
                    "record of " + body.length + " bytes, limit " + MAX_BODY_BYTES);
        }
        ByteBuffer record =
                ByteBuffer.allocate(PREFIX_BYTES + body.length)
                        .putInt(body.length)
                        .putLong(sequence)
                        .putInt(0)
                        .put(body)
                        .flip();
        return record.putInt(CRC_OFFSET, checksum(record, 0, body.length));
    }

    /** Whether a whole and undamaged record of a sequence starts at an offset. */
    static boolean isRecord(ByteBuffer journal, int offset, long sequence) {
        return sequenceAt(journal, offset) == sequence && isWhole(journal, offset);
    }

    /**
     * Whether an undamaged record that belongs behind another lies anywhere behind an offset. If
     * so, what is wrong at the offset is no write that was cut short, because a record is only
     * written when those before it are on the disk.
     */
    static boolean hasRecordBehind(ByteBuffer journal, int offset, long sequence) {
        long most = sequence + journal.limit() / PREFIX_BYTES;
        for (int i = offset + 1; i <= journal.limit() - PREFIX_BYTES; i++) {
            long found = sequenceAt(journal, i);
            if (found > sequence && found <= most && isWhole(journal, i)) {
                return true;
            }
        }
        return false;
    }

    /** The bytes of the whole record at an offset. */
    static int recordBytes(ByteBuffer journal, int offset) {
        return PREFIX_BYTES + journal.getInt(offset);
    }

    /** The commands of the whole record at an offset. */
    static List<byte[]> commands(ByteBuffer journal, int offset) {
        byte[] body = new byte[journal.getInt(offset)];
        journal.get(offset + PREFIX_BYTES, body);
        ByteParser in = new ByteParser(body);
        int count = in.getCount(Integer.BYTES);
        List<byte[]> commands = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            commands.add(in.getBytes(CommandLayout.MAX_BYTES));
        }
        in.end();
        return commands;
    }

    private static long sequenceAt(ByteBuffer journal, int offset) {
        return journal.limit() - offset < PREFIX_BYTES
                ? -1
                : journal.getLong(offset + SEQUENCE_OFFSET);
    }

    private static boolean isWhole(ByteBuffer journal, int offset) {
        int length = journal.getInt(offset);
        return length >= 0
                && length <= MAX_BODY_BYTES
                && length <= journal.limit() - offset - PREFIX_BYTES
                && checksum(journal, offset, length) == journal.getInt(offset + CRC_OFFSET);
    }

    private static int checksum(ByteBuffer journal, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(journal.slice(offset, CRC_OFFSET));
        crc.update(journal.slice(offset + PREFIX_BYTES, length));
        return (int) crc.getValue();
    }
}
