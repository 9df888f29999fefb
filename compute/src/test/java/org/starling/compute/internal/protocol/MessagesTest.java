package org.starling.compute.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.starling.compute.internal.protocol.BuildMessage.Step;
import org.starling.compute.internal.protocol.ComputeMessage.Direction;
import org.starling.compute.internal.protocol.ComputeMessage.FailureKind;
import org.starling.graph.BuildOptions;
import org.starling.net.Exporter;
import org.starling.net.Importer;
import org.starling.net.Message;
import org.starling.net.NativeMemory;
import org.starling.net.Request;

/**
 * What goes over the wire: ids are pinned, every message reads what it wrote, blocks have bytes.
 */
final class MessagesTest {
    /** Ids are for ever: a new message takes a new one. */
    private static final Map<Integer, String> IDS =
            Map.ofEntries(
                    Map.entry(3001, "Done"),
                    Map.entry(3002, "Numbers"),
                    Map.entry(3005, "BuildRead"),
                    Map.entry(3006, "PartReport"),
                    Map.entry(3012, "MakeRows"),
                    Map.entry(3013, "RowReport"),
                    Map.entry(3014, "EndBuild"),
                    Map.entry(3015, "Attach"),
                    Map.entry(3017, "PrepareRun"),
                    Map.entry(3018, "PrepareReport"),
                    Map.entry(3019, "Superstep"),
                    Map.entry(3020, "SuperstepReport"),
                    Map.entry(3021, "EndRun"),
                    Map.entry(3022, "EndReport"),
                    Map.entry(3026, "FindOrdinal"),
                    Map.entry(3051, "MeasureGraph"),
                    Map.entry(3027, "Status"),
                    Map.entry(3054, "StatusReport"),
                    Map.entry(3041, "BeginTask"),
                    Map.entry(3042, "RemoveGraph"),
                    Map.entry(3043, "SaveStates"),
                    Map.entry(3044, "SaveRun"),
                    Map.entry(3045, "Saved"),
                    Map.entry(3046, "RestoreStates"),
                    Map.entry(3047, "RestoreRun"),
                    Map.entry(3048, "KeepCheckpoints"),
                    Map.entry(3049, "Detach"),
                    Map.entry(3050, "SaveManifest"),
                    Map.entry(3055, "BuildStep"),
                    Map.entry(3056, "ReadVertices"),
                    Map.entry(3057, "VertexValues"));

    @Test
    void keepsEveryMessagesId() throws ReflectiveOperationException {
        Map<Integer, String> found = new TreeMap<>();
        for (Class<?> type : messages()) {
            Message message = sample(type);
            found.put(message.type().id(), message.type().name());
            assertThat(message.type().name()).isEqualTo(type.getSimpleName());
            if (message instanceof Request<?> request) {
                assertThat(request.responseType().id()).isGreaterThan(3000);
            }
        }

        assertThat(found).isEqualTo(new TreeMap<>(IDS));
    }

    @Test
    void readsWhatItWrote() throws ReflectiveOperationException {
        for (Class<?> type : messages()) {
            Message written = sample(type);
            Deque<Object> wire = new ArrayDeque<>();

            written.write(exporter(wire));
            Message read = written.type().reader().read(importer(wire));

            assertThat(wire).as("left over of %s", type).isEmpty();
            for (RecordComponent component : type.getRecordComponents()) {
                assertThat(component.getAccessor().invoke(read))
                        .as("%s of %s", component.getName(), type)
                        .isEqualTo(component.getAccessor().invoke(written));
            }
        }
    }

    private static List<Class<?>> messages() {
        return Stream.concat(
                        Stream.of(ComputeMessage.class),
                        Arrays.stream(ComputeMessage.class.getPermittedSubclasses()))
                .flatMap(list -> Arrays.stream(list.getDeclaredClasses()))
                .<Class<?>>map(type -> type)
                .filter(Class::isRecord)
                .toList();
    }

