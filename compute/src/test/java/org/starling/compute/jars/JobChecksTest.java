package org.starling.compute.jars;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.internal.jars.JobChecks;
import org.starling.compute.internal.jars.Verdict;
import org.starling.compute.internal.protocol.JarMessage.CheckJob;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.QueuedJob;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Task;
import org.starling.net.LoopbackHub;
import org.starling.store.NodeOptions;
import org.starling.store.StoreConfig;
import org.starling.store.StoreNode;

/** A peer that is asked to check jobs whose jars do harm. */
@Tag("slow")
@Timeout(90)
final class JobChecksTest {
    private static final String ENDLESS =
            """
            package my;
            import org.starling.graph.*;
            public final class Endless implements Task {
                public Endless() {
                    while (!Boolean.getBoolean("org.starling.test.released")) {
                        Thread.onSpinWait();
                    }
                }
                @Override public TaskSignature signature() { return TaskSignature.of("my.endless", "-"); }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    return new TaskResult();
                }
            }
            """;
    private static final String RELEASED = "org.starling.test.released";

    @TempDir Path folder;
    private final LoopbackHub hub = new LoopbackHub();
    private final CompletableFuture<String> replaced = new CompletableFuture<>();
    private final StoreNode superpeer = StoreNode.startSuperpeer(options());
    private final StoreNode peer = StoreNode.startPeer(options());
    private String digest = "";

    @BeforeEach
    void serve() throws IOException {
        Path file =
                new JarBuilder()
                        .source("my.Endless", ENDLESS)
                        .service(Task.class, "my.Endless")
                        .build(folder.resolve("endless.jar"));
        digest = JarInspection.digest(file);
        JarLoaders loaders = new JarLoaders(JarRules.DEFAULT, (_, into) -> fetch(file, into));
        JobChecks.serve(
                peer, loaders, TaskCatalog.of(), () -> BroughtFiles.HERE, replaced::complete);
    }

    @AfterEach
    void stop() {
        System.setProperty(RELEASED, "true");
        peer.close();
        superpeer.close();
    }

    @Test
    void answersInTimeAndHasItsProcessReplacedWhenAProviderNeverComesBack() throws Exception {
        JobRequest request =
                new JobRequest("s", "{\"tasks\": []}", Map.of(), false, folder)
                        .withJars(List.of(digest));
        CheckJob question = new CheckJob(new QueuedJob(request, List.of(folder), List.of()).json());

        String verdict =
                superpeer
                        .network()
                        .request(peer.nodeId(), question, Duration.ofSeconds(40))
                        .get()
                        .verdict();

        assertThat(Verdict.parse(verdict).error())
                .startsWith("the providers of the jars are not ready after 20 s");
        assertThat(replaced.get(50, TimeUnit.SECONDS))
                .isEqualTo("a provider of a jar does not come back");
    }

    private UserJar fetch(Path jar, Path into) {
        try {
            Path file = Files.copy(jar, into.resolve(digest + ".jar"));
            return new UserJar(digest, "endless.jar", Files.size(file), file);
        } catch (IOException missing) {
            throw new InvalidInputException("no such jar", missing);
        }
    }

    private NodeOptions options() {
        return NodeOptions.loopback(hub, StoreConfig.defaults().withHeapBytes(16 << 20));
    }
}
