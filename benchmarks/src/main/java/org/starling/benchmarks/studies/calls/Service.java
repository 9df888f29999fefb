package org.starling.benchmarks.studies.calls;

/** Answers calls; called by several threads at a time. */
@FunctionalInterface
public interface Service {

    /** The answer of one call. */
    Answer answer(Call call);
}
