/**
 * The studies that systems of this kind are usually judged by: each asks one question, most of them
 * of the messages of room {@code net}, beside what else could have been used, and answers with a
 * table.
 *
 * <p>People come in by {@link org.starling.benchmarks.studies.StudyBench}, which lists them all.
 * Those of messages are in {@code MessageStudies}, each a method that puts plans of {@code bench
 * net} into cells. {@code AdjacencyStudy} has rows of neighbours in two codings, {@code
 * SearchStudy} a search that owns all its loops. Every study checks what arrives; a wrong result
 * ends it. Everybody talks over 127.0.0.1, between JVMs of their own.
 */
@NullMarked
package org.starling.benchmarks.studies;

import org.jspecify.annotations.NullMarked;
