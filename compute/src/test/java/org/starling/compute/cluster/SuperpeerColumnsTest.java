package org.starling.compute.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.compute.CheckpointOptions;
import org.starling.compute.JobListener;
import org.starling.compute.TestEdges;
import org.starling.compute.columns.ColumnTable;
import org.starling.compute.internal.catalogue.CatalogueService;
import org.starling.compute.internal.group.LocalGroup;
import org.starling.compute.internal.group.MasterSession;
import org.starling.graph.BuildOptions;
import org.starling.graph.InvalidInputException;
import org.starling.net.LoopbackHub;
import org.starling.store.StoreConfig;

/** What goes wrong while columns are read. */
@Timeout(60)
final class SuperpeerColumnsTest {
    /** No 404: there was a graph of that name when the answer began. */
    @Test
    void saysThatAGraphWasDroppedWhileItWasRead() {
        StoreConfig config = StoreConfig.defaults().withHeapBytes(64 << 20);
        try (LocalGroup group = new LocalGroup(new LoopbackHub(), config, 2, null)) {
            group.join();
            group.join();
            MasterSession session = group.master(1, CheckpointOptions.NONE);
            session.begin(JobListener.SILENT);
            session.beginTask(0);
            session.build(
                    "g",
                    TestEdges.NAME,
                    TestEdges.dense(0, 100).edge(1, 2).named(),
                    BuildOptions.UNDIRECTED);
            session.keep("g");
            session.endTask();
            session.endJob();
            ColumnTable table = new SuperpeerColumns(group.superpeer()).openAll("g");

            new CatalogueService(group.superpeer(), InstantSource.system()).drop("g");

            assertThatThrownBy(() -> table.read(0, 10, _ -> {}))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("dropped");
            assertThatThrownBy(() -> new SuperpeerColumns(group.superpeer()).openAll("g"))
                    .isInstanceOf(InvalidInputException.class);
        }
    }
}
