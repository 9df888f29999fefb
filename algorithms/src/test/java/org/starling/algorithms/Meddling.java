package org.starling.algorithms;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.starling.graph.Declaration;
import org.starling.graph.Master;
import org.starling.graph.Shard;
import org.starling.graph.ShardProgram;

/**
 * A program as it is but for one handle, which a test replaces by one that lies: how mistakes are
 * seeded that checkers must find.
 *
 * @param <H> the handle
 */
abstract class Meddling<H> implements ShardProgram {
    private final ShardProgram program;
    private final String name;
    private final Class<H> handle;
    private int superstep;

    /**
     * @param program the program
     * @param handle interface of the handle
     * @param name its name in the program
     */
    Meddling(ShardProgram program, Class<H> handle, String name) {
        this.program = program;
        this.handle = handle;
        this.name = name;
    }

    /** The handle that lies. */
    abstract H lying(H honest);

    /** Number of the current superstep. */
    final int superstep() {
        return superstep;
    }

    @Override
    public final void declare(Declaration graph) {
        program.declare(
                (Declaration)
                        Proxy.newProxyInstance(
                                Declaration.class.getClassLoader(),
                                new Class<?>[] {Declaration.class},
                                (_, method, arguments) -> {
                                    try {
                                        Object made = method.invoke(graph, arguments);
                                        return handle.isInstance(made) && name.equals(arguments[0])
                                                ? lying(handle.cast(made))
                                                : made;
                                    } catch (InvocationTargetException thrown) {
                                        throw thrown.getCause();
                                    }
                                }));
    }

    @Override
    public final void compute(Shard shard) {
        superstep = shard.superstep();
        program.compute(shard);
    }

    @Override
    public final void afterSuperstep(Master master) {
        program.afterSuperstep(master);
    }
}
