/**
 * The commands of {@code ./starling}: options in, exit code out, a report for people on the
 * terminal or one JSON object for programs. Nobody calls in but the launcher. Tasks and programs
 * are found on the class path when a command runs, so this room compiles against the engine and the
 * page only. Start with the class that holds {@code main} and picks the command.
 */
@NullMarked
package org.starling.cli;

import org.jspecify.annotations.NullMarked;
