package org.starling.benchmarks.studies;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.starling.benchmarks.studies.ArrayConversion.ElementType;
import org.starling.benchmarks.studies.ArrayConversion.Region;
import org.starling.benchmarks.studies.ArrayConversion.Way;
import org.starling.net.NativeMemory;

/** Primitive arrays to native memory and back, in both byte orders. */
final class ConversionStudy implements Study {

    private static final int[] BYTES = {64, 8 << 10, 100 << 10};
    private static final int STEP_BYTES = 1 << 20;

    @Override
    public String name() {
        return "conversion";
    }

    @Override
    public String question() {
        return "How fast do primitive arrays become bytes and bytes arrays, in both byte orders?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        Comparison rows =
                new Comparison(
                        List.of("elements", "order", "bytes"),
                        "conversionsPerSecond",
                        Tally::perSecond,
                        List.of("gigabytesPerSecond"));
        int capacity = BYTES[BYTES.length - 1];
        long address = NativeMemory.reserve(capacity);
        try {
            for (ElementType type : ElementType.values()) {
                for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                    Contest series = contest.fresh();
                    for (int bytes : contest.scale().points(BYTES)) {
                        Region region = Region.of(NativeMemory.segment(address, bytes), order);
                        cell(series, rows, type, bytes, region);
                    }
                }
            }
        } finally {
            NativeMemory.release(address, capacity);
        }
        return rows.table();
    }

    private static void cell(
            Contest contest, Comparison rows, ElementType type, int bytes, Region region)
            throws Exception {
        Map<String, Trial<Tally>> trials = new LinkedHashMap<>();
        for (Way way : Way.values()) {
            if (way != Way.STARLING || region.order().equals(ByteOrder.LITTLE_ENDIAN)) {
                ArrayConversion array = ArrayConversion.of(type, bytes);
                trials.put(named(way), time -> measure(array, way, region, bytes, time));
            }
        }
        String elements = named(type);
        rows.add(
                List.of(elements, region.order().toString(), bytes),
                contest.run(
                        "%d bytes of %s, %s".formatted(bytes, elements, region.order()), trials),
                (contender, tallies) ->
                        List.of(Sample.of(tallies, Tally::perSecond).mean() * 2 * bytes / 1e9));
    }

    /** Writes and reads again and again; one conversion is both. */
    private static Tally measure(
            ArrayConversion array, Way way, Region region, int bytes, Duration time)
            throws Exception {
        MemorySegment memory = region.segment();
        memory.fill((byte) 0);
        int times = Math.max(1, STEP_BYTES / bytes);
        Tally tally =
                Crew.run(
                        1,
                        times,
                        time,
                        member ->
                                () -> {
                                    for (int i = 0; i < times; i++) {
                                        array.write(way, region);
                                        array.read(way, region);
                                    }
                                });
        if (!array.isRight(region)) {
            throw new WrongResultException(
                    "%s bytes through %s are not what went in".formatted(bytes, named(way)));
        }
        return tally;
    }

    private static String named(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
