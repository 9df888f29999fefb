package org.starling.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.starling.graph.Argument;
import org.starling.graph.Declaration;
import org.starling.graph.Master;
import org.starling.graph.Parameters;
import org.starling.graph.ProgramFactory;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;
import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;
import org.starling.graph.Vertex;
import org.starling.graph.VertexProgram;

/** Task {@code test.run-away}: an endless loop at a place that a test chooses. */
public final class RunawayTask implements Task {
    private static final String NAME = "test.runaway";

    @Override
    public TaskSignature signature() {
        return TaskSignature.of("test.run-away", "Never comes back.")
                .with(Argument.choice("place", "where", "task", "compute", "master"))
                .with(Argument.required("graph", Argument.Type.TEXT, "to run over"))
                .with(Argument.required("file", Argument.Type.OUTPUT_FILE, "made where it begins"));
    }

    @Override
    public TaskResult run(TaskContext context, Parameters arguments) throws IOException {
        Path file = context.outputFile(arguments.text("file"));
        String place = arguments.text("place");
        if (place.equals("task")) {
            loop(file.toString());
        }
        Parameters parameters = Parameters.of("place", place).with("file", file.toString());
        context.graphs().run(arguments.text("graph"), NAME, parameters);
        return new TaskResult();
    }

    private static void loop(String file) {
        try {
            Files.writeString(Path.of(file), "begun");
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
        while (true) {
            Thread.onSpinWait();
        }
    }

    private record Program(String place, String file) implements VertexProgram {
        @Override
        public void declare(Declaration graph) {
            graph.alwaysActive();
        }

        @Override
        public void start(Vertex v) {
            if (place.equals("compute") && v.ordinal() == 0) {
                loop(file);
            }
        }

        @Override
        public void compute(Vertex v) {}

        @Override
        public void afterSuperstep(Master master) {
            if (place.equals("master")) {
                loop(file);
            }
        }
    }

    /** Names the program. */
    public static final class Provider implements ProgramProvider {
        @Override
        public Map<String, ProgramFactory> programs() {
            return Map.of(NAME, p -> new Program(p.text("place"), p.text("file")));
        }
    }
}
