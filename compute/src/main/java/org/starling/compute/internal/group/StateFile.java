package org.starling.compute.internal.group;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.LongFunction;
import org.starling.compute.internal.run.FaultPoint;
import org.starling.compute.internal.run.OutputParts;

/**
 * Writes a state as text: a line {@code id value} for each vertex. The file appears whole or not at
 * all; what an older attempt has left of it goes.
 */
final class StateFile {
    /** A piece of a file, for fault points. */
    private static final int PIECE_LINES = 1024;

    private StateFile() {}

    /**
     * Writes a file.
     *
     * @param names how ids are written
     * @param number of this attempt, so that a master that has been replaced does not meddle
     */
    static void write(StateRunsCursor values, LongFunction<String> names, Path file, long number) {
        Path whole = OutputParts.whole(file, number);
        try {
            try (BufferedWriter out =
                    new BufferedWriter(
                            new OutputStreamWriter(
                                    OutputParts.begin(whole), StandardCharsets.UTF_8))) {
                for (long lines = 0; values.next(); lines++) {
                    if (lines % PIECE_LINES == 0) {
                        FaultPoint.write(FaultPoint.MASTER, lines / PIECE_LINES, () -> false);
                    }
                    out.write(names.apply(values.id()));
                    out.write(' ');
                    out.write(values.text());
                    out.write('\n');
                }
            }
            OutputParts.removeOlder(file, number);
            OutputParts.name(whole, file);
        } catch (IOException e) {
            throw OutputParts.cannotWrite(file.toString(), e);
        } finally {
            OutputParts.remove(file, number, 0);
        }
    }
}
