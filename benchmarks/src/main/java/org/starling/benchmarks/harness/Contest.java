package org.starling.benchmarks.harness;

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
            for (Map.Entry<String, List<T>> taken : measurements.entrySet()) {
                Trial<T> trial = trials.get(taken.getKey());
                if (trial != null) {
                    taken.getValue().add(trial.measure(scale.time()));
                }
            }
        }
        return measurements;
    }
}
