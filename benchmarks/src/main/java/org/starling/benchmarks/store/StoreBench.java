package org.starling.benchmarks.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.compute.bench.Bench;
import org.starling.compute.bench.BenchChoices;
import org.starling.compute.bench.BenchOption;
import org.starling.compute.bench.BenchResult;
import org.starling.graph.JobCancelledException;
import org.starling.graph.JobFailedException;

/**
 * {@code bench store}: random reads and writes of chunks at one place, in several ways that take
 * turns; the first is what the others are compared with.
 */
public final class StoreBench implements Bench {
    private static final String PLACE = "place";
    private static final String MEMORY = "memory";
    private static final String OWNER = "owner";
    private static final String REMOTE = "remote";
    private static final String CHUNKS = "chunks";
    private static final String BYTES = "bytes";
    private static final String SECONDS = "seconds";
    private static final String REPEAT = "repeat";
    private static final long DEFAULT_CHUNKS = 4_000_000;
    private static final long MAX_CHUNKS = 16_000_000;
    private static final int DEFAULT_BYTES = 64;
    private static final int MAX_BYTES = 4_096;
    private static final int DEFAULT_REPEAT = 5;
    private static final int MAX_REPEAT = 100;
    private static final int MAX_SECONDS = 60;
    private static final int WARM_UPS = 2;

    @Override
    public String name() {
        return "store";
    }

    @Override
    public List<BenchOption> options() {
        return List.of(
                new BenchOption.Word(
                        PLACE,
                        "this node's memory, the owner of replicated chunks, or another process",
                        List.of(MEMORY, OWNER, REMOTE)),
                new BenchOption.Whole(CHUNKS, "chunks in all", DEFAULT_CHUNKS, 1, MAX_CHUNKS),
                new BenchOption.Whole(
                        BYTES, "bytes of each", DEFAULT_BYTES, Load.MIN_BYTES, MAX_BYTES),
                new BenchOption.Whole(
                        SECONDS, "how long each measurement takes", 1, 1, MAX_SECONDS),
                new BenchOption.Whole(
                        REPEAT, "measurements of each way", DEFAULT_REPEAT, 1, MAX_REPEAT));
    }

    @Override
    public BenchResult run(BenchChoices choices, Consumer<String> progress) {
        int chunks = (int) choices.number(CHUNKS);
        int bytes = (int) choices.number(BYTES);
        Duration time = Duration.ofSeconds(choices.number(SECONDS));
        try (Place place = place(choices.word(PLACE), chunks, bytes)) {
            progress.accept("%,d chunks of %d bytes are there".formatted(chunks, bytes));
            Map<String, List<Double>> rates =
                    measure(place.shapes(), time, (int) choices.number(REPEAT), progress);
            return result(rates);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new JobCancelledException("the bench was interrupted");
        } catch (WrongChunkException wrong) {
            throw new JobFailedException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private static Place place(String word, int chunks, int bytes) {
        return switch (word) {
            case OWNER -> new OwnerShapes(chunks, bytes);
            case REMOTE -> new RemoteShapes(chunks, bytes);
            default -> new MemoryShapes(chunks, bytes);
        };
    }

    /** By shape: chunks per second in each repetition. */
    private static Map<String, List<Double>> measure(
            List<Shape> shapes, Duration time, int repeat, Consumer<String> progress)
            throws InterruptedException {
        Map<String, List<Double>> rates = new LinkedHashMap<>();
        for (int i = 0; i < WARM_UPS; i++) {
            for (Shape shape : shapes) {
                double _ = rate(shape, time);
            }
        }
        progress.accept("warm");
        for (int i = 0; i < repeat; i++) {
            for (Shape shape : shapes) {
                rates.computeIfAbsent(shape.name(), name -> new ArrayList<>())
                        .add(rate(shape, time));
            }
            progress.accept("%d of %d".formatted(i + 1, repeat));
        }
        return rates;
    }

    private static double rate(Shape shape, Duration time) throws InterruptedException {
        long start = System.nanoTime();
        long done = shape.work().until(start + time.toNanos());
        return done * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - start);
    }

    private static BenchResult result(Map<String, List<Double>> rates) {
        List<Double> first = rates.values().iterator().next();
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        StringBuilder table = new StringBuilder();
        rates.forEach((name, all) -> {
            double[] sorted = all.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            double[] ratios = new double[sorted.length];
            Arrays.setAll(ratios, i -> all.get(i) / first.get(i));
            Arrays.sort(ratios);
            int middle = sorted.length / 2;
            Map<String, @Nullable Object> figures = new LinkedHashMap<>();
            figures.put("chunksPerSecond", Math.round(sorted[middle]));
            figures.put("min", Math.round(sorted[0]));
            figures.put("max", Math.round(sorted[sorted.length - 1]));
            figures.put("ratioToFirst", ratios[middle]);
            tree.put(name, figures);
            table.append(
                    String.format(
                            Locale.ROOT,
                            "%-40s %,12.0f chunks/s [%,.0f-%,.0f], %.2f times the first%n",
                            name,
                            sorted[middle],
                            sorted[0],
                            sorted[sorted.length - 1],
                            ratios[middle]));
        });
        return new BenchResult(tree, table.toString());
    }
}
