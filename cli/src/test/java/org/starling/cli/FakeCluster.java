package org.starling.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.starling.compute.jars.JarContents;
import org.starling.graph.GraphSession;

/** A cluster without graphs that counts how often it is stopped. */
final class FakeCluster implements Cluster {
    final AtomicInteger cancels = new AtomicInteger();
    final AtomicInteger closes = new AtomicInteger();
    final List<JarContents> used = new ArrayList<>();
    private Settings settings = Settings.DEFAULT;

    Cluster start(Settings wanted, Progress progress) {
        settings = wanted;
        return this;
    }

    @Override
    public GraphSession graphs() {
        throw new IllegalStateException("a fake cluster has no graphs");
    }

    @Override
    public int peers() {
        return settings.get(Settings.PEERS);
    }

    @Override
    public boolean separateProcesses() {
        return settings.get(Settings.PROCESSES);
    }

    @Override
    public String promise() {
        return "nothing is promised";
    }

    @Override
    public void use(List<JarContents> jars) {
        used.addAll(jars);
    }

    @Override
    public void cancel() {
        cancels.incrementAndGet();
    }

    @Override
    public void close() {
        closes.incrementAndGet();
    }
}
