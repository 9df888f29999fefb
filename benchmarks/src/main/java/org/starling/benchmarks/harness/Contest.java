package org.starling.benchmarks.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Measures contenders alternately, so that a machine that drifts does so for all of them. A
 * contender is warmed up before each series of measurements, for longest before its first. Confined
 * to one thread.
 */
public final class Contest {
    private final Scale scale;
    private final Consumer<String> progress;
    private final Set<String> warm = new HashSet<>();

    /**
     * Something that can be measured again and again.
     *
     * @param <T> one measurement
     */
    @FunctionalInterface
    public interface Trial<T> {
        /**
         * Measures once.
         *
         * @param time how long to make load
         * @throws WrongResultException if it gave a wrong result
         */
        T measure(Duration time) throws Exception;
    }

    /**
     * A contest.
     *
     * @param progress takes a line for people from time to time
     */
    public Contest(Scale scale, Consumer<String> progress) {
        this.scale = scale;
        this.progress = progress;
    }

    /** One that takes all contenders for new. */
    public Contest fresh() {
        return new Contest(scale, progress);
    }

    /** How much is measured. */
    public Scale scale() {
        return scale;
    }

    /**
     * Measures all contenders of one cell.
     *
     * @param cell what is measured, for people
     * @param trials by the name of the contender
     * @return as many measurements of each as the scale asks for, in the order of the trials
     */
    public <T> Map<String, List<T>> run(String cell, Map<String, Trial<T>> trials)
            throws Exception {
        progress.accept(cell);
        Map<String, List<T>> measurements = new LinkedHashMap<>();
        for (Map.Entry<String, Trial<T>> trial : trials.entrySet()) {
            measurements.put(trial.getKey(), new ArrayList<>());
            trial.getValue().measure(scale.warmUp(warm.add(trial.getKey())));
        }
        for (int i = 0; i < scale.repetitions(); i++) {
            for (Map.Entry<String, Trial<T>> trial : trials.entrySet()) {
                T measured = trial.getValue().measure(scale.time());
                measurements.getOrDefault(trial.getKey(), List.of()).add(measured);
            }
        }
        return measurements;
    }
}
