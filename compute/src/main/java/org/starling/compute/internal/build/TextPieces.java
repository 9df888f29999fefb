package org.starling.compute.internal.build;

import java.util.Arrays;
import org.starling.compute.internal.graph.ShardTable;
import org.starling.compute.internal.graph.TextIdsLayout;
import org.starling.compute.internal.protocol.BlockLayout;
import org.starling.compute.internal.run.Slaves;

/**
 * A graph's dictionary of ids that are texts, on its way to where it is kept: each shard has the
 * texts of as many ranks as it has vertices, those from its first ordinal on. (Its own vertices
 * have other ranks: they are in it because of their degrees.)
 *
 * <p>Owned by {@link SlaveBuild}: its control thread sends, receiving threads fill, each the list
 * of one slave; workers read what has come.
 */
final class TextPieces {
    private final Exchange exchange;
    private final Slaves slaves;
    private final ShardTable shards;
    private final TextParts[] received;

    /** Texts of own shards by rank; filled when all have come. */
    private final long[][] texts;

    TextPieces(Exchange exchange, Slaves slaves, Slabs slabs, ShardTable shards) {
        this.exchange = exchange;
        this.slaves = slaves;
        this.shards = shards;
        this.received = new TextParts[slaves.count()];
        Arrays.setAll(received, _ -> new TextParts(slabs));
        this.texts = new long[shards.count()][];
    }

    /** Brings a text to who keeps it; the memory stays as it is until the build has ended. */
    void send(long rank, long text) {
        int owner = shards.owner(shards.shardOf(rank));
        if (owner == slaves.self()) {
            received[slaves.selfIndex()].add(rank, text);
        } else {
            TextParts.send(
                    exchange.outbox(0, slaves.indexOf(owner), Exchange.LANE),
                    BlockLayout.TEXT_PIECES,
                    rank,
                    text);
        }
    }

    /** Takes a block of texts of own shards. */
    void onTexts(int slave, long records, long end, int count) {
        received[slave].take(records, end, count);
    }

    /** All have come: puts each into its place. */
    void arrange() {
        for (int shard : shards.shardsOf(slaves.self())) {
            texts[shard] = new long[shards.size(shard)];
        }
        for (TextParts part : received) {
            for (int i = 0; i < part.size(); i++) {
                long rank = part.number(i);
                Exchange.check(rank >= 0 && rank < shards.vertices());
                int shard = shards.shardOf(rank);
                Exchange.check(texts[shard] != null);
                texts[shard][(int) (rank - shards.first(shard))] = part.text(i);
            }
        }
        for (int shard : shards.shardsOf(slaves.self())) {
            Exchange.check(Arrays.stream(texts[shard]).noneMatch(text -> text == 0));
        }
    }

    /** The texts that lie with a shard. */
    TextIdsLayout.Texts of(int shard) {
        return StringIndex.texts(texts[shard]);
    }
}
