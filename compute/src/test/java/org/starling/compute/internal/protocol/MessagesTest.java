package org.starling.compute.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.GraphVersion;
import org.starling.compute.internal.graph.MovedShard;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.graph.StoredColumn;
import org.starling.compute.internal.protocol.BuildMessage.BuildStep;
import org.starling.compute.internal.protocol.BuildMessage.PartReport;
import org.starling.compute.internal.protocol.BuildMessage.Step;
import org.starling.compute.internal.protocol.ComputeMessage.Direction;
import org.starling.compute.internal.protocol.ComputeMessage.FailureKind;
import org.starling.compute.internal.protocol.ComputeMessage.Numbers;
import org.starling.compute.internal.protocol.PointMessage.ColumnAt;
import org.starling.compute.internal.protocol.PointMessage.GraphAt;
import org.starling.compute.internal.protocol.PointMessage.Presence;
import org.starling.compute.internal.protocol.PointMessage.Word;
import org.starling.compute.internal.protocol.QueryMessage.JobNews;
import org.starling.compute.internal.protocol.RecoveryMessage.RestoreStates;
import org.starling.compute.internal.protocol.RunMessage.Failure;
import org.starling.compute.internal.protocol.StructureMessage.Rows;
import org.starling.compute.internal.protocol.TopologyMessage.VersionReport;
import org.starling.compute.internal.structure.StructureType;
import org.starling.graph.BuildOptions;
import org.starling.graph.PartSummary;
import org.starling.net.MalformedMessageException;
import org.starling.net.Message;
import org.starling.net.MessageType;
import org.starling.net.NativeMemory;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.Request;
import org.starling.net.internal.NativeExporter;
import org.starling.net.internal.NativeImporter;

/**
 * What goes over the wire: ids are pinned, every message reads what it wrote, blocks have bytes.
 */
final class MessagesTest {
    private static final int ROOM_BYTES = 4096;

    /** Ids are for ever: a new message takes a new one. */
    private static final Map<Integer, String> IDS =
            Map.ofEntries(
                    Map.entry(3001, "Done"),
                    Map.entry(3002, "Numbers"),
                    Map.entry(3005, "BuildRead"),
                    Map.entry(3012, "MakeRows"),
                    Map.entry(3014, "EndBuild"),
                    Map.entry(3015, "Attach"),
                    Map.entry(3017, "PrepareRun"),
                    Map.entry(3018, "PrepareReport"),
                    Map.entry(3019, "Superstep"),
                    Map.entry(3020, "SuperstepReport"),
                    Map.entry(3021, "EndRun"),
                    Map.entry(3022, "EndReport"),
                    Map.entry(3023, "StopRun"),
                    Map.entry(3026, "FindOrdinal"),
                    Map.entry(3027, "Status"),
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
                    Map.entry(3051, "MeasureGraph"),
                    Map.entry(3054, "StatusReport"),
                    Map.entry(3055, "BuildStep"),
                    Map.entry(3056, "ReadVertices"),
                    Map.entry(3057, "VertexValues"),
                    Map.entry(3059, "MeasureKept"),
                    Map.entry(3060, "CopyShards"),
                    Map.entry(3061, "Copied"),
                    Map.entry(3062, "SetColumns"),
                    Map.entry(3063, "ReleaseCheckpoint"),
                    Map.entry(3065, "LetGo"),
                    Map.entry(3066, "MoveShards"),
                    Map.entry(3067, "LeaveJob"),
                    Map.entry(3070, "EndJob"),
                    Map.entry(3071, "AskJobs"),
                    Map.entry(3072, "JobsNews"),
                    Map.entry(3080, "FindIds"),
                    Map.entry(3081, "AskActivity"),
                    Map.entry(3082, "Activity"),
                    Map.entry(3083, "AskCourse"),
                    Map.entry(3084, "Course"),
                    Map.entry(3085, "AskLog"),
                    Map.entry(3086, "LogTold"),
                    Map.entry(3087, "RemoveMade"),
                    Map.entry(3088, "WithholdRows"),
                    Map.entry(3170, "AskPiece"),
                    Map.entry(3171, "Piece"),
                    Map.entry(3090, "ReleaseCode"),
                    Map.entry(3091, "CheckJob"),
                    Map.entry(3092, "JobVerdict"),
                    Map.entry(3100, "AskNeighbours"),
                    Map.entry(3101, "NeighboursTold"),
                    Map.entry(3102, "AskValue"),
                    Map.entry(3103, "ValueTold"),
                    Map.entry(3104, "AskPath"),
                    Map.entry(3105, "PathTold"),
                    Map.entry(3106, "FindVertices"),
                    Map.entry(3107, "VerticesTold"),
                    Map.entry(3108, "ReadIds"),
                    Map.entry(3109, "IdsTold"),
                    Map.entry(3110, "ReadRows"),
                    Map.entry(3111, "RowsTold"),
                    Map.entry(3112, "FindTextNumbers"),
                    Map.entry(3113, "TextNumbersTold"),
                    Map.entry(3114, "ReadNumberTexts"),
                    Map.entry(3115, "NumberTextsTold"),
                    Map.entry(3120, "SendChanges"),
                    Map.entry(3121, "FindNamed"),
                    Map.entry(3122, "MakeVersion"),
                    Map.entry(3123, "VersionReport"),
                    Map.entry(3124, "SaveDescriptor"),
                    Map.entry(3125, "ListStates"),
                    Map.entry(3126, "StateList"),
                    Map.entry(3127, "PackVersion"),
                    Map.entry(3128, "PackReport"),
                    Map.entry(3140, "BuildProjection"),
                    Map.entry(3141, "AskColumns"),
                    Map.entry(3142, "ColumnNames"),
                    Map.entry(3143, "JoinColumn"),
                    Map.entry(3144, "FindValues"),
                    Map.entry(3145, "ValuesFound"),
                    Map.entry(3150, "WriteParts"),
                    Map.entry(3151, "PartsWritten"),
                    Map.entry(3152, "EndWriting"),
                    Map.entry(3153, "WriteTable"),
                    Map.entry(3155, "SweepParts"),
                    Map.entry(3156, "SweptParts"),
                    Map.entry(3160, "FindTexts"),
                    Map.entry(3161, "TextsFound"),
                    Map.entry(3162, "FindNumbers"),
                    Map.entry(3163, "RowReport"),
                    Map.entry(3164, "PartReport"));

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

