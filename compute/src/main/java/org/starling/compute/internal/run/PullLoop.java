package org.starling.compute.internal.run;

import java.lang.invoke.MethodHandles;
import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.graph.Bitmap;
import org.starling.compute.internal.graph.ColumnType;
import org.starling.compute.internal.graph.Rows;
import org.starling.graph.DoubleCombiner;
import org.starling.net.NativeMemory;
import org.starling.store.ChunkEntryLayout;

/**
 * Template of pull kernels (see {@link KernelCompiler}); combiner and layout of rows are constants
 * of each copy.
 *
 * <p>For each word of 64 vertices: those that have incoming edges and are not settled walk their
 * row and combine the values of neighbours that broadcast; where one value is enough, the walk ends
 * at the first (bottom-up step of Beamer, Asanović and Patterson, "Direction-Optimizing
 * Breadth-First Search", SC 2012). The thread that calls owns the shard: nothing is atomic.
 */
final class PullLoop implements PullKernel {
    private static final KernelConstants CONSTANTS = KernelConstants.of(MethodHandles.lookup());
    private static final ValueOp OP = CONSTANTS.op();
    private static final AdjacencyLayout ROWS = CONSTANTS.rows();

    @Override
    public void pull(Rows rows, long first, long end, Bitmap receivers, ChannelStep step) {
        Bitmap settled = step.settled();
        Published published = step.published();
        Inbox inbox = step.inbox();
        for (long at = first; at < end; ) {
            long pieceEnd = rows.pieceEnd(at);
            long entries = rows.entryAddress(at) - at * ChunkEntryLayout.ENTRY_BYTES;
            long lastWord = (pieceEnd - 1) >>> Bitmap.WORD_SHIFT;
            for (long word = at >>> Bitmap.WORD_SHIFT; word <= lastWord; word++) {
                long todo =
                        receivers.word(word)
                                & ~settled.word(word)
                                & Bitmap.maskBelow(word, pieceEnd)
                                & ~Bitmap.maskBelow(word, at);
                if (todo != 0) {
                    long hits =
                            step.everyone() && !OP.isVertex()
                                    ? pullAll(word, todo, entries, published, inbox)
                                    : pullSome(word, todo, entries, published, inbox);
                    inbox.receivers.addWord(word, hits);
                }
            }
            at = pieceEnd;
        }
    }

    @Override
    public boolean combinePiece(
            Rows rows,
            long ordinal,
            int firstEdge,
            int endEdge,
            ChannelStep step,
            long[] into,
            int at) {
        Published published = step.published();
        long targets = AdjacencyLayout.targets(rows.entry(ordinal));
        long first = ROWS.targetsEnd(targets, firstEdge);
        long end = ROWS.targetsEnd(targets, endEdge);
        if (step.everyone() && !OP.isVertex()) {
            into[at] = combineRow(first, end, published);
            return first < end;
        }
        long combined = OP.identity();
        boolean any = false;
        for (long target = first; target < end; target += ROWS.targetBytes()) {
            long neighbour = ROWS.target(target);
            if (isSet(published.broadcasters.words, neighbour)) {
                combined = OP.combine(combined, value(published, neighbour));
                any = true;
            }
        }
        into[at] = combined;
        return any;
    }

    private static long pullSome(
            long word, long todo, long entries, Published published, Inbox inbox) {
        long hits = 0;
        long bits = published.broadcasters.words;
        for (long rest = todo; rest != 0; rest &= rest - 1) {
            int bit = Long.numberOfTrailingZeros(rest);
            long ordinal = (word << Bitmap.WORD_SHIFT) + bit;
            long entry = NativeMemory.getLong(entries + ordinal * ChunkEntryLayout.ENTRY_BYTES);
            long target = AdjacencyLayout.targets(entry);
            long end = ROWS.targetsEnd(target, ROWS.degreeOf(entry));
            long combined = OP.identity();
            boolean any = false;
            while (target < end) {
                long neighbour = ROWS.target(target);
                target += ROWS.targetBytes();
                if (isSet(bits, neighbour)) {
                    combined = OP.combine(combined, value(published, neighbour));
                    any = true;
                    if (OP.isSatisfiedByFirst()) {
                        break;
                    }
                }
            }
            if (any) {
                put(inbox, ordinal, combined);
                hits |= 1L << bit;
            }
        }
        return hits;
    }

    private static boolean isSet(long bits, long ordinal) {
        long word = NativeMemory.getLong(bits + (ordinal >>> Bitmap.WORD_SHIFT << 3));
        return (word >>> ordinal & 1) != 0;
    }

    private static long pullAll(
            long word, long todo, long entries, Published published, Inbox inbox) {
        for (long rest = todo; rest != 0; rest &= rest - 1) {
            long ordinal = (word << Bitmap.WORD_SHIFT) + Long.numberOfTrailingZeros(rest);
            long entry = NativeMemory.getLong(entries + ordinal * ChunkEntryLayout.ENTRY_BYTES);
            long target = AdjacencyLayout.targets(entry);
            long end = ROWS.targetsEnd(target, ROWS.degreeOf(entry));
            put(inbox, ordinal, combineRow(target, end, published));
        }
        return todo;
    }

    private static long combineRow(long target, long end, Published published) {
        if (OP instanceof ValueOp.OfDouble(DoubleCombiner combiner) && !OP.isSatisfiedByFirst()) {
            return Double.doubleToRawLongBits(
                    combineDoubles(combiner, target, end, published.values));
        }
        long combined = OP.identity();
        while (target < end) {
            combined = OP.combine(combined, value(published, ROWS.target(target)));
            target += ROWS.targetBytes();
            if (OP.isSatisfiedByFirst()) {
                break;
            }
        }
        return combined;
    }

    /**
     * The same without a change between floating point and bits for each neighbour: that would
     * double the way through the processor on which each sum waits for the last one.
     */
    private static double combineDoubles(
            DoubleCombiner combiner, long target, long end, long values) {
        double combined = combiner.identity();
        while (target < end) {
            long neighbour = ROWS.target(target);
            combined =
                    combiner.combine(
                            combined, NativeMemory.getDouble(values + neighbour * Double.BYTES));
            target += ROWS.targetBytes();
        }
        return combined;
    }

    private static long value(Published published, long ordinal) {
        return OP.isVertex()
                ? ordinal
                : ColumnType.load(published.values + ordinal * OP.width(), OP.width());
    }

    /** Combines with what was sent directly: a value not yet received is the identity. */
    private static void put(Inbox inbox, long ordinal, long combined) {
        long address = inbox.values + ordinal * OP.width();
        long before = ColumnType.load(address, OP.width()) ^ OP.identity();
        ColumnType.store(address, OP.width(), OP.combine(before, combined) ^ OP.identity());
    }
}
