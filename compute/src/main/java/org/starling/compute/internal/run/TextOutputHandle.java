package org.starling.compute.internal.run;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.starling.graph.TextId;
import org.starling.graph.TextOutput;

/**
 * Lines of the shard that one worker computes, on their way to the shard's part. Confined to the
 * worker's thread.
 */
final class TextOutputHandle implements TextOutput {
    private static final int FLUSH_BYTES = 1 << 20;

    /** Texts of ids that are read at once, but for the last line. */
    private static final int MOST_TEXTS = 1 << 14;

    private final StopSign stop;
    private final @Nullable Path file;
    private final long run;

    /** Reads texts of ids; null if ids are numbers. */
    private final @Nullable Function<long[], List<String>> texts;

    private byte[] buffer = {};
    private int used;

    /** Ids in the buffer that are texts: before which byte, and by what number. */
    private final IntArrayList textPlaces = new IntArrayList();

    private final LongArrayList textNumbers = new LongArrayList();
    private int shard;

    /** The shard has no part yet. */
    private boolean fresh;

    /** Pieces that this worker has written in this run. */
    private long pieces;

    TextOutputHandle(
            StopSign stop,
            @Nullable Path file,
            long run,
            @Nullable Function<long[], List<String>> texts) {
        this.texts = texts;
        this.stop = stop;
        this.file = file;
        this.run = run;
    }

    /**
     * Turns to a shard.
     *
     * @param first whether this is its first superstep
     */
    void enter(int newShard, boolean first) {
        shard = newShard;
        fresh = first;
    }

    /** Writes what is left of the shard's lines; a shard without lines has an empty part. */
    void leave() {
        if (file == null) {
            return;
        }
        if (!textPlaces.isEmpty()) {
            insertTexts();
        }
        if (used > 0) {
            FaultPoint.write(FaultPoint.SLAVE, pieces++, stop::isRaised);
        }
        if (fresh) {
            OutputParts.create(file, run, shard, buffer, used);
        } else if (used > 0) {
            OutputParts.append(file, run, shard, buffer, used);
        }
        fresh = false;
        used = 0;
    }

    @Override
    public boolean isWanted() {
        return file != null;
    }

    @Override
    public TextOutput number(long value) {
        byte[] digits = Long.toUnsignedString(value).getBytes(StandardCharsets.US_ASCII);
        for (byte digit : digits) {
            put(digit);
        }
        return this;
    }

    @Override
    public TextOutput vertex(long id) {
        if (texts == null || file == null) {
            return number(id);
        }
        textPlaces.add(used);
        textNumbers.add(id);
        return this;
    }

    private void insertTexts() {
        List<String> read = Objects.requireNonNull(texts).apply(textNumbers.toLongArray());
        ByteArrayOutputStream all = new ByteArrayOutputStream(2 * used);
        int from = 0;
        for (int i = 0; i < read.size(); i++) {
            int place = textPlaces.getInt(i);
            all.write(buffer, from, place - from);
            all.writeBytes(TextId.field(read.get(i)).getBytes(StandardCharsets.UTF_8));
            from = place;
        }
        all.write(buffer, from, used - from);
        buffer = all.toByteArray();
        used = buffer.length;
        textPlaces.clear();
        textNumbers.clear();
    }

    @Override
    public TextOutput character(char value) {
        if (value >= 128) {
            throw new IllegalArgumentException("character " + (int) value + " is not below 128");
        }
        put((byte) value);
        return this;
    }

    @Override
    public void endLine() {
        stop.check();
        put((byte) '\n');
        if (used >= FLUSH_BYTES || textNumbers.size() >= MOST_TEXTS) {
            leave();
        }
    }

    private void put(byte value) {
        if (file == null) {
            return;
        }
        if (used == buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(1 << 12, 2 * used));
        }
        buffer[used++] = value;
    }
}
