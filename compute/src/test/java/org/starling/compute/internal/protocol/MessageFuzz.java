package org.starling.compute.internal.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.internal.NativeExporter;
import org.starling.net.internal.NativeImporter;

/**
 * The messages of this room and of the store under any bytes: the first byte chooses the type, the
 * rest is the message. Reading must end with a message that is written as it was read, or with an
 * exception that says why not. Entry point of Jazzer, whose one argument names the target; {@link
 * MessageFuzzTest} runs the targets over known inputs.
 */
@SuppressWarnings("ImmutableEnumChecker") // its types are constants
public enum MessageFuzz {
    COMPUTE_MESSAGES(
            "org.starling.compute.internal.protocol.ComputeMessage",
            "org.starling.compute.internal.protocol.BuildMessage",
            "org.starling.compute.internal.protocol.RunMessage",
            "org.starling.compute.internal.protocol.QueryMessage",
            "org.starling.compute.internal.protocol.RecoveryMessage"),
    STORE_MESSAGES(
            "org.starling.store.internal.node.ChunkMessage",
            "org.starling.store.internal.node.NodeMessage",
            "org.starling.store.internal.replica.ReplicaMessage");

    private static final int ROOM_BYTES = 1 << 20;
    private static MessageFuzz chosen = COMPUTE_MESSAGES;

    private final List<MessageType<?>> types;

    MessageFuzz(String... declaring) {
        types = types(declaring);
    }

    /** Writes the good inputs of all targets to {@code DIRECTORY/TARGET/NUMBER}. */
    public static void main(String[] arguments) throws IOException {
        for (MessageFuzz target : values()) {
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

    /** Each type with zeros, which are empty strings and arrays and small numbers. */
    List<byte[]> samples() {
        List<byte[]> samples = new ArrayList<>();
        for (int type = 0; type < types.size(); type++) {
            samples.add(Arrays.copyOf(new byte[] {(byte) type}, 64));
        }
        return samples;
    }

    /** What the first byte chooses from. */
    List<MessageType<?>> types() {
        return types;
    }

    /** Takes any bytes. */
    void run(byte[] input) {
        if (input.length == 0) {
            return;
        }
        MessageType<?> type = types.get((input[0] & 0xFF) % types.size());
        byte[] first;
        try {
            first = written(type, Arrays.copyOfRange(input, 1, input.length));
        } catch (MalformedMessageException e) {
            if (e.getMessage() == null) {
                throw new IllegalStateException(type + " says nothing", e);
            }
            return;
        }
        if (!Arrays.equals(first, written(type, first))) {
            throw new IllegalStateException(type + " is written otherwise than it was read");
        }
    }

    /** What the message of some bytes is written as. */
    private static byte[] written(MessageType<?> type, byte[] bytes) {
        long room = NativeMemory.reserve(ROOM_BYTES);
        try {
            NativeMemory.copyFromArray(bytes, 0, room, bytes.length);
            NativeImporter in = new NativeImporter();
            in.start(room, bytes.length);
            Message message = type.reader().read(in);
            NativeExporter out = new NativeExporter();
            out.room(room, ROOM_BYTES, null);
            message.write(out);
            byte[] written = new byte[(int) (out.position() - room)];
            NativeMemory.copyToArray(room, written, 0, written.length);
            return written;
        } finally {
            NativeMemory.release(room, ROOM_BYTES);
        }
    }

    private static List<MessageType<?>> types(String[] declaring) {
        List<MessageType<?>> found = new ArrayList<>();
        try {
            for (String name : declaring) {
                for (Class<?> message : Class.forName(name).getDeclaredClasses()) {
                    if (message.isAnnotationPresent(TypeId.class)) {
                        found.add(RecordMessage.type(message.asSubclass(RecordMessage.class)));
                    }
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        found.sort(Comparator.comparingInt(MessageType::id));
        return List.copyOf(found);
    }
}
