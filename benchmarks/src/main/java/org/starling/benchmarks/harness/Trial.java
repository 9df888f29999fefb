package org.starling.benchmarks.harness;

import java.time.Duration;

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
