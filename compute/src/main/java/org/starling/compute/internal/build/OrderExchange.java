package org.starling.compute.internal.build;

import org.starling.compute.internal.graph.AdjacencyLayout;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.run.Outbox;
import org.starling.compute.internal.run.Slaves;

/**
 * One slave's part in finding the {@link VertexOrder}: counts of edges go to the slaves that answer
 * for the ranks, ordinals come back from them.
 *
 * <p>Owned by {@link SlaveBuild}, whose control thread calls everything but {@link #onDegrees} and
 * {@link #onOrdinals}, which run on receiving threads, and {@link #ordinal}, which anybody may call
 * after {@link #assign}.
 */
final class OrderExchange implements AutoCloseable {
    private final Exchange exchange;
    private final Slaves slaves;
    private final long[] rankBounds;
    private final VertexOrder order;
    private final int rankBytes;

    /**
     * Starts with no edges.
     *
     * @param rankBounds first rank of each slave's own vertices, and behind them the number of
     *     vertices
     * @param averageDegree ends of edges per vertex, at least 1
     * @param workers how many will count
     * @param rankBytes bytes of a rank, and of an ordinal
     */
    OrderExchange(
            Exchange exchange,
            Slaves slaves,
            long[] rankBounds,
            long averageDegree,
            int workers,
            int rankBytes) {
        this.exchange = exchange;
        this.slaves = slaves;
        this.rankBounds = rankBounds;
        this.rankBytes = rankBytes;
        this.order = new VertexOrder(rankBounds[slaves.count()], averageDegree, workers, rankBytes);
    }

    /** The order, to count what is read here. */
    VertexOrder order() {
        return order;
    }

    /** Sends counts to the slaves of their ranks; the own vertices in each group. */
    long[] shareDegrees() {
        for (int slave = 0; slave < slaves.count(); slave++) {
            if (slave != slaves.selfIndex()) {
                for (long rank = rankBounds[slave]; rank < rankBounds[slave + 1]; rank++) {
                    int ends = order.degree(rank);
                    if (ends != 0) {
                        send(BlockLayout.DEGREES, slave, rank, ends);
                    }
                }
            }
        }
        exchange.finish();
        return order.groupSizes(firstOwnRank(), endOfOwnRanks());
    }

    /** Gives own vertices their ordinals and sends these to all. */
    void assign(long[] groupFirsts) {
        order.assign(firstOwnRank(), endOfOwnRanks(), groupFirsts);
        for (int slave = 0; slave < slaves.count(); slave++) {
            if (slave != slaves.selfIndex()) {
                for (long rank = firstOwnRank(); rank < endOfOwnRanks(); rank++) {
                    send(BlockLayout.ORDERED, slave, rank, order.ordinal(rank));
                }
            }
        }
        exchange.finish();
    }

    /** Ends of own vertices' edges in each granule of ordinals. */
    long[] endsByGranule(int granuleShift) {
        return order.endsByGranule(firstOwnRank(), endOfOwnRanks(), granuleShift);
    }

    /** Ordinal of a rank. */
    long ordinal(long rank) {
        return order.ordinal(rank);
    }

    /** First rank that this slave answers for. */
    long firstOwnRank() {
        return rankBounds[slaves.selfIndex()];
    }

    /** Rank behind the last one that this slave answers for. */
    long endOfOwnRanks() {
        return rankBounds[slaves.selfIndex() + 1];
    }

    /** Takes a block of counts. */
    void onDegrees(long records, long end, int count) {
        take(records, end, count, (rank, ends) -> order.count(rank, (int) ends));
    }

    /** Takes a block of ordinals. */
    void onOrdinals(long records, long end, int count) {
        take(records, end, count, order::set);
    }

    @Override
    public void close() {
        order.close();
    }

    private void send(byte kind, int slave, long rank, long number) {
        Outbox outbox = exchange.outbox(0, slave, Exchange.LANE);
        long to = outbox.record(kind, 0, 0, 2 * rankBytes);
        AdjacencyLayout.store(to, rankBytes, rank);
        AdjacencyLayout.store(to + rankBytes, rankBytes, number);
    }

    private interface PairTaker {
        void take(long rank, long number);
    }

    private void take(long records, long end, int count, PairTaker taker) {
        Exchange.check(count * 2L * rankBytes == end - records);
        for (long at = records; at < end; at += 2L * rankBytes) {
            long rank = AdjacencyLayout.load(at, rankBytes);
            Exchange.check(rank >= 0 && rank < order.vertices());
            taker.take(rank, AdjacencyLayout.load(at + rankBytes, rankBytes));
        }
    }
}
