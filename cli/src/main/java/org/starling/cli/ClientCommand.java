package org.starling.cli;

import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.cluster.ClusterService;

/** A command that asks a running cluster. */
abstract class ClientCommand extends Command {
    private final ClusterLine.Finder clusters;

    ClientCommand(ClusterLine.Finder clusters, String name, String operands, String summary) {
        super(name, operands, summary);
        this.clusters = clusters;
    }

    @Override
    Options options() {
        return ClusterLine.addTo(new Options());
    }

    /** The service of the cluster that a command line means. */
    final ClusterService service(CommandLine line, Terminal terminal) {
        return clusters.find(line, terminal);
    }
}
