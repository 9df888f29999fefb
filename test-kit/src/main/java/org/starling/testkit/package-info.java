/**
 * For tests of jobs: runs programs, tasks and drivers on small graphs inside the test's process, on
 * one peer and on several, with messages that arrive in any order and with peers that are lost, and
 * compares what comes out.
 *
 * <p>Start with {@link org.starling.testkit.Trial}, which runs, {@link
 * org.starling.testkit.TestGraph}, which it runs on, and {@link org.starling.testkit.GraphAssert},
 * which says what must have come out. Works with any framework for tests: what is wrong is an
 * {@link java.lang.AssertionError}.
 */
@NullMarked
package org.starling.testkit;

import org.jspecify.annotations.NullMarked;
