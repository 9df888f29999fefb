package org.starling.compute;

import org.starling.graph.Declaration;
import org.starling.graph.LongAggregator;
import org.starling.graph.LongChannel;
import org.starling.graph.LongCombiner;
import org.starling.graph.LongState;
import org.starling.graph.Master;
import org.starling.graph.PhaseGlobal;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/**
 * Three phases: the greatest id of each component spreads, then everybody reports to the vertex
 * that has it, then these tell all what they have counted.
 */
public final class PhasedFlood implements VertexProgram {
    /** Greatest id of the component. */
    public static final String GREATEST = "greatest";

    /** Vertices of the component, times 1000, and the phase in which they were told. */
    public static final String COUNTED = "counted";

    private enum Phase {
        SPREAD,
        REPORT,
        TELL
    }

    private PhaseGlobal<Phase> phase;
    private LongState greatest;
    private LongState place;
    private LongState counted;
    private LongChannel heard;
    private LongChannel reports;
    private LongAggregator told;

    @Override
    public void declare(Declaration graph) {
        phase = graph.phaseGlobal("phase", Phase.class);
        greatest = graph.longState(GREATEST, -1);
        place = graph.longState("place", -1);
        counted = graph.longState(COUNTED, -1);
        heard = graph.longChannel("heard", LongCombiner.MAX);
        reports = graph.longChannel("reports", LongCombiner.SUM);
        told = graph.longAggregator("told", LongCombiner.SUM);
    }

    @Override
    public void start(Vertex v) {
        spread(v, v.id() << 32 | v.ordinal());
    }

    @Override
    public void compute(Vertex v) {
        switch (phase.get()) {
            case SPREAD -> {
                if (heard.received(v) > (greatest.get(v) << 32 | place.get(v))) {
                    spread(v, heard.received(v));
                }
            }
            case REPORT -> reports.send(place.get(v), 1);
            case TELL -> tell(v);
        }
    }

    private void spread(Vertex v, long value) {
        greatest.set(v, value >>> 32);
        place.set(v, value & 0xFFFF_FFFFL);
        heard.broadcast(v, value);
    }

    private void tell(Vertex v) {
        long news = reports.hasReceived(v) ? reports.received(v) : heard.received(v);
        if (counted.get(v) < 0 && (reports.hasReceived(v) || heard.hasReceived(v))) {
            counted.set(v, 1000 * news + (phase.is(Phase.TELL) ? 2 : 0));
            told.add(1);
            heard.broadcast(v, news);
        }
    }

    @Override
    public void afterSuperstep(Master master) {
        if (phase.is(Phase.SPREAD) && master.pending() == 0) {
            phase.set(Phase.REPORT);
            master.activateAll();
        } else if (phase.is(Phase.REPORT)) {
            phase.set(Phase.TELL);
        }
    }
}
