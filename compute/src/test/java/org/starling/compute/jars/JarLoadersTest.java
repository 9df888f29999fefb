package org.starling.compute.jars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.starling.compute.internal.jars.JarLoaders;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;

/** Who shares loaders, when they go, and what code in them sees. */
final class JarLoadersTest {
    private static final String TASK =
            """
            package my;
            import org.starling.graph.*;
            public final class Look implements Task {
                @Override public TaskSignature signature() { return TaskSignature.of("my.look", "Looks."); }
                @Override public void check(Parameters arguments) {
                    String name = arguments.text("name");
                    try {
                        Class.forName(name, true, Thread.currentThread().getContextClassLoader());
                    } catch (ClassNotFoundException unseen) {
                        throw new InvalidInputException("unseen");
                    }
                    if (Look.class.getClassLoader().getResource(
                            "META-INF/services/org.starling.graph.EdgeSourceProvider") != null) {
                        throw new InvalidInputException("service files of others");
                    }
                }
                @Override public TaskResult run(TaskContext context, Parameters arguments) {
                    throw new NullPointerException("a mistake of the user");
                }
            }
            """;

    @TempDir Path folder;
    private final List<Path> folders = new ArrayList<>();
    private final JarLoaders loaders = new JarLoaders(JarRules.DEFAULT, this::fetch);
    private String first = "";
    private String second = "";

    @BeforeEach
    void build() throws IOException {
        first = add("first");
        second = add("second");
    }

    private String add(String mark) throws IOException {
        Path file =
                new JarBuilder()
                        .source("my.Look", TASK.replace("my.look", "my." + mark))
                        .service(Task.class, "my.Look")
                        .build(folder.resolve("new.jar"));
        String digest = JarInspection.digest(file);
        Files.move(file, folder.resolve(digest));
        return digest;
    }

    private UserJar fetch(String digest, Path into) {
        folders.add(into);
        try {
            Path file = into.resolve(digest + ".jar");
            Files.copy(folder.resolve(digest), file);
            return new UserJar(digest, "a.jar", Files.size(file), file);
        } catch (IOException missing) {
            throw new InvalidInputException("no such jar", missing);
        }
    }

    @Test
    void sharesOneLoaderAmongJobsWithTheSameJars() {
        JarLoaders.Lease one = loaders.acquire(List.of(first));
        JarLoaders.Lease two = loaders.acquire(List.of(first, first));
        JarLoaders.Lease other = loaders.acquire(List.of(second));

        assertThat(two.code()).isSameAs(one.code());
        assertThat(other.code()).isNotSameAs(one.code());
        assertThat(loaders.count()).isEqualTo(2);

        one.close();
        one.close(); // the second time means nothing
        assertThat(loaders.count()).isEqualTo(2);
        assertThat(folders).allSatisfy(each -> assertThat(each).exists());
        two.close();
        other.close();
        assertThat(loaders.count()).isZero();
        assertThat(folders).hasSize(2).allSatisfy(each -> assertThat(each).doesNotExist());
    }

    @Test
    void leavesNothingOfWhatCannotBeLoaded() {
        assertThatThrownBy(() -> loaders.acquire(List.of(first, "0".repeat(64))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("no such jar");

        assertThat(loaders.count()).isZero();
        assertThat(folders).allSatisfy(each -> assertThat(each).doesNotExist());
    }

    @Test
    void loadsNothingWhereCodeOfUsersIsSwitchedOff() {
        JarLoaders off = new JarLoaders(new JarRules(false, JarRules.MAX_BYTES), this::fetch);

        assertThatThrownBy(() -> off.acquire(List.of(first)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("switched off");
        assertThat(folders).isEmpty();
        assertThat(off.acquire(List.of()).code()).isSameAs(JobCode.builtIn());
    }

    @Test
    void showsTheJdkAndTheApiAndNothingElse() {
        try (JarLoaders.Lease lease = loaders.acquire(List.of(first))) {
            Task task = lease.code().tasks(TaskCatalog.of()).find("my.first").orElseThrow();

            for (String seen :
                    List.of("java.sql.Connection", "org.starling.graph.Vertex", "my.Look")) {
                task.check(Parameters.of("name", seen));
            }
            for (String unseen :
                    List.of(
                            "com.google.gson.Gson",
                            "org.starling.compute.jars.JobCode",
                            "org.starling.store.StoreNode",
                            "org.starling.net.Network",
                            "org.apache.logging.log4j.Logger")) {
                assertThatThrownBy(() -> task.check(Parameters.of("name", unseen)))
                        .as(unseen)
                        .hasMessage("unseen");
            }
        }
    }

    @Test
    void tellsMistakesOfUsersAsTheJobsFailure() {
        try (JarLoaders.Lease lease = loaders.acquire(List.of(second))) {
            TaskCatalog tasks = lease.code().tasks(TaskCatalog.of());
            Task task = tasks.find("my.second").orElseThrow();

            TaskContext unused =
                    (TaskContext)
                            Proxy.newProxyInstance(
                                    TaskContext.class.getClassLoader(),
                                    new Class<?>[] {TaskContext.class},
                                    (_, method, _) -> {
                                        throw new AssertionError(method);
                                    });
            assertThat(tasks.jars()).containsExactly(second);
            assertThatThrownBy(() -> task.run(unused, Parameters.of(Map.of())))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessage("java.lang.NullPointerException: a mistake of the user");
        }
    }
}
