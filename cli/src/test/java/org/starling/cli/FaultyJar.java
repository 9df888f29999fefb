package org.starling.cli;

import java.io.IOException;
import java.nio.file.Path;
import org.starling.graph.ApiVersion;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;

/** Jars of users whose code does what it should not. */
final class FaultyJar {
    private static final String PROGRAM =
            """
            package my;
            import java.util.ArrayList;
            import java.util.List;
            import java.util.Map;
            import org.starling.graph.*;
            public final class Faults implements ProgramProvider {
                @Override public Map<String, ProgramFactory> programs() {
                    return Map.of("my.fault", parameters -> new Program(parameters.text("kind")));
                }
                private record Program(String kind) implements VertexProgram {
                    @Override public void declare(Declaration graph) { graph.alwaysActive(); }
                    @Override public void start(Vertex v) {}
                    @Override public void compute(Vertex v) {
                        if (v.ordinal() != 0) {
                            return;
                        }
                        switch (kind) {
                            case "throw" -> throw new IllegalStateException("thrown on purpose");
                            case "loop" -> { while (true) { Thread.onSpinWait(); } }
                            case "eat" -> eat();
                            default -> throw new IllegalArgumentException(kind);
                        }
                    }
                    private static void eat() {
                        List<byte[]> eaten = new ArrayList<>();
                        while (true) {
                            eaten.add(new byte[1 << 22]);
                        }
                    }
                }
            }
            """;

    private static final String TASK =
            """
            package my;
            import org.starling.graph.*;
            public final class Fault implements Task {
                @Override public TaskSignature signature() {
                    return TaskSignature.of("my.fault", "Does what it should not.")
                        .with(Argument.required("graph", Argument.Type.GRAPH, "where"))
                        .with(Argument.choice("kind", "of fault", "throw", "loop", "eat", "open"));
                }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    if (arguments.text("kind").equals("open")) {
                        context.outputFile("/etc/starling-was-here");
                    }
                    context.graphs().run(arguments.text("graph"), "my.fault",
                        Parameters.of("kind", arguments.text("kind")));
                    return new TaskResult();
                }
            }
            """;

    private static final String EXIT =
            """
            package my;
            import org.starling.graph.*;
            public final class Exit implements Task {
                @Override public TaskSignature signature() {
                    return TaskSignature.of("my.exit", "Ends the process.");
                }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    System.exit(3);
                    return new TaskResult();
                }
            }
            """;

    private FaultyJar() {}

    /** Task {@code my.fault}, which does one of several kinds of it. */
    static Path build(Path file) throws IOException {
        return new JarBuilder()
                .source("my.Faults", PROGRAM)
                .source("my.Fault", TASK)
                .service(ProgramProvider.class, "my.Faults")
                .service(Task.class, "my.Fault")
                .attribute(ApiVersion.MANIFEST_ATTRIBUTE, "1.0")
                .build(file);
    }

    /** Task {@code my.exit}, which closes the JVM. */
    static Path buildExit(Path file) throws IOException {
        return new JarBuilder()
                .source("my.Exit", EXIT)
                .service(Task.class, "my.Exit")
                .attribute(ApiVersion.MANIFEST_ATTRIBUTE, "1.0")
                .build(file);
    }
}
