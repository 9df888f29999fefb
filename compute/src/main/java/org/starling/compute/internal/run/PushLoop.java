package org.starling.compute.internal.run;

import java.lang.invoke.MethodHandles;
import org.jspecify.annotations.Nullable;
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
    public void push(
            Rows rows,
            long first,
            long end,
            Bitmap settled,
            Published published,
            Inbox inbox,
            @Nullable RemoteTargets remote) {
        long endWord = Bitmap.words(end);
        for (long word = first >>> Bitmap.WORD_SHIFT; word < endWord; word++) {
            for (long rest = published.word(word); rest != 0; rest &= rest - 1) {
                long ordinal = (word << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(rest);
                long entry = rows.entry(ordinal);
                long target = AdjacencyLayout.targets(entry);
                long rowEnd = ROWS.targetsEnd(target, ROWS.degreeOf(entry));
                long value = published.value(ordinal);
                if (remote == null) {
                    pushLocal(target, rowEnd, value, settled, inbox);
                } else {
                    pushAnywhere(target, rowEnd, value, settled, inbox, remote);
                }
            }
        }
    }

    private static void pushLocal(long from, long end, long value, Bitmap settled, Inbox inbox) {
        for (long target = from; target < end; target += ROWS.targetBytes()) {
            long neighbour = ROWS.target(target);
            if (!settled.get(neighbour)) {
                Inbox.deliver(OP, inbox.values, inbox.bits, neighbour, value);
            }
        }
    }

    private static void pushAnywhere(
            long from, long end, long value, Bitmap settled, Inbox inbox, RemoteTargets remote) {
        for (long target = from; target < end; target += ROWS.targetBytes()) {
            long neighbour = ROWS.target(target);
            int owner = remote.shards().ownerOf(neighbour);
            if (owner != remote.self()) {
                remote.send(owner, neighbour, value);
            } else if (!settled.get(neighbour)) {
                Inbox.deliver(OP, inbox.values, inbox.bits, neighbour, value);
            }
        }
    }
}
