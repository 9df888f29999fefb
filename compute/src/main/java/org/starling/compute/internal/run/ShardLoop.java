package org.starling.compute.internal.run;

import org.jspecify.annotations.Nullable;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.RowAdjacency;
import org.starling.compute.internal.protocol.ComputeMessage.Direction;
import org.starling.graph.InvalidInputException;
import org.starling.graph.PartProgram;
import org.starling.graph.Program;
import org.starling.graph.ShardProgram;
import org.starling.graph.TeamProgram;
import org.starling.graph.VertexProgram;

/**
 * The second half of a superstep for one shard: pull what neighbours broadcast, call the program,
 * clear what was received.
 *
 * <p>One for each worker, confined to its thread. A shard's words are touched by one worker only,
 * so nothing here is atomic.
 */
final class ShardLoop {
    private final RunContext context;
    private final Worker worker;
    private final ShardView view;
    private final TeamView team;
    private boolean together;
    private final @Nullable Bitmap starts;

    /**
     * Makes a loop.
     *
     * @param starts vertices that start; null if all do
     */
    ShardLoop(RunContext context, Worker worker, @Nullable Bitmap starts) {
        this.context = context;
        this.worker = worker;
        this.view = new ShardView(context.graph);
        this.team = new TeamView(new RowAdjacency(context.graph.out()), context.stop);
        this.starts = starts;
    }

    /** Computes a shard. */
    void compute(int shard, int superstep, Direction[] directions, boolean all) {
        long end = context.graph.shards().end(shard);
        long firstWord = context.graph.shards().firstWord(shard);
        long endWord = Bitmap.words(end);
        receive(shard, superstep, directions);
        switch (worker.program()) {
            case ShardProgram program -> program.compute(view.moveTo(shard, superstep));
            case VertexProgram program -> callVertices(program, firstWord, end, superstep, all);
            case PartProgram program ->
                    throw new InvalidInputException(
                            "a program over parts of structures does not run over graphs");
        }
        for (Channel channel : context.channels) {
            channel.inbox(superstep).clear(firstWord, endWord);
        }
        for (RecordStream stream : context.records) {
            stream.inbox(superstep).clear(shard);
        }
    }

    /** Pulls what was broadcast into a shard's inboxes. */
    void receive(int shard, int superstep, Direction[] directions) {
        long first = context.graph.shards().first(shard);
        long end = context.graph.shards().end(shard);
        for (Channel channel : context.channels) {
            channel.published(superstep).broadcasters.clear(Bitmap.words(first), Bitmap.words(end));
            pull(channel, first, end, superstep, directions[channel.index()]);
        }
    }

    /** Lets the program put what it knows of a shard into states. */
    void save(int shard, int superstep) {
        if (worker.program() instanceof ShardProgram program) {
            program.save(view.moveTo(shard, superstep));
        }
    }

    /** What a worker does together with the others, behind all shards. */
    void together(int workers, int superstep) {
        if (worker.program() instanceof TeamProgram program) {
            together = true;
            program.together(team.moveTo(workers, superstep));
            together = false;
        }
    }

    /** What a worker was doing when it failed. */
    String place(Program program) {
        return program instanceof VertexProgram
                ? worker.cursor.toString()
                : together ? "the work of its team" : "shard " + view.index();
    }

    private void pull(Channel channel, long first, long end, int superstep, Direction direction) {
        if (direction.isPull()) {
            ChannelStep step = context.pull(channel, superstep, direction);
            channel.pulls().forEach(pull -> pull.shard(first, end, step));
        }
    }

    private void callVertices(
            VertexProgram program, long firstWord, long shardEnd, int superstep, boolean all) {
        VertexKernel kernel = KernelCompiler.vertices(program.getClass());
        long end = Math.min(shardEnd, context.startsFrom(superstep));
        if (end < shardEnd) {
            startAdded(program, kernel, Math.max(end, firstWord << Bitmap.WORD_SHIFT), shardEnd);
        }
        long endWord = Bitmap.words(end);
        boolean everyone = superstep == 0 || all;
        for (long word = everyone ? firstWord : nextReceiving(firstWord, endWord, superstep);
                word < endWord;
                word = everyone ? word + 1 : nextReceiving(word + 1, endWord, superstep)) {
            long bits = superstep == 0 ? starting(word) : all ? -1L : received(word, superstep);
            bits &= ~context.settled.word(word) & Bitmap.maskBelow(word, end);
            if (bits != 0) {
                context.stop.check();
                worker.countComputed(Long.bitCount(bits));
                if (superstep == 0) {
                    kernel.start(program, worker.cursor, word, bits);
                } else {
                    kernel.compute(program, worker.cursor, word, bits);
                }
            }
        }
    }

    /** Vertices that the program has added begin. */
    private void startAdded(VertexProgram program, VertexKernel kernel, long from, long end) {
        for (long word = from >>> Bitmap.WORD_SHIFT; word < Bitmap.words(end); word++) {
            long bits =
                    Bitmap.maskBelow(word, end)
                            & ~Bitmap.maskBelow(word, from)
                            & ~context.settled.word(word);
            context.stop.check();
            worker.countComputed(Long.bitCount(bits));
            kernel.start(program, worker.cursor, word, bits);
        }
    }

    private long starting(long word) {
        return starts == null ? -1L : starts.word(word);
    }

    /** First word from {@code from} on in which somebody received; {@code endWord} if none is. */
    private long nextReceiving(long from, long endWord, int superstep) {
        long next = endWord;
        for (Channel channel : context.channels) {
            next = channel.inbox(superstep).receivers.nextWord(from, next);
        }
        for (RecordStream stream : context.records) {
            next = stream.inbox(superstep).receivers.nextWord(from, next);
        }
        return next;
    }

    private long received(long word, int superstep) {
        long bits = 0;
        for (Channel channel : context.channels) {
            bits |= channel.inbox(superstep).receivers.word(word);
        }
        for (RecordStream stream : context.records) {
            bits |= stream.inbox(superstep).receivers.word(word);
        }
        return bits;
    }
}