    /** A message in which every field has a value of its own. */
    private static Message sample(Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            values[i] = value(types[i], i + 1);
        }
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        return (Message) constructor.newInstance(values);
    }

    private static Object value(Class<?> type, int number) {
        return switch (type.getSimpleName()) {
            case "int" -> number;
            case "long" -> number * 10_000_000_019L;
            case "boolean" -> number % 2 == 1;
            case "String" -> "text " + number;
            case "int[]" -> new int[] {number, -number};
            case "long[]" -> new long[] {number, Long.MIN_VALUE, 7};
            case "byte[]" -> new byte[] {(byte) number, -1, 0};
            case "Step" -> Step.ORDER_VERTICES;
            case "BuildOptions" -> new BuildOptions(true, false, false, true);
            default -> throw new AssertionError("no sample of " + type);
        };
    }

    /** Notes each value with the method's kind, so that reading in another order is seen. */
    private static Exporter exporter(Deque<Object> wire) {
        return (Exporter)
                Proxy.newProxyInstance(
                        MessagesTest.class.getClassLoader(),
                        new Class<?>[] {Exporter.class},
                        (_, method, arguments) -> {
                            wire.add(method.getName().substring("write".length()));
                            wire.add(arguments[0]);
                            return null;
                        });
    }

    private static Importer importer(Deque<Object> wire) {
        return (Importer)
                Proxy.newProxyInstance(
                        MessagesTest.class.getClassLoader(),
                        new Class<?>[] {Importer.class},
                        (_, method, _) -> {
                            assertThat(method.getName()).isEqualTo("read" + wire.remove());
                            return wire.remove();
                        });
    }

    @Test
    void keepsNumbersOfEnums() {
        assertThat(FailureKind.values())
                .containsExactly(
                        FailureKind.INVALID_INPUT,
                        FailureKind.JOB_FAILED,
                        FailureKind.LOST,
                        FailureKind.INTERNAL,
                        FailureKind.STALE,
                        FailureKind.STUCK,
                        FailureKind.REPLACED);
        assertThat(Direction.values())
                .containsExactly(
                        Direction.NONE, Direction.PUSH, Direction.PULL, Direction.PULL_ALL);
        for (FailureKind kind : FailureKind.values()) {
            assertThat(FailureKind.of(kind.number())).isEqualTo(kind);
        }
        for (Direction direction : Direction.values()) {
            assertThat(Direction.of(direction.number())).isEqualTo(direction);
        }
    }

    @Test
    void laysBlocksOutByteByByte() {
        long before = NativeMemory.reservedBytes();
        long at = NativeMemory.reserve(64);
        BlockLayout.writeHeader(
                at, 0x0102030405060708L, 0x11121314, (byte) 9, 0xABCDEF, 0x21222324);

        byte[] header = new byte[BlockLayout.HEADER_BYTES];
        NativeMemory.copyToArray(at, header, 0, header.length);
        assertThat(header)
                .containsExactly(
                        8, 7, 6, 5, 4, 3, 2, 1, 0x14, 0x13, 0x12, 0x11, 9, 0xEF, 0xCD, 0xAB, 0x24,
                        0x23, 0x22, 0x21, 0, 0, 0, 0);
        assertThat(BlockLayout.owner(at)).isEqualTo(0x0102030405060708L);
        assertThat(BlockLayout.superstep(at)).isEqualTo(0x11121314);
        assertThat(BlockLayout.kind(at)).isEqualTo(BlockLayout.PUSHED);
        assertThat(BlockLayout.channel(at)).isEqualTo(0xABCDEF);
        assertThat(BlockLayout.count(at)).isEqualTo(0x21222324);
        BlockLayout.writeHeader(at, 1, 2, BlockLayout.MESSAGES, BlockLayout.MAX_CHANNEL, 0);
        assertThat(BlockLayout.channel(at)).isEqualTo(BlockLayout.MAX_CHANNEL);
        NativeMemory.release(at, 64);
        assertThat(NativeMemory.reservedBytes()).isEqualTo(before);
    }
}
