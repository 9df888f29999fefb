package org.starling.compute;

import java.util.Map;
import org.starling.graph.Declaration;
import org.starling.graph.Histogram;
import org.starling.graph.IntChannel;
import org.starling.graph.IntCombiner;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongGlobal;
import org.starling.graph.LongMirror;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Uses all that a program can remember from superstep to superstep, so that whatever a recovery
 * forgets shows in {@code total}. Integers only: the result is the same to the bit.
 */
public final class Medley implements VertexProgram {
    /** Name of the provider. */
    public static final String NAME = "test.medley";

    /** The last superstep. */
    public static final int LAST_SUPERSTEP = 9;

    private final boolean resumable;
    private final boolean goesOnFromTotal;
    private long vertices;
    private LongState total;
    private LongState before;
    private LongChannel least;
    private IntChannel count;
    private LongMirror seen;
    private LongAggregator sum;
    private Histogram byStep;
    private LongGlobal global;

    /**
     * Makes an instance.
     *
     * @param resumable whether it says so
     * @param goesOnFromTotal whether it reads {@code before}, which an earlier run left
     */
    public Medley(boolean resumable, boolean goesOnFromTotal) {
        this.resumable = resumable;
        this.goesOnFromTotal = goesOnFromTotal;
    }

    @Override
    public void declare(Declaration graph) {
        vertices = graph.graph().vertices();
        total = graph.longState(goesOnFromTotal ? "total2" : "total", 1);
        before = goesOnFromTotal ? graph.existingLongState("total") : total;
        least = graph.longChannel("least", LongCombiner.MIN);
        count = graph.intChannel("count", IntCombiner.SUM);
        seen = graph.longMirror("seen", 5);
        sum = graph.longAggregator("sum", LongCombiner.SUM);
        byStep = graph.histogram("byStep");
        global = graph.longGlobal("global", 3);
    }

    @Override
    public boolean resumes() {
        return resumable;
    }

    @Override
    public void start(Vertex v) {
        total.set(v, before.get(v) + v.id());
        speak(v);
    }

    @Override
    public void compute(Vertex v) {
        long news = least.hasReceived(v) ? least.received(v) : 1;
        news = 31 * news + (count.hasReceived(v) ? count.received(v) : 2);
        news = 31 * news + seen.read((v.ordinal() * 17 + 3) % vertices);
        news = 31 * news + global.get() + v.superstep();
        total.set(v, 31 * total.get(v) + news);
        byStep.add(v.superstep(), 1);
        sum.add(total.get(v) & 0xFFFF);
        if (v.ordinal() % 13 == v.superstep()) {
            v.settle();
        }
        speak(v);
    }

    private void speak(Vertex v) {
        long step = v.superstep();
        if (v.ordinal() % 3 != step % 3) {
            least.broadcast(v, total.get(v) & 0xFFFFF);
        }
        if (v.ordinal() % 2 == step % 2) {
            count.send((v.ordinal() * 31 + 7 + step) % vertices, 1);
        }
        if (v.ordinal() % 5 == step % 5) {
            seen.publish(v.ordinal(), total.get(v));
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        global.set(sum.value());
        if (master.superstep() == LAST_SUPERSTEP) {
            master.halt();
        } else if (master.superstep() % 3 == 2) {
            master.activateAll();
        }
    }

    /** Makes instances; parameters: {@code resumable} and {@code second}, flags. */
    public static final class Provider implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of(
                    NAME,
                    parameters ->
                            new Medley(parameters.flag("resumable"), parameters.flag("second")));
        }
    }
}
