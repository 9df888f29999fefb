package org.starling.compute.internal.run;

import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.protocol.ComputeMessage.Direction;
import org.starling.net.NativeMemory;

/**
 * The first half of a superstep: what was broadcast or published in the last one is carried to
 * where it will be read.
 *
 * <p>Pushed broadcasts go along the edges into inboxes. For pulled ones each node tells the others
 * once what its vertices broadcast; the walk along edges is then part of computing. Mirrors take
 * their staged values, here and elsewhere. Called by workers, each part by one of them. Stateless.
 */
final class Delivery {
    private final RunContext context;
    private final Slaves slaves;

    Delivery(RunContext context, Slaves slaves) {
        this.context = context;
        this.slaves = slaves;
    }

    /**
     * Number of parts that a superstep's delivery has: the own shards, then what shards leave out
     * because it would take one worker too long.
     */
    int parts(Direction[] directions) {
        int parts = context.graph.ownShards().length;
        for (Channel channel : context.channels) {
            if (directions[channel.index()] == Direction.PUSH) {
                for (PathPush push : channel.pushes()) {
                    parts += push.parts();
                }
            }
        }
        return parts;
    }

    /** Delivers one of {@link #parts}. */
    void deliver(Worker worker, int part, int superstep, Direction[] directions, boolean mirrors) {
        int[] ownShards = context.graph.ownShards();
        if (part < ownShards.length) {
            deliverShard(worker, ownShards[part], superstep, directions, mirrors);
        } else {
            pushHubs(worker, part - ownShards.length, superstep, directions);
        }
    }

    private void deliverShard(
            Worker worker, int shard, int superstep, Direction[] directions, boolean mirrors) {
        for (Channel channel : context.channels) {
            switch (directions[channel.index()]) {
                case NONE -> {}
                case PUSH -> push(worker, channel, shard, superstep);
                case PULL, PULL_ALL -> {
                    if (!slaves.isAlone()) {
                        tell(worker, channel, shard, superstep);
                    }
                }
            }
        }
        if (mirrors) {
            for (Mirror mirror : context.mirrors) {
                apply(worker, mirror, shard, superstep);
            }
        }
    }

    private void push(Worker worker, Channel channel, int shard, int superstep) {
        ChannelStep step = context.push(channel, superstep, worker.remote(channel));
        channel.pushes().forEach(push -> push.shard(context.graph.shards(), shard, step));
    }

    private void pushHubs(Worker worker, int number, int superstep, Direction[] directions) {
        int part = number;
        for (Channel channel : context.channels) {
            if (directions[channel.index()] == Direction.PUSH) {
                for (PathPush push : channel.pushes()) {
                    if (part >= 0 && part < push.parts()) {
                        push.part(part, context.push(channel, superstep, worker.remote(channel)));
                    }
                    part -= push.parts();
                }
            }
        }
    }

    private void tell(Worker worker, Channel channel, int shard, int superstep) {
        Published published = channel.published(superstep - 1);
        int width = channel.op().broadcastBytes();
        long endWord = context.graph.shards().endWord(shard);
        long firstWord = context.graph.shards().firstWord(shard);
        VertexSet broadcasters = published.broadcasters;
        for (long word = broadcasters.nextWord(firstWord, endWord);
                word < endWord;
                word = broadcasters.nextWord(word + 1, endWord)) {
            tellWord(
                    worker,
                    BlockLayout.PUBLISHED,
                    superstep,
                    channel.index(),
                    word,
                    broadcasters.word(word),
                    published.values,
                    width);
        }
    }

    private void apply(Worker worker, Mirror mirror, int shard, int superstep) {
        long endWord = context.graph.shards().endWord(shard);
        long firstWord = context.graph.shards().firstWord(shard);
        VertexSet stagers = mirror.stagers;
        for (long word = stagers.nextWord(firstWord, endWord);
                word < endWord;
                word = stagers.nextWord(word + 1, endWord)) {
            tellWord(
                    worker,
                    BlockLayout.MIRROR,
                    superstep,
                    mirror.index(),
                    word,
                    stagers.word(word),
                    mirror.stagedAddress(),
                    mirror.width());
            mirror.applyWord(word);
        }
        stagers.clear(firstWord, endWord);
    }

    /** Sends a word of a set, and the values of its vertices, to all other slaves. */
    private void tellWord(
            Worker worker,
            byte kind,
            int superstep,
            int index,
            long word,
            long bits,
            long values,
            int width) {
        int bytes = 16 + Long.bitCount(bits) * width;
        for (int slave = 0; slave < slaves.count(); slave++) {
            if (slave != slaves.selfIndex()) {
                long at = worker.outbox(slave).record(kind, superstep, index, bytes);
                writeWord(at, word, bits, values, width);
            }
        }
    }

    private static void writeWord(long into, long word, long bits, long values, int width) {
        NativeMemory.putLong(into, word);
        NativeMemory.putLong(into + 8, bits);
        if (width > 0) {
            long at = into + 16;
            for (long rest = bits; rest != 0; rest &= rest - 1) {
                long ordinal = (word << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(rest);
                ColumnType.store(at, width, ColumnType.load(values + ordinal * width, width));
                at += width;
            }
        }
    }
}
