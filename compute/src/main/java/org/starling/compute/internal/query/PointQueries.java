package org.starling.compute.internal.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.GraphDescriptor;
import org.starling.compute.internal.graph.StateType;
import org.starling.compute.internal.protocol.PointMessage.Answer;
import org.starling.compute.internal.protocol.PointMessage.AskNeighbours;
import org.starling.compute.internal.protocol.PointMessage.AskPath;
import org.starling.compute.internal.protocol.PointMessage.AskValue;
import org.starling.compute.internal.protocol.PointMessage.ColumnAt;
import org.starling.compute.internal.protocol.PointMessage.FindTextNumbers;
import org.starling.compute.internal.protocol.PointMessage.GraphAt;
import org.starling.compute.internal.protocol.PointMessage.NeighboursTold;
import org.starling.compute.internal.protocol.PointMessage.NumberTextsTold;
import org.starling.compute.internal.protocol.PointMessage.PathTold;
import org.starling.compute.internal.protocol.PointMessage.Presence;
import org.starling.compute.internal.protocol.PointMessage.ReadNumberTexts;
import org.starling.compute.internal.protocol.PointMessage.TextNumbersTold;
import org.starling.compute.internal.protocol.PointMessage.ValueTold;
import org.starling.compute.internal.protocol.PointMessage.Word;
import org.starling.compute.script.UnknownNameException;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Neighbours;
import org.starling.graph.TextId;
import org.starling.graph.VertexId;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexValue;
import org.starling.net.RecordRequest;
import org.starling.store.StoreNode;

/**
 * Asks peers about single vertices. A question about a vertex goes to all peers at once and its
 * owner answers; one about a path goes to any peer. As long as there is time it is asked again:
 * when a peer is lost, when shards are on their way, when the graph is another one now. Blocking;
 * any thread that may wait.
 */
public final class PointQueries {
    /** The most vertices of one search. */
    static final int MAX_PATH_VERTICES = GraphQueries.MAX_PATH_VERTICES;

    /** Of an id that is a text, in a sentence. */
    private static final int SHOWN_CHARACTERS = 60;

    private final Owners owners;
    private final Duration patience;
    private final AtomicInteger turn = new AtomicInteger();

