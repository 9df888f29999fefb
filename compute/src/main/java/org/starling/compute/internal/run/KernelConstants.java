package org.starling.compute.internal.run;

import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import org.starling.compute.internal.graph.AdjacencyLayout;

/**
 * What a copy of a kernel that carries messages knows at compile time (see {@link KernelCompiler}).
 * A record, since the compiler trusts the fields of records.
 *
 * @param op type and combiner of the channel
 * @param rows layout of the rows walked
 */
record KernelConstants(ValueOp op, AdjacencyLayout rows) {
    /**
     * The constants that a copy was defined with.
     *
     * @param copy the copy's own lookup
     */
    static KernelConstants of(MethodHandles.Lookup copy) {
        try {
            return MethodHandles.classData(copy, ConstantDescs.DEFAULT_NAME, KernelConstants.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
