/**
 * The studies that systems of this kind are usually judged by: each asks one question, most of them
 * of the messages of room {@code net}, beside what else could have been used, and answers with a
 * table.
 *
 * <p>People come in by {@link org.starling.benchmarks.studies.StudyBench}. Open {@code Studies}
 * next: it lists them all. A {@code Study} names its cells, a {@code Contest} measures the
 * contenders of a cell alternately, a {@code Crew} is the threads that make load; a {@code Tally}
 * is one measurement, a {@code Sample} the statistics of several, a {@code Comparison} the {@code
 * Table} of contenders. Studies of calls put their servers and connections into a {@code CallRig}
 * and leave the talking to the package {@code calls}; studies of messages that are not answered
 * send through a {@code OneWay}. {@code AdjacencyStudy} is about rows of neighbours and has its own
 * package, too.
 *
 * <p>Every study checks what arrives; a wrong result ends it with {@link
 * org.starling.benchmarks.studies.WrongResultException}. Everybody talks over 127.0.0.1. Servers of
 * calls run in JVMs of their own, and what those use up is counted as well; one-way messages stay
 * in this process.
 */
@NullMarked
package org.starling.benchmarks.studies;

import org.jspecify.annotations.NullMarked;