    /** The time is over, or the answer can't be had at all. */
    public static final class UnansweredException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        UnansweredException(String sentence) {
            super(sentence);
        }
    }

    /**
     * A graph to ask about.
     *
     * @param name for people
     * @param at where it is
     */
    public record Asked(String name, GraphAt at) {}

    /**
     * Asks peers of a node's cluster.
     *
     * @param patience how long to wait for an answer
     */
    public PointQueries(StoreNode store, Duration patience) {
        this.owners = new Owners(store);
        this.patience = patience;
    }

    /** Where a graph of a job is. */
    public static Asked ofJob(GraphDescriptor graph, long chunk, String directoryName) {
        long fingerprint =
                (long) Arrays.hashCode(graph.outRanges()) << Integer.SIZE
                        | Integer.toUnsignedLong(
                                31 * Arrays.hashCode(graph.shardFirsts())
                                        + Arrays.hashCode(graph.idChunks()));
        return new Asked(graph.name(), new GraphAt(chunk, fingerprint, directoryName));
    }

    /**
     * Neighbours of a vertex; see {@link GraphQueries#neighbours}.
     *
     * @param graph asked before each try
     */
    public Neighbours neighbours(
            Supplier<Asked> graph, long id, EdgeDirection direction, long offset, int limit) {
        if (direction == EdgeDirection.BOTH) {
            throw new InvalidInputException(
                    "neighbours are those to which edges lead, or those from which they come, not"
                            + " both at once");
        }
        require("offset", offset, 0, Long.MAX_VALUE);
        require("limit", limit, 0, GraphQueries.MAX_NEIGHBOURS);
        boolean incoming = direction == EdgeDirection.INCOMING;
        NeighboursTold told =
                ofOwner(
                        graph,
                        id,
                        (asked, nanos) ->
                                new AskNeighbours(asked.at, id, incoming, offset, limit, nanos));
        List<Float> weights = new ArrayList<>();
        for (int bits : told.weights()) {
            weights.add(Float.intBitsToFloat(bits));
        }
        return new Neighbours(told.count(), offset, boxed(told.ids()), weights);
    }

    /**
     * A vertex' value of a property or a published column.
     *
     * @param graph asked before each try
     */
    VertexValue value(Supplier<Asked> graph, long id, ColumnAt column) {
        ValueTold told =
                ofOwner(graph, id, (asked, nanos) -> new AskValue(asked.at, id, column, nanos));
        return column.valueType().element() == ColumnType.STRING
                ? new VertexValue(column.valueType().toString(), told.string())
                : value(column.valueType(), told.bits());
    }

    /**
     * A shortest path; see {@link GraphQueries#path}.
     *
     * @param graph asked before each try
     */
    public VertexPath path(
            Supplier<Asked> graph, long from, long to, int maxVertices, Duration time) {
        require("maxVertices", maxVertices, 1, GraphQueries.MAX_PATH_VERTICES);
        if (time.isNegative() || time.compareTo(GraphQueries.MAX_PATH_TIME) > 0) {
            throw new InvalidInputException(
                    "a search for a path takes at most %d s"
                            .formatted(GraphQueries.MAX_PATH_TIME.toSeconds()));
        }
        Deadline deadline = Deadline.in(patience.plus(time));
        String trouble = "";
        for (int tries = 1; ; tries++) {
            Asked asked = graph.get();
            List<Integer> peers = owners.peers();
            PathTold told = null;
            if (!peers.isEmpty()) {
                int peer = peers.get(Math.floorMod(turn.getAndIncrement(), peers.size()));
                long nanos = Math.max(1, deadline.leftNanos());
                AskPath question =
                        new AskPath(asked.at, from, to, maxVertices, time.toNanos(), nanos);
                told = first(List.of(owners.ask(peer, question, nanos)), deadline);
            }
            if (told != null && told.word().presence() == Presence.FOUND) {
                return new VertexPath(boxed(told.ids()), told.complete(), told.visited());
            }
            if (told != null && told.word().presence() == Presence.ABSENT) {
                long missing = Long.parseUnsignedLong(told.word().sentence());
                throw new UnknownNameException(noVertex(asked.name, missing));
            }
            trouble = told == null ? trouble : told.word().sentence();
            await(trouble, tries, deadline);
        }
    }

    /**
     * Numbers of ids that are texts.
     *
     * @param graph asked before each try
     */
    public long[] numbers(Supplier<Asked> graph, List<String> texts) {
        texts.forEach(TextId::requireWhole);
        Deadline deadline = Deadline.in(patience);
        long[] numbers = new long[texts.size()];
        Arrays.fill(numbers, -1);
        for (int tries = 1; ; tries++) {
            Asked asked = graph.get();
            List<CompletableFuture<@Nullable TextNumbersTold>> answers =
                    all(new FindTextNumbers(asked.at, texts), deadline);
            for (CompletableFuture<@Nullable TextNumbersTold> answer : answers) {
                TextNumbersTold told = answer.join();
                for (int i = 0; told != null && i < told.numbers().length; i++) {
                    numbers[i] = Math.max(numbers[i], told.numbers()[i]);
                }
            }
            int missing = indexOfNone(numbers);
            if (missing < 0) {
                return numbers;
            }
            if (isNowhere(answers)) {
                throw new UnknownNameException(noVertex(asked.name, texts.get(missing)));
            }
            await(trouble(answers), tries, deadline);
        }
    }

    private static int indexOfNone(long[] numbers) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] < 0) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Texts of ids by their numbers. Answers are bounded, so what did not fit is asked for again.
     *
     * @param graph asked before each try
     */
    public List<String> texts(Supplier<Asked> graph, long[] numbers) {
        Deadline deadline = Deadline.in(patience);
        @Nullable String[] texts = new String[numbers.length];
        int[] left = IntStream.range(0, numbers.length).toArray();
        for (int tries = 1; left.length > 0; tries++) {
            Asked asked = graph.get();
            int[] wanted = left;
            long[] some = Arrays.stream(wanted).mapToLong(i -> numbers[i]).toArray();
            List<CompletableFuture<@Nullable NumberTextsTold>> answers =
                    all(new ReadNumberTexts(asked.at, some), deadline);
            for (CompletableFuture<@Nullable NumberTextsTold> answer : answers) {
                NumberTextsTold told = answer.join();
                for (int i = 0; told != null && i < told.indexes().length; i++) {
                    texts[wanted[told.indexes()[i]]] = told.texts().get(i);
                }
            }
            left = Arrays.stream(wanted).filter(i -> texts[i] == null).toArray();
            if (left.length == wanted.length) {
                await(trouble(answers), tries, deadline);
            }
        }
        return Arrays.stream(texts).map(Objects::requireNonNull).toList();
    }

    private <A extends Answer, Q extends RecordRequest<A>> List<CompletableFuture<@Nullable A>> all(
            Q question, Deadline deadline) {
        List<CompletableFuture<@Nullable A>> answers = new ArrayList<>();
        owners.peers().forEach(peer -> answers.add(owners.ask(peer, question, deadline)));
        return answers;
    }

    private static <A extends Answer> String trouble(List<CompletableFuture<@Nullable A>> answers) {
        A told = reason(answers);
        return told == null ? "" : told.word().sentence();
    }

    /** What is wrong with an id. */
    public static String noVertex(String graph, long id) {
        return noVertexOf(graph, VertexId.text(id));
    }

    /** What is wrong with an id that is a text. */
    public static String noVertex(String graph, String id) {
        return noVertexOf(
                graph,
                id.length() <= SHOWN_CHARACTERS
                        ? "\"" + id + "\""
                        : "\"" + id.substring(0, SHOWN_CHARACTERS) + "…\"");
    }

    private static String noVertexOf(String graph, String shown) {
        return "graph \"%s\" has no vertex %s; take an id that stands in its file"
                .formatted(graph, shown);
    }

    /** The value of these bits. */
    public static VertexValue value(StateType type, long[] bits) {
        if (type.length() == 1) {
            return new VertexValue(type.toString(), element(type.element(), bits[0]));
        }
        List<@Nullable Object> elements = new ArrayList<>();
        for (long one : bits) {
            elements.add(element(type.element(), one));
        }
        return new VertexValue(type.toString(), elements);
    }

    private static @Nullable Object element(ColumnType type, long bits) {
        return switch (type) {
            case BOOLEAN -> bits != 0;
            case INT, LONG -> bits;
            case STRING -> throw new IllegalStateException("a string has no bits");
            case VERTEX, ID -> bits == -1 ? null : VertexId.number(bits);
            case FLOAT, DOUBLE -> {
                double value = Double.parseDouble(type.format(bits)); // as people write it
                yield Double.isFinite(value) ? value : null;
            }
        };
    }

    /** Asks all peers until the owner of a vertex answers, or it is known that there is none. */
    private <A extends Answer, Q extends RecordRequest<A>> A ofOwner(
            Supplier<Asked> graph, long id, BiFunction<Asked, Long, Q> question) {
        Deadline deadline = Deadline.in(patience);
        String trouble = "";
        for (int tries = 1; ; tries++) {
            Asked asked = graph.get();
            Q one = question.apply(asked, Math.max(1, deadline.leftNanos()));
            List<CompletableFuture<@Nullable A>> answers = all(one, deadline);
            A answer = first(answers, deadline);
            if (answer != null) {
                switch (answer.word().presence()) {
                    case FOUND -> {
                        return answer;
                    }
                    case REFUSED ->
                            throw new InvalidInputException(
                                    answer.word().sentence()); // the owner has looked
                    case GONE, ABSENT, MOVED, BUSY -> trouble = answer.word().sentence();
                }
            }
            if (isNowhere(answers)) {
                throw new UnknownNameException(noVertex(asked.name, id));
            }
            await(trouble, tries, deadline);
        }
    }

    /**
     * The first answer that says something; if there is none, any that says why not, or null. Waits
     * for all the others then.
     */
    private static <A extends Answer> @Nullable A first(
            List<CompletableFuture<@Nullable A>> answers, Deadline deadline) {
        CompletableFuture<@Nullable A> first = new CompletableFuture<>();
        for (CompletableFuture<@Nullable A> answer : answers) {
            CompletableFuture<?> _ =
                    answer.thenAccept(told -> {
                        if (told != null && isEnd(told.word())) {
                            first.complete(told);
                        }
                    });
        }
        CompletableFuture<?> _ =
                CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                        .thenRun(() -> first.complete(null));
        try {
            A told = first.get(Math.max(1, deadline.leftNanos()), TimeUnit.NANOSECONDS);
            return told != null ? told : reason(answers);
        } catch (TimeoutException over) {
            return null;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new UnansweredException("the question was interrupted");
        } catch (ExecutionException bug) {
            throw new IllegalStateException("a future that cannot fail", bug);
        }
    }

    private static <A extends Answer> @Nullable A reason(
            List<CompletableFuture<@Nullable A>> answers) {
        A reason = null;
        for (CompletableFuture<@Nullable A> answer : answers) {
            A told = answer.getNow(null);
            if (told != null && (reason == null || !told.word().sentence().isEmpty())) {
                reason = told;
            }
        }
        return reason;
    }

    private static boolean isEnd(Word word) {
        return word.presence() == Presence.FOUND || word.presence() == Presence.REFUSED;
    }

    /** Whether all shards were searched by somebody. */
    private static <A extends Answer> boolean isNowhere(
            List<CompletableFuture<@Nullable A>> answers) {
        BitSet searched = new BitSet();
        int shards = -1;
        for (CompletableFuture<@Nullable A> answer : answers) {
            A told = answer.getNow(null);
            if (told != null && told.word().presence() == Presence.ABSENT) {
                searched.or(BitSet.valueOf(told.word().searched()));
                shards = told.word().shards();
            }
        }
        return shards >= 0 && searched.nextClearBit(0) >= shards;
    }

    private static void await(String trouble, int tries, Deadline deadline) {
        if (deadline.isOver()) {
            throw new UnansweredException(trouble.isEmpty() ? Owners.recovering() : trouble);
        }
        deadline.pause(tries);
    }

    private static void require(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new InvalidInputException(
                    most == Long.MAX_VALUE
                            ? "%s: expected %d or more, found %d".formatted(what, least, value)
                            : "%s: expected %d to %d, found %d"
                                    .formatted(what, least, most, value));
        }
    }

    private static List<Long> boxed(long[] values) {
        return Arrays.stream(values).boxed().toList();
    }
}
