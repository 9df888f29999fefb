package org.starling.compute.internal.build;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.run.Outbox;
import org.starling.compute.internal.run.Slaves;
import org.starling.net.NativeMemory;

/**
 * One slave's part in giving ids that are texts their ranks: places among all ids of the graph, in
 * the order of code points. As {@link IdExchange} does it with numbers: each slave is responsible
 * for a range of texts, gets those of its range from everybody, sorts them, learns the rank of its
 * first one, and answers everybody with ranks. So a rank depends on the texts alone.
 *
 * <p>Owned by {@link SlaveBuild}, whose control thread calls everything but {@link #onTexts} and
 * {@link #onRanks}, which run on receiving threads. Ranks are read by workers.
 */
final class TextExchange {
    /** Of a sample only this much is told: it need not be a whole text. */
    private static final int MAX_SAMPLE_BYTES = 256;

    private final Exchange exchange;
    private final Slaves slaves;

    /** What comes before each worker's texts in {@link #own}. */
    private final int[] bases;

    /** Those that were read here. */
    private final SortedTexts own;

    /** By slave: what it has sent of the own range. */
    private final TextParts[] received;

    /** By slave: ranks of own texts, in their order. */
    private final LongArrayList[] answered;

    /** Of the own texts by their places; empty until everybody has answered. */
    private long[] ranks = {};

    private SortedTexts range = SortedTexts.of(new long[0]);
    private long firstRank;

    /**
     * Takes the texts that this slave has read.
     *
     * @param read those of each worker
     */
    TextExchange(Exchange exchange, Slaves slaves, Slabs slabs, StringDictionary[] read) {
        this.exchange = exchange;
        this.slaves = slaves;
        long all = Arrays.stream(read).mapToLong(StringDictionary::size).sum();
        long[] texts = SortedTexts.room(all);
        this.bases = new int[read.length];
        int next = 0;
        for (int worker = 0; worker < read.length; worker++) {
            bases[worker] = next;
            for (int code = 0; code < read[worker].size(); code++) {
                texts[next++] = read[worker].string(code);
            }
        }
        this.own = SortedTexts.of(texts);
        this.received = new TextParts[slaves.count()];
        Arrays.setAll(received, _ -> new TextParts(slabs));
        this.answered = new LongArrayList[slaves.count()];
        Arrays.setAll(answered, _ -> new LongArrayList());
    }

    /** Beginnings of a few of the texts that were read here, evenly spread. */
    long[] sample(int most) {
        int count = Math.min(most, own.size());
        List<byte[]> sample = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long text = own.text((int) ((long) i * own.size() / count));
            byte[] utf8 = new byte[Math.min(MAX_SAMPLE_BYTES, StringIndex.length(text))];
            NativeMemory.copyToArray(text + StringIndex.HEADER_BYTES, utf8, 0, utf8.length);
            sample.add(utf8);
        }
        return PackedTexts.pack(sample);
    }

    /**
     * Sends texts to the slaves of their ranges; the number of different ones in the own range.
     *
     * @param splitters where each range but the first begins
     */
    int share(long[] splitters) {
        List<byte[]> firsts = PackedTexts.unpack(splitters);
        Exchange.check(firsts.size() == slaves.count() - 1);
        int from = 0;
        for (int slave = 0; slave < slaves.count(); slave++) {
            int to = slave < firsts.size() ? own.atLeast(firsts.get(slave)) : own.size();
            for (int i = from; i < to; i++) {
                if (slave == slaves.selfIndex()) {
                    received[slave].add(0, own.text(i));
                } else {
                    Outbox outbox = exchange.outbox(0, slave, Exchange.LANE);
                    TextParts.send(outbox, BlockLayout.TEXTS, 0, own.text(i));
                }
            }
            from = Math.max(from, to);
        }
        exchange.finish();
        range = SortedTexts.of(inRange());
        return range.size();
    }

    private long[] inRange() {
        long[] texts = SortedTexts.room(Arrays.stream(received).mapToLong(TextParts::size).sum());
        int next = 0;
        for (TextParts part : received) {
            for (int i = 0; i < part.size(); i++) {
                texts[next++] = part.text(i);
            }
        }
        return texts;
    }

    /** Answers everybody with the ranks of the texts that came. */
    void rank(long first) {
        firstRank = first;
        int given = 0;
        for (int slave = 0; slave < slaves.count(); slave++) {
            for (int i = 0; i < received[slave].size(); i++) {
                long rank = firstRank + range.place(given++);
                if (slave == slaves.selfIndex()) {
                    answered[slave].add(rank);
                } else {
                    Outbox outbox = exchange.outbox(0, slave, Exchange.LANE);
                    long to = outbox.record(BlockLayout.RANKS, 0, 0, Long.BYTES);
                    NativeMemory.putLong(to, rank);
                }
            }
        }
        exchange.finish();
        takeRanks();
    }

    private void takeRanks() {
        ranks = new long[own.size()];
        int next = 0;
        for (LongArrayList list : answered) {
            Exchange.check(next + list.size() <= ranks.length);
            list.getElements(0, ranks, next, list.size());
            next += list.size();
            list.clear();
        }
        Exchange.check(next == ranks.length);
    }

    /** Rank of a text that a worker has read, by the code that it has there. */
    long rank(int worker, long code) {
        return ranks[own.place(bases[worker] + (int) code)];
    }

    /** Where the text of a rank of the own range stands. */
    long text(long rank) {
        return range.text((int) (rank - firstRank));
    }

    /** Takes a block of texts of the own range. */
    void onTexts(int slave, long records, long end, int count) {
        received[slave].take(records, end, count);
    }

    /** Takes a block of ranks of texts that were read here. */
    void onRanks(int slave, long records, long end, int count) {
        Exchange.take(answered[slave], records, end, count);
    }
}