            Message read = read(written.type(), bytes(written));

            assertThat(read).as("%s", type).hasSameClassAs(written);
            assertThat(read).usingRecursiveComparison().isEqualTo(written);
        }
    }

    @Test
    void refusesWhatIsCutAndNumbersOfNoConstant() throws ReflectiveOperationException {
        for (Class<?> type : messages()) {
            Message written = sample(type);
            byte[] bytes = bytes(written);
            for (int length = 0; length < bytes.length; length++) {
                assertMalformed(written.type(), Arrays.copyOf(bytes, length));
            }
        }
        BuildStep step = new BuildStep(1, Step.SEND_EDGES, 2, new long[0], new int[0]);
        for (int number : new int[] {-1, Step.values().length, Byte.MIN_VALUE}) {
            byte[] bytes = bytes(step);
            bytes[Long.BYTES] = (byte) number;
            assertMalformed(step.type(), bytes);
        }
    }

    @Test
    void refusesForgedLengthsBeforeItAllocates() {
        byte[] longest = {-1, -1, -1, -1, 7};
        assertMalformed(new Numbers().type(), longest);
        assertMalformed(new PartReport(new PartSummary[0], 0, 0).type(), longest);
        byte[] states = Arrays.copyOf(new byte[2 * Long.BYTES + 1], 2 * Long.BYTES + 1 + 5);
        System.arraycopy(longest, 0, states, 2 * Long.BYTES + 1, longest.length);
        assertMalformed(RecordMessage.type(RestoreStates.class), states);
    }

    @Test
    void refusesStatesOfWhichSomeHaveNoType() {
        byte[] bytes =
                bytes(
                        new RestoreStates(
                                1,
                                2,
                                "g",
                                List.of("a"),
                                List.of(StateType.of(ColumnType.INT)),
                                new long[0]));
        byte[] without = Arrays.copyOf(bytes, bytes.length - 1 - Integer.BYTES);
        without[bytes.length - 3 - Integer.BYTES] = 0; // no types, and then no chunks

        assertThatThrownBy(() -> read(RecordMessage.type(RestoreStates.class), without))
                .isInstanceOf(MalformedMessageException.class)
                .hasMessage("bad RestoreStates: 0 types of 1 states");
    }

    private static void assertMalformed(MessageType<?> type, byte[] bytes) {
        assertThatThrownBy(() -> read(type, bytes))
                .as("%s of %s", type, HexFormat.of().formatHex(bytes))
                .isInstanceOf(MalformedMessageException.class);
    }

    private static byte[] bytes(Message message) {
        long room = NativeMemory.reserve(ROOM_BYTES);
        try {
            NativeExporter out = new NativeExporter();
            out.room(room, ROOM_BYTES, null);
            message.write(out);
            byte[] bytes = new byte[(int) (out.position() - room)];
            NativeMemory.copyToArray(room, bytes, 0, bytes.length);
            return bytes;
        } finally {
            NativeMemory.release(room, ROOM_BYTES);
        }
    }

    private static Message read(MessageType<?> type, byte[] bytes) {
        long room = NativeMemory.reserve(ROOM_BYTES);
        try {
            NativeMemory.copyFromArray(bytes, 0, room, bytes.length);
            NativeImporter in = new NativeImporter();
            in.start(room, bytes.length);
            Message message = type.reader().read(in);
            assertThat(in.remaining()).as("left over of %s", type).isZero();
            return message;
        } finally {
            NativeMemory.release(room, ROOM_BYTES);
        }
    }

    private static List<Class<?>> messages() {
        return Stream.concat(
                        Stream.of(ComputeMessage.class),
                        Arrays.stream(ComputeMessage.class.getPermittedSubclasses()))
                .flatMap(list -> Arrays.stream(list.getDeclaredClasses()))
                .<Class<?>>map(type -> type)
                .filter(type -> type.isAnnotationPresent(TypeId.class))
                .toList();
    }

    /** A message in which every field has a value of its own. */
    private static Message sample(Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            values[i] = value(components[i].getGenericType(), i + 1);
        }
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        return (Message) constructor.newInstance(values);
    }

    private static Object value(Type type, int number) {
        if (type instanceof ParameterizedType of) {
            Object inner = value(of.getActualTypeArguments()[0], number);
            return of.getRawType() == List.class ? List.of(inner, inner) : Optional.of(inner);
        }
        return switch (((Class<?>) type).getSimpleName()) {
            case "int" -> number;
            case "long" -> number * 10_000_000_019L;
            case "boolean" -> number % 2 == 1;
            case "String" -> "text " + number;
            case "int[]" -> new int[] {number, -number};
            case "long[]" -> new long[] {number, Long.MIN_VALUE, 7};
            case "byte[]" -> new byte[] {(byte) number, -1, 0};
            case "Step" -> Step.ORDER_VERTICES;
            case "StateType" -> new StateType(ColumnType.FLOAT, number + 1);
            case "StoredColumn" ->
                    new StoredColumn(
                            "text " + number, new StateType(ColumnType.INT, number + 1), number);
            case "Direction[]" -> new Direction[] {Direction.PULL, Direction.NONE};
            case "Failure" -> new Failure(FailureKind.LOST, "text " + number);
            case "BuildOptions" -> new BuildOptions(true, false, false, true);
            case "PartSummary[]" ->
                    new PartSummary[] {
                        new PartSummary(number, 2, 3, -4, 5, new long[] {6, number})
                    };
            case "Rows" -> new Rows(new byte[] {(byte) number, 0, -1});
            case "StructureType" ->
                    new StructureType(
                            StructureType.Kind.TABLE, List.of("n" + number), List.of("text"));
            case "JobNews" -> new JobNews(number, "text " + number, "LOW", "", -number);
            case "MovedShard" -> new MovedShard(number, 2, 3, -4, 5, -6);
            case "GraphVersion" -> new GraphVersion(number, 2, 3, -4, 5);
            case "VersionReport" ->
                    new VersionReport(
                            new int[] {number},
                            new long[] {1},
                            new long[0],
                            new long[] {-number},
                            2,
                            3,
                            4,
                            5,
                            number);
            case "GraphAt" -> new GraphAt(number, -number, "text " + number);
            case "ColumnAt" -> new ColumnAt(new StateType(ColumnType.LONG, 2), number, 7, -number);
            case "Word" -> new Word(Presence.MOVED, "text " + number, 3, new long[] {number});
            default -> throw new AssertionError("no sample of " + type);
        };
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
                        FailureKind.REPLACED,
                        FailureKind.FEW_BACKUPS,
                        FailureKind.UNACKNOWLEDGED,
                        FailureKind.DATA_LOST,
                        FailureKind.UNSERVED,
                        FailureKind.ABANDONED);
        assertThat(Direction.values())
                .containsExactly(
                        Direction.NONE, Direction.PUSH, Direction.PULL, Direction.PULL_ALL);
        assertThat(ColumnType.values())
                .containsExactly(
                        ColumnType.INT,
                        ColumnType.LONG,
                        ColumnType.FLOAT,
                        ColumnType.DOUBLE,
                        ColumnType.VERTEX,
                        ColumnType.BOOLEAN,
                        ColumnType.STRING,
                        ColumnType.ID);
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
