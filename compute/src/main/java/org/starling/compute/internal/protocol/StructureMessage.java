package org.starling.compute.internal.protocol;

import java.util.List;
import org.starling.compute.internal.structure.StructureType;
import org.starling.net.RecordMessage.TypeId;

/**
 * Messages by which slaves read structures. Part of {@link ComputeMessage}'s list; ids 3155 and
 * 3156.
 */
@SuppressWarnings("ArrayRecordComponent")
public sealed interface StructureMessage extends ComputeMessage {
    /**
     * Run a program over parts of a structure.
     *
     * @param term the master's term
     * @param program name of the program
     * @param parameters its parameters, JSON
     * @param jars digests of the job's jars
     * @param source what the structure is
     * @param into what the table is that takes the rows
     * @param chunks of the parts
     * @param tokens that they bear
     */
    @TypeId(3155)
    record SweepParts(
            long term,
            String program,
            String parameters,
            List<String> jars,
            StructureType source,
            StructureType into,
            long[] chunks,
            long[] tokens)
            implements StructureMessage, Command<SweptParts> {
        public SweepParts {
            if (chunks.length != tokens.length) {
                throw new IllegalArgumentException(
                        tokens.length + " tokens of " + chunks.length + " chunks");
            }
        }
    }

    /**
     * What came of parts.
     *
     * @param parts in their order
     */
    @TypeId(3156)
    record SweptParts(List<Rows> parts) implements StructureMessage {}

    /**
     * What came of a part.
     *
     * @param bytes rows, each with its length before it
     */
    record Rows(byte[] bytes) {}
}
