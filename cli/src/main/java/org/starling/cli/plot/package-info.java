/**
 * Pictures as SVG, written without a display, fonts or a library: panels of lines or bars between
 * two axes, one below the other. Knows nothing of reports; the command {@code plot} calls in. Start
 * with {@link org.starling.cli.plot.Picture}.
 */
@NullMarked
package org.starling.cli.plot;

import org.jspecify.annotations.NullMarked;
