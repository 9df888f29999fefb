package org.starling.store.internal.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * What reads bytes of the directory: each target takes any bytes and must end with {@link
 * IllegalArgumentException} at worst; what it reads it must write so that the same is read again.
 * Entry point of Jazzer, whose one argument names the target; {@link DirectoryFuzzTest} runs the
 * targets over known inputs.
 */
@SuppressWarnings("ImmutableEnumChecker") // its functions hold nothing
public enum DirectoryFuzz {
    COMMAND(DirectoryFuzz::command),
    RESULT(DirectoryFuzz::result),
    /** A snapshot whose checksum is right. */
    SNAPSHOT(input -> snapshot(withChecksum(input)));

    private static final long SEED = 5;
    private static DirectoryFuzz chosen = COMMAND;

    private final Consumer<byte[]> body;

    DirectoryFuzz(Consumer<byte[]> body) {
        this.body = body;
    }

    /** Writes the good inputs of all targets to {@code DIRECTORY/TARGET/NUMBER}. */
    public static void main(String[] arguments) throws IOException {
        for (DirectoryFuzz target : values()) {
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
        try {
            body.accept(input);
        } catch (IllegalArgumentException e) {
            if (e.getMessage() == null) {
                throw new IllegalStateException("says nothing", e);
            }
        }
    }

    /** Good inputs. */
    List<byte[]> samples() {
        List<Command> commands = new CommandSource(SEED).commands(60);
        List<byte[]> written = commands.stream().map(CommandLayout::write).toList();
        Directory directory = new Directory();
        List<byte[]> results =
                commands.stream().map(c -> ResultLayout.write(directory.apply(c))).toList();
        return switch (this) {
            case COMMAND -> written;
            case RESULT -> results;
            case SNAPSHOT -> {
                byte[] whole = DirectorySnapshot.write(directory);
                yield List.of(Arrays.copyOf(whole, whole.length - Integer.BYTES));
            }
        };
    }

    private static void command(byte[] input) {
        byte[] written = CommandLayout.write(CommandLayout.read(input));
        same(written, CommandLayout.write(CommandLayout.read(written)));
    }

    private static void result(byte[] input) {
        byte[] written = ResultLayout.write(ResultLayout.read(input));
        same(written, ResultLayout.write(ResultLayout.read(written)));
    }

    private static void snapshot(byte[] input) {
        byte[] written = DirectorySnapshot.write(DirectorySnapshot.read(input));
        same(written, DirectorySnapshot.write(DirectorySnapshot.read(written)));
    }

    private static byte[] withChecksum(byte[] body) {
        return ByteBuffer.allocate(body.length + Integer.BYTES)
                .put(body)
                .putInt(checksum(body, body.length))
                .array();
    }

    private static void same(byte[] first, byte[] second) {
        if (!Arrays.equals(first, second)) {
            throw new IllegalStateException("what was read is written otherwise");
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
