/**
 * The studies that systems of this kind are usually judged by: each asks one question, most of them
 * of the messages of room {@code net}, beside what else could have been used, and answers with a
 * table.
 *
 * <p>People come in by {@link org.starling.benchmarks.studies.StudyBench}, which lists them all. A
 * study is a file here, or a package of its own where it brings more than its cells. Studies of
 * messages put plans of {@code bench net} and its contenders into {@code MessageCells}. Every study
 * checks what arrives; a wrong result ends it. Everybody talks over 127.0.0.1, between JVMs of
 * their own.
 */
@NullMarked
package org.starling.benchmarks.studies;

import org.jspecify.annotations.NullMarked;
