/**
 * The studies that systems of this kind are usually judged by: each asks one question of the
 * messages of room {@code net}, beside what else could have been used, and answers with a table.
 *
 * <p>Open {@link org.starling.benchmarks.studies.Studies} first: it lists them. A {@code Study}
 * describes its cells, a {@link org.starling.benchmarks.studies.Contest} measures what stands in
 * one row block alternately, a {@code Crew} is the threads that make load, {@link
 * org.starling.benchmarks.studies.Sample} is the statistics, {@link
 * org.starling.benchmarks.studies.Table} what people and spreadsheets read.
 *
 * <p>Both ends of every connection live in this process and talk over 127.0.0.1, so processor
 * time, allocations and collections are those of client and server together, for everybody alike.
 * Every study checks what arrives; a wrong result ends it with {@link
 * org.starling.benchmarks.studies.WrongResultException}.
 */
@NullMarked
package org.starling.benchmarks.studies;

import org.jspecify.annotations.NullMarked;
