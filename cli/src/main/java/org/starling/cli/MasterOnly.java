package org.starling.cli;

import java.util.List;
import org.starling.compute.script.ScriptHost;
import org.starling.graph.GraphSession;

/** For tasks that do all their work on the master: there is no cluster, and no graph in it. */
final class MasterOnly implements ScriptHost {
    @Override
    public GraphSession graphs() {
        throw new IllegalStateException("this command runs without a cluster");
    }

    @Override
    public int peers() {
        return 1;
    }

    @Override
    public boolean separateProcesses() {
        return false;
    }

    @Override
    public List<Long> peakResidentBytes() {
        return List.of();
    }

    @Override
    public long supersteps() {
        return 0;
    }

    @Override
    public long messages() {
        return 0;
    }
}
