package org.starling.benchmarks.harness;

/** One question, answered with a table. Stateless; run by one thread. */
public interface Study {

    /** What it is called on the command line. */
    String name();

    /** What it asks, in one sentence. */
    String question();

    /**
     * Measures.
     *
     * @throws WrongResultException if something measured gave a wrong result
     * @throws Exception if something measured could not be started or broke
     */
    Table run(Contest contest) throws Exception;
}
