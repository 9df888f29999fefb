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
import org.starling.benchmarks.harness.Sample;
import org.starling.benchmarks.harness.WrongResultException;
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
    private static final long MAX_CHUNKS = 16_000_000;
    private static final int MAX_BYTES = 4_096;
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
                new BenchOption.Whole(CHUNKS, "chunks in all", 4_000_000, 1, MAX_CHUNKS),
                new BenchOption.Whole(BYTES, "bytes of each", 64, Load.MIN_BYTES, MAX_BYTES),
                new BenchOption.Whole(
                        SECONDS, "how long each measurement takes", 1, 1, MAX_SECONDS),
                new BenchOption.Whole(REPEAT, "measurements of each way", 5, 1, MAX_REPEAT));
    }

    @Override
    public BenchResult run(BenchChoices choices, Consumer<String> progress) {
        int chunks = (int) choices.number(CHUNKS);
        int bytes = (int) choices.number(BYTES);
        Duration time = Duration.ofSeconds(choices.number(SECONDS));
        try (Shape.Place place = place(choices.word(PLACE), chunks, bytes)) {
            progress.accept("%,d chunks of %d bytes are there".formatted(chunks, bytes));
            Map<String, List<Double>> rates =
                    measure(place.shapes(), time, (int) choices.number(REPEAT), progress);
            return result(rates);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new JobCancelledException("the bench was interrupted");
        } catch (WrongResultException wrong) {
            throw new JobFailedException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private static Shape.Place place(String word, int chunks, int bytes) {
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
            Sample rate = Sample.of(all, chunks -> chunks);
            double[] ratios = new double[all.size()];
            Arrays.setAll(ratios, i -> all.get(i) / first.get(i));
            double ratio = Sample.of(ratios).median();
            Map<String, @Nullable Object> figures = new LinkedHashMap<>();
            figures.put("chunksPerSecond", Math.round(rate.median()));
            figures.put("min", Math.round(rate.minimum()));
            figures.put("max", Math.round(rate.maximum()));
            figures.put("ratioToFirst", ratio);
            tree.put(name, figures);
            table.append(
                    String.format(
                            Locale.ROOT,
                            "%-40s %,12.0f chunks/s [%,.0f-%,.0f], %.2f times the first%n",
                            name,
                            rate.median(),
                            rate.minimum(),
                            rate.maximum(),
                            ratio));
        });
        return new BenchResult(tree, table.toString());
    }
}
