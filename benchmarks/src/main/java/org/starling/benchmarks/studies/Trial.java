package org.starling.benchmarks.studies;

import java.time.Duration;

/**
 * Something that can be measured again and again.
 *
 * @param <T> one measurement
 */
@FunctionalInterface
interface Trial<T> {

    /**
     * Measures once.
     *
     * @param time how long to make load
     * @throws WrongResultException if it gave a wrong result
     */
    T measure(Duration time) throws Exception;
}
