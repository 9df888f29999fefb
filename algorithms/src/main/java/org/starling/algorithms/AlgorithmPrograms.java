package org.starling.algorithms;

import java.util.Map;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;

/** The programs of this package. */
public final class AlgorithmPrograms implements ProgramProvider {
    @Override
    public Map<String, ProgramFactory> programs() {
        return Map.ofEntries(
                Map.entry(BfsCensus.NAME, BfsCensus::new),
                Map.entry(BfsCheck.NAME, BfsCheck::new),
                Map.entry(BfsProgram.NAME, BfsProgram::new),
                Map.entry(JoinColumn.NAME, JoinColumn.factory()),
                Map.entry(KCoreCheck.NAME, _ -> new KCoreCheck()),
                Map.entry(KCoreProgram.NAME, _ -> new KCoreProgram()),
                Map.entry(LabelPropagationCensus.NAME, LabelPropagationCensus::new),
                Map.entry(LabelPropagationCheck.NAME, LabelPropagationCheck::new),
                Map.entry(LabelPropagationProgram.NAME, LabelPropagationProgram::new),
                Map.entry(PageRankCheck.NAME, PageRankCheck::new),
                Map.entry(PageRankProgram.NAME, PageRankProgram::new));
    }
}
