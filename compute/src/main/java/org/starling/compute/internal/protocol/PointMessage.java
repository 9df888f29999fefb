package org.starling.compute.internal.protocol;

import java.util.List;
import org.starling.compute.internal.graph.StateType;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.RecordRequest;

/**
 * Questions about single vertices, which peers answer beside whatever jobs do: those that people
 * ask come to all peers, and the owner answers; those that peers ask one another in the course of
 * an answer name vertices by ordinals and go to their owners. Part of {@link ComputeMessage}'s
 * list; ids 3100 to 3115.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface PointMessage extends ComputeMessage {
    /**
     * Which graph is meant.
     *
     * @param descriptor chunk of its descriptor
     * @param fingerprint tells it from others that had that chunk before it
     * @param name the directory's name that leads to the descriptor; empty if the catalogue does
     */
    record GraphAt(long descriptor, long fingerprint, String name) {}

    /** What became of a question. */
    enum Presence {
        /** It is answered. */
        FOUND,
        /** No shard that was searched has the vertex. */
        ABSENT,
        /** A shard is not here, or not yet. */
        MOVED,
        /** The graph has been dropped. */
        GONE,
        /** The question makes no sense. */
        REFUSED,
        /** There was no time to answer it, or no room. */
        BUSY
    }

    /**
     * What became of a question, and how far it came.
     *
     * @param sentence for people, if it could not be answered; else empty
     * @param shards number of the graph's shards; 0 if nothing was searched
     * @param searched a bit for each shard that was, the lowest first; those without vertices are
     *     set
     */
    record Word(Presence presence, String sentence, int shards, long[] searched) {
        /** Nothing to add. */
        public static Word of(Presence presence) {
            return of(presence, "");
        }

        /** With a sentence. */
        public static Word of(Presence presence, String sentence) {
            return new Word(presence, sentence, 0, new long[0]);
        }
    }

    /** An answer that says what became of its question. */
    sealed interface Answer extends PointMessage {
        /** What became of it. */
        Word word();
    }

    /**
     * Neighbours of a vertex, if it is here.
     *
     * @param graph which graph
     * @param id the vertex
     * @param incoming whether those from which edges come are meant
     * @param offset neighbours to leave out
     * @param limit most neighbours to tell
     * @param nanos how long the answer is waited for
     */
    @TypeId(3100)
    record AskNeighbours(
            GraphAt graph, long id, boolean incoming, long offset, int limit, long nanos)
            implements PointMessage, RecordRequest<NeighboursTold> {}

    /**
     * Neighbours of a vertex.
     *
     * @param word what became of the question
     * @param count how many there are in all
     * @param ids of those that were asked for
     * @param weights bits of the weights of the edges to them; empty in a graph without weights
     */
    @TypeId(3101)
    record NeighboursTold(Word word, long count, long[] ids, int[] weights) implements Answer {}

    /**
     * Which column of vertices is meant.
     *
     * @param valueType its type
     * @param property its number among the graph's properties; -1 if it is a published column
     * @param manifest chunk that leads to a published column's values
     * @param publication tells it from others that had that chunk before it
     */
    record ColumnAt(StateType valueType, int property, long manifest, long publication) {
        /** A property. */
        public static ColumnAt property(StateType type, int number) {
            return new ColumnAt(type, number, 0, 0);
        }

        /** A published column. */
        public static ColumnAt published(StateType type, long manifest, long publication) {
            return new ColumnAt(type, -1, manifest, publication);
        }
    }

    /**
     * A vertex' value of a property or a published column, if it is here.
     *
     * @param graph which graph
     * @param id the vertex
     * @param column which column
     * @param nanos how long the answer is waited for
     */
    @TypeId(3102)
    record AskValue(GraphAt graph, long id, ColumnAt column, long nanos)
            implements PointMessage, RecordRequest<ValueTold> {}

    /**
     * A vertex' value.
     *
     * @param word what became of the question
     * @param bits of each element; ids where the column's are ordinals; none of a string
     * @param string the value, if it is one
     */
    @TypeId(3103)
    record ValueTold(Word word, long[] bits, String string) implements Answer {}

    /**
     * A shortest path. Any peer can be asked.
     *
     * @param graph which graph
     * @param from the first vertex
     * @param to the last one
     * @param maxVertices most vertices to come to
     * @param searchNanos how long to search
     * @param nanos how long the answer is waited for
     */
    @TypeId(3104)
    record AskPath(GraphAt graph, long from, long to, int maxVertices, long searchNanos, long nanos)
            implements PointMessage, RecordRequest<PathTold> {}

    /**
     * A shortest path.
     *
     * @param word what became of the question
     * @param complete false if the search ended at a bound
     * @param ids of its vertices; empty if there is none
     * @param visited vertices that the search came to
     */
    @TypeId(3105)
    record PathTold(Word word, boolean complete, long[] ids, long visited) implements Answer {}

    /**
     * Ordinals of those of some vertices that are here.
     *
     * @param graph which graph
     * @param ids the vertices
     */
    @TypeId(3106)
    record FindVertices(GraphAt graph, long[] ids)
            implements PointMessage, RecordRequest<VerticesTold> {}

    /**
     * Ordinals of vertices.
     *
     * @param word what became of the question, and how far it came
     * @param ordinals of each, or -1
     */
    @TypeId(3107)
    record VerticesTold(Word word, long[] ordinals) implements Answer {}

    /**
     * Ids of vertices, all of which should be here.
     *
     * @param graph which graph
     * @param ordinals the vertices
     */
    @TypeId(3108)
    record ReadIds(GraphAt graph, long[] ordinals)
            implements PointMessage, RecordRequest<IdsTold> {}

    /**
     * Ids of vertices.
     *
     * @param word what became of the question
     * @param ids in the order of the question
     */
    @TypeId(3109)
    record IdsTold(Word word, long[] ids) implements Answer {}

    /**
     * Rows of vertices, all of which should be here.
     *
     * @param graph which graph
     * @param ordinals the vertices
     * @param incoming whether rows of incoming edges are meant
     * @param skip neighbours of the first one to leave out
     */
    @TypeId(3110)
    record ReadRows(GraphAt graph, long[] ordinals, boolean incoming, int skip)
            implements PointMessage, RecordRequest<RowsTold> {}

    /**
     * Rows of vertices, as many as fit into an answer.
     *
     * @param word what became of the question
     * @param counts neighbours told of each vertex; of the others nothing is
     * @param whole whether the last one's row is told to its end
     * @param targets ordinals, one row behind the other
     */
    @TypeId(3111)
    record RowsTold(Word word, int[] counts, boolean whole, long[] targets) implements Answer {}

    /**
     * Numbers of those of some ids that are texts which are here.
     *
     * @param graph which graph
     * @param texts the ids
     */
    @TypeId(3112)
    record FindTextNumbers(GraphAt graph, List<String> texts)
            implements PointMessage, RecordRequest<TextNumbersTold> {}

    /**
     * Numbers of ids that are texts.
     *
     * @param word what became of the question, and how far it came
     * @param numbers of each, or -1
     */
    @TypeId(3113)
    record TextNumbersTold(Word word, long[] numbers) implements Answer {}

    /**
     * Texts of those of some ids that are here, as many as fit into an answer.
     *
     * @param graph which graph
     * @param numbers the ids
     */
    @TypeId(3114)
    record ReadNumberTexts(GraphAt graph, long[] numbers)
            implements PointMessage, RecordRequest<NumberTextsTold> {}

    /**
     * Texts of ids.
     *
     * @param word what became of the question
     * @param indexes which of the ids that were asked for
     * @param texts of these
     */
    @TypeId(3115)
    record NumberTextsTold(Word word, int[] indexes, List<String> texts) implements Answer {}
}
