package org.starling.algorithms;

import static java.util.Map.entry;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class AlgorithmPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(
                entry(
                        BfsCensus.NAME,
                        p ->
                                new BfsCensus(
                                        Math.toIntExact(p.integer(BfsCensus.FIRST)),
                                        Math.toIntExact(p.integer(BfsCensus.WINDOW)))),
                entry(BfsCheck.NAME, p -> new BfsCheck(p.integer(BfsProgram.SOURCE))),
                entry(BfsProgram.NAME, p -> new BfsProgram(p.integer(BfsProgram.SOURCE))),
                entry(KCoreCheck.NAME, p -> new KCoreCheck()),
                entry(KCoreProgram.NAME, p -> new KCoreProgram()),
                entry(
                        LabelPropagationCensus.NAME,
                        p -> new LabelPropagationCensus(p.text(LabelPropagationCensus.STATE))),
                entry(
                        LabelPropagationCheck.NAME,
                        p ->
                                new LabelPropagationCheck(
                                        p.flag(LabelPropagationCheck.FIRST_ROUND),
                                        p.text(LabelPropagationCensus.STATE))),
                entry(
                        LabelPropagationProgram.NAME,
                        p ->
                                new LabelPropagationProgram(
                                        Math.toIntExact(
                                                p.integer(LabelPropagationProgram.ITERATIONS)),
                                        p.flag(LabelPropagationProgram.VERIFY))),
                entry(
                        PageRankCheck.NAME,
                        p -> new PageRankCheck(p.number(PageRankProgram.DAMPING))),
                entry(
                        PageRankProgram.NAME,
                        p ->
                                new PageRankProgram(
                                        p.number(PageRankProgram.DAMPING),
                                        Math.toIntExact(p.integer(PageRankProgram.ITERATIONS)),
                                        p.number(PageRankProgram.TOLERANCE))));
    }
}
