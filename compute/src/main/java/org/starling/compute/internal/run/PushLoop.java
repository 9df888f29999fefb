package org.starling.compute.internal.run;

import java.lang.invoke.MethodHandles;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.Rows;

/**
 * Template of push kernels (see {@link KernelCompiler}); combiner and layout of rows are constants
 * of each copy. Shards are pushed by several threads at once, so inboxes are written atomically.
 */
final class PushLoop implements PushKernel {
    private static final KernelConstants CONSTANTS = KernelConstants.of(MethodHandles.lookup());
    private static final ValueOp OP = CONSTANTS.op();
    private static final AdjacencyLayout ROWS = CONSTANTS.rows();

    @Override
    public void push(Rows rows, long first, long end, Bitmap senders, ChannelStep step) {
        long endWord = Bitmap.words(end);
        Published published = step.published();
        VertexSet broadcasters = published.broadcasters;
        for (long word = broadcasters.nextWord(Bitmap.words(first), endWord);
                word < endWord;
                word = broadcasters.nextWord(word + 1, endWord)) {
            long sending = broadcasters.word(word) & senders.word(word);
            for (long rest = sending; rest != 0; rest &= rest - 1) {
                long ordinal = (word << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(rest);
                long entry = rows.entry(ordinal);
                long target = AdjacencyLayout.targets(entry);
                long rowEnd = ROWS.targetsEnd(target, ROWS.degreeOf(entry));
                pushRow(target, rowEnd, published.value(ordinal), step);
            }
        }
    }

    @Override
    public void pushPiece(Rows rows, long ordinal, int firstEdge, int endEdge, ChannelStep step) {
        Published published = step.published();
        if (published.broadcasters.has(ordinal)) {
            long targets = AdjacencyLayout.targets(rows.entry(ordinal));
            pushRow(
                    ROWS.targetsEnd(targets, firstEdge),
                    ROWS.targetsEnd(targets, endEdge),
                    published.value(ordinal),
                    step);
        }
    }

    private static void pushRow(long from, long end, long value, ChannelStep step) {
        RemoteTargets remote = step.remote();
        if (remote == null) {
            pushLocal(from, end, value, step.settled(), step.inbox());
        } else {
            pushAnywhere(from, end, value, step.settled(), step.inbox(), remote);
        }
    }

    private static void pushLocal(long from, long end, long value, Bitmap settled, Inbox inbox) {
        long values = inbox.values;
        long words = inbox.receivers.words;
        long marks = inbox.receivers.marks;
        for (long target = from; target < end; target += ROWS.targetBytes()) {
            long neighbour = ROWS.target(target);
            if (!settled.get(neighbour)) {
                Inbox.deliver(OP, values, words, marks, neighbour, value);
            }
        }
    }

    private static void pushAnywhere(
            long from, long end, long value, Bitmap settled, Inbox inbox, RemoteTargets remote) {
        long values = inbox.values;
        long words = inbox.receivers.words;
        long marks = inbox.receivers.marks;
        for (long target = from; target < end; target += ROWS.targetBytes()) {
            long neighbour = ROWS.target(target);
            int owner = remote.shards().ownerOf(neighbour);
            if (owner != remote.self()) {
                remote.send(owner, neighbour, value);
            } else if (!settled.get(neighbour)) {
                Inbox.deliver(OP, values, words, marks, neighbour, value);
            }
        }
    }
}
