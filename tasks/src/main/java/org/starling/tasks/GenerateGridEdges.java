package org.starling.tasks;

import java.io.IOException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.loaders.EdgeFileFormat;
import org.starling.loaders.GridProvider;

/** Task {@code generate.grid}: edges of a rectangular grid, hashed or written. */
public final class GenerateGridEdges implements Task {
    @Override
    public TaskSignature signature() {
        return GeneratedEdges.signature(
                "generate.grid",
                "Generates the edges of a grid.",
                new EdgeFileFormat[] {EdgeFileFormat.TSV},
                GeneratedEdges.scale());
    }

    @Override
    public void check(Parameters arguments) {
        new GridProvider().create(arguments);
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        return GeneratedEdges.run(new GridProvider().create(arguments), false, context, arguments);
    }
}
