package org.starling.store.internal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.starling.store.ChunkId;
import org.starling.store.internal.chunk.Sizes;
import org.starling.store.internal.chunk.WriteTag;

/** What goes to a backup, and in which order. */
class BackupChannelTest {
    @Test
    void aForceDoesNotOvertakeWhatIsBeingSent() {
        try (PiecePool pool = new PiecePool(1024)) {
            ZoneStream stream = new ZoneStream(pool, 0);
            long first = ChunkId.ofZone(ChunkId.zoneOf(1, 0), 0);
            long end = stream.create(first, new Sizes.Uniform(1, 8), WriteTag.NONE);
            BackupChannel channel = new BackupChannel(2, 0);
            channel.want(end);

            BackupChannel.Slice slice =
                    Objects.requireNonNull(channel.nextSlice(stream, 1, 2), "what is to be sent");

            assertThat(channel.nextForce()).as("while it is not on its way yet").isEqualTo(-1);
            channel.sent();
            stream.leave(slice.piece());
            assertThat(channel.nextForce()).isEqualTo(end);
            stream.release(Long.MAX_VALUE);
        }
    }

    @Test
    void oneThatIsDoubtedIsAskedOnceForWhatItHasForced() {
        BackupChannel channel = new BackupChannel(2, 7);
        channel.learned(7, 5);
        assertThat(channel.nextForce()).as("nothing is wanted").isEqualTo(-1);

        channel.doubt();

        assertThat(channel.nextForce()).isEqualTo(5);
        channel.doubt();
        assertThat(channel.nextForce()).as("it has not answered yet").isEqualTo(-1);
        channel.want(7);
        assertThat(channel.nextForce()).as("that does not wait").isEqualTo(7);
    }

    @Test
    void oneToWhichNothingHasComeIsNotAskedHowItsLogIs() {
        BackupChannel channel = new BackupChannel(2, 0);

        channel.doubt();

        assertThat(channel.nextForce()).isEqualTo(-1);
    }
}
