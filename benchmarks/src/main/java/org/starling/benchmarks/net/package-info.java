/**
 * Measurements of the messaging layer between JVMs of one machine. {@link
 * org.starling.benchmarks.net.ChildJvm} starts a JVM and talks to it line by line; {@link
 * org.starling.benchmarks.net.ParentLine} is the child's end of that line. Start with {@code
 * ChildJvm}.
 */
@NullMarked
package org.starling.benchmarks.net;

import org.jspecify.annotations.NullMarked;
