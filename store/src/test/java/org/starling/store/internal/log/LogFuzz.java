package org.starling.store.internal.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.starling.net.NativeMemory;

/**
 * What reads bytes of logs: each target takes any bytes, throws nothing, and never reads past them.
 * Entry point of Jazzer, whose one argument names the target; {@link LogFuzzTest} runs the targets
 * over known inputs.
 */
@SuppressWarnings("ImmutableEnumChecker") // its functions hold nothing
public enum LogFuzz {
    /** Entries one after the other, as they travel. */
    ENTRIES(LogFuzz::entries),
    /** A block of a log, as found in a file. */
    BLOCK(input -> block(input, false)),
    /** The same, with the right checksum in its header. */
    SOUND_BLOCK(input -> block(input, true));

    private static LogFuzz chosen = ENTRIES;

    private final Consumer<byte[]> body;

    LogFuzz(Consumer<byte[]> body) {
        this.body = body;
    }

    /** Writes the good inputs of all targets to {@code DIRECTORY/TARGET/NUMBER}. */
    public static void main(String[] arguments) throws IOException {
        for (LogFuzz target : values()) {
            Path folder = Files.createDirectories(Path.of(arguments[0], target.name()));
            for (byte[] sample : target.samples()) {
                Files.write(folder.resolve(Integer.toHexString(Arrays.hashCode(sample))), sample);
            }
        }
    }

    /** Called by Jazzer. */
    public static void fuzzerInitialize(String[] arguments) {
        chosen = valueOf(arguments[0]);
    }

    /** Called by Jazzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        chosen.run(input);
    }

    /** Takes any bytes. */
    void run(byte[] input) {
        long before = NativeMemory.reservedBytes();
        body.accept(input);
        if (NativeMemory.reservedBytes() != before) {
            throw new IllegalStateException("native memory is left behind");
        }
    }

    /** Good inputs. */
    List<byte[]> samples() {
        byte[] entries = inNative(new byte[256], at -> writeEntries(at));
        return this == ENTRIES ? List.of(entries) : List.of(sampleBlock(entries));
    }

    private static void writeEntries(long to) {
        long at = EntryLayout.writeHeader(to, EntryLayout.PUT, 5, 3, EntryLayout.NO_CLIENT, 0) + 3;
        at = EntryLayout.writeHeader(at, EntryLayout.REMOVE, 70_000, 9, 7, 1L << 40);
        at =
                EntryLayout.writeHeader(
                        at, EntryLayout.CREATE_UNIFORM, 1, 300, EntryLayout.NO_CLIENT, 0);
        NativeMemory.putInt(at, 64);
        at = EntryLayout.writeHeader(at + 4, EntryLayout.CREATE_LISTED, 400, 2, 9, 8);
        NativeMemory.putLong(at, 5);
        EntryLayout.writeHeader(at + 8, EntryLayout.SKIP, 3, 1, EntryLayout.NO_CLIENT, 0);
    }

    private static byte[] sampleBlock(byte[] entries) {
        byte[] block = new byte[BlockLayout.ALIGNMENT];
        System.arraycopy(entries, 0, block, BlockLayout.HEADER_BYTES, entries.length);
        return inNative(
                block,
                at -> {
                    NativeMemory.putInt(at, BlockLayout.MAGIC);
                    NativeMemory.putInt(at + BlockLayout.COUNT_AT, 5);
                    NativeMemory.putInt(at + BlockLayout.ENTRY_BYTES_AT, 64);
                    NativeMemory.putInt(at + BlockLayout.BLOCK_BYTES_AT, BlockLayout.ALIGNMENT);
                    NativeMemory.putByte(at + BlockLayout.KIND_AT, (byte) BlockLayout.MOVED);
                    NativeMemory.putByte(at + BlockLayout.VERSION_AT, (byte) BlockLayout.VERSION);
                    ByteBuffer view =
                            NativeMemory.segment(at, BlockLayout.ALIGNMENT).asByteBuffer();
                    BlockLayout.protect(at, view);
                });
    }

    private static void entries(byte[] input) {
        inNative(
                input,
                address -> {
                    EntryCursor cursor = new EntryCursor();
                    long limit = address + input.length;
                    long at = address;
                    while (cursor.tryRead(at, limit) == null) {
                        check(cursor, limit);
                        at += cursor.recordBytes();
                    }
                });
    }

    private static void check(EntryCursor cursor, long limit) {
        boolean isInside =
                cursor.recordBytes() >= EntryLayout.LEAST_BYTES
                        && cursor.address() + cursor.recordBytes() <= limit
                        && cursor.body() <= cursor.address() + cursor.recordBytes();
        if (!isInside || cursor.count() < 1 || cursor.index() < 0) {
            throw new IllegalStateException("an entry that is none");
        }
        int sizes = cursor.kind() == EntryLayout.CREATE_LISTED ? cursor.count() : 1;
        for (int rank = 0; rank < sizes; rank++) {
            if (cursor.size(rank) < 0) {
                throw new IllegalStateException("a chunk of " + cursor.size(rank) + " bytes");
            }
        }
    }

    private static void block(byte[] input, boolean isHeaderSound) {
        int blocks =
                Math.max(1, (input.length + BlockLayout.ALIGNMENT - 1) / BlockLayout.ALIGNMENT);
        byte[] whole = new byte[blocks * BlockLayout.ALIGNMENT];
        System.arraycopy(input, 0, whole, 0, input.length);
        inNative(
                whole,
                address -> {
                    ByteBuffer view = NativeMemory.segment(address, whole.length).asByteBuffer();
                    if (isHeaderSound) {
                        NativeMemory.putInt(
                                address + BlockLayout.HEADER_CRC_AT,
                                BlockLayout.crc(
                                        view, BlockLayout.LOG_ID_AT, BlockLayout.HEADER_BYTES));
                    }
                    if (BlockLayout.headerFault(address, view, 0) == null
                            && NativeMemory.getInt(address + BlockLayout.BLOCK_BYTES_AT)
                                    <= whole.length) {
                        walk(address, view);
                    }
                });
    }

    private static void walk(long block, ByteBuffer view) {
        boolean isIntact = BlockLayout.isBodyIntact(block, view, 0);
        BlockEntries entries = new BlockEntries();
        entries.wrap(block);
        long limit =
                block
                        + BlockLayout.HEADER_BYTES
                        + NativeMemory.getInt(block + BlockLayout.ENTRY_BYTES_AT);
        int count = 0;
        while (entries.next()) {
            check(entries.entry(), limit);
            count += isIntact || entries.isSound() ? 1 : 0;
            if (entries.takenBytes() < EntryLayout.LEAST_BYTES) {
                throw new IllegalStateException("an entry without room");
            }
            BlockLayout.position(block, entries.rank());
        }
        if (count > NativeMemory.getInt(block + BlockLayout.COUNT_AT)) {
            throw new IllegalStateException("more entries than the header says");
        }
    }

    private interface NativeBody {
        void run(long address);
    }

    private static byte[] inNative(byte[] bytes, NativeBody body) {
        int room = Math.max(8, bytes.length);
        long address = NativeMemory.reserve(room);
        try {
            NativeMemory.copyFromArray(bytes, 0, address, bytes.length);
            body.run(address);
            byte[] after = new byte[bytes.length];
            NativeMemory.copyToArray(address, after, 0, after.length);
            return after;
        } finally {
            NativeMemory.release(address, room);
        }
    }
}
