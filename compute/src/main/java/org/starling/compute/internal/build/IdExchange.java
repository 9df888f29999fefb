package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.function.LongUnaryOperator;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.run.Outbox;
import org.starling.compute.internal.run.Slaves;
import org.starling.net.NativeMemory;

/**
 * One slave's part in giving the ids of a sparse source their ranks ({@link IdRanges}): ids go to
 * the slaves of their ranges, ranks come back from them.
 *
 * <p>Owned by {@link SlaveBuild}, whose control thread calls everything but {@link #onIds} and
 * {@link #onRanks}, which run on receiving threads.
 */
final class IdExchange {
    private final Exchange exchange;
    private final Slaves slaves;
    private final IdRanges ids;

    /**
     * Takes the ids that this slave has read.
     *
     * @param own ascending, each once
     */
    IdExchange(Exchange exchange, Slaves slaves, long[] own) {
        this.exchange = exchange;
        this.slaves = slaves;
        this.ids = new IdRanges(own, slaves.count());
    }

    /** A few of the ids that were read here, evenly spread. */
    long[] sample(int most) {
        return ids.sample(most);
    }

    /**
     * Sends ids to the slaves of their ranges; the number of different ids in the own range.
     *
     * @param splitters first id of each range but the first
     */
    int share(long[] splitters) {
        for (int slave = 0; slave < slaves.count(); slave++) {
            int from = ids.sliceStart(slave, splitters);
            int to = ids.sliceStart(slave + 1, splitters);
            send(BlockLayout.IDS, slave, ids.slice(from, to), ids.received(slave));
        }
        exchange.finish();
        return ids.sortRange();
    }

    /** Answers everybody with the ranks of the ids that came. */
    void rank(long firstRank) {
        ids.setFirstRank(firstRank);
        for (int slave = 0; slave < slaves.count(); slave++) {
            send(BlockLayout.RANKS, slave, ids.ranksFor(slave), ids.ranked(slave));
        }
        exchange.finish();
    }

    /** Ranks of the ids that were read here. */
    Long2LongOpenHashMap ranks() {
        return ids.ranks();
    }

    /** From ids that were read here to their ranks. */
    LongUnaryOperator rankOf() {
        return ids.rankOf();
    }

    /** Ids of the own range, ascending. */
    long[] range() {
        return ids.range();
    }

    /** Takes a block of ids of the own range. */
    void onIds(int slave, long records, long end, int count) {
        Exchange.take(ids.received(slave), records, end, count);
    }

    /** Takes a block of ranks of ids that were read here. */
    void onRanks(int slave, long records, long end, int count) {
        Exchange.take(ids.ranked(slave), records, end, count);
    }

    private void send(byte kind, int slave, long[] numbers, LongArrayList own) {
        if (slave == slaves.selfIndex()) {
            own.addElements(0, numbers);
            return;
        }
        Outbox outbox = exchange.outbox(0, slave, Exchange.LANE);
        for (long number : numbers) {
            NativeMemory.putLong(outbox.record(kind, 0, 0, Long.BYTES), number);
        }
    }
}
