package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.starling.compute.jars.JobCode;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;
import org.starling.graph.Parameters;
import org.starling.store.StoreException;

/** What travels as text: parameters, files, failures. */
final class CodecTest {
    @Test
    void carriesParametersUnchanged() {
        Parameters parameters =
                Parameters.of(Map.of("text", "5", "flag", true))
                        .with("integer", Long.MAX_VALUE)
                        .with("negative", Long.MIN_VALUE)
                        .with("whole", 5.0)
                        .with("small", Double.MIN_VALUE)
                        .with("zero", -0.0)
                        .with("word", "NaN")
                        .with("list", List.of(1L, 2L))
                        .with("texts", List.of("a", "\"\u0001ü"));

        assertThat(ParameterCodec.read(ParameterCodec.write(parameters))).isEqualTo(parameters);
    }

    @Test
    void carriesFiles() {
        Map<String, Path> files = Map.of("a", Path.of("/tmp/x y"), "b", Path.of("z"));

        assertThat(ParameterCodec.readFiles(ParameterCodec.writeFiles(files))).isEqualTo(files);
    }

    @Test
    void carriesTheKindOfAFailure() {
        Throwable cause = new RuntimeException("on the wire");
        assertThat(CommandFailedException.unwrap(text(new InvalidInputException("bad")), cause))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("bad")
                .hasCause(cause);
        assertThat(CommandFailedException.unwrap(text(new JobFailedException("no")), cause))
                .isInstanceOf(JobFailedException.class)
                .hasMessage("no");
        assertThat(CommandFailedException.unwrap(text(new NullPointerException("x")), cause))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("java.lang.NullPointerException: x");
        assertThat(CommandFailedException.unwrap("somebody else's text", cause))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("somebody else's text");
        assertThat(
                        CommandFailedException.unwrap(
                                "prefix " + text(new JobFailedException("n")), cause))
                .isInstanceOf(JobFailedException.class);
    }

    private static String text(RuntimeException thrown) {
        return String.valueOf(CommandFailedException.of(thrown).getMessage());
    }

    @Test
    void tellsExpectedFailuresWithoutTheNamesOfClasses() {
        for (Throwable expected :
                new Throwable[] {
                    new StoreException("needs live backup peers, and there are none"),
                    new UncheckedIOException(new AccessDeniedException("/a/b")),
                    new OutOfMemoryError("Java heap space")
                }) {
            RuntimeException sent = CommandFailedException.of(expected);

            assertThat(CommandFailedException.unwrap(String.valueOf(sent.getMessage()), sent))
                    .as("%s", expected)
                    .isInstanceOf(JobFailedException.class)
                    .satisfies(failed ->
                            assertThat(failed.getMessage())
                                    .doesNotContain("Exception", "Error", "java."));
        }
    }

    @Test
    void findsServicesByNameOnly() {
        assertThat(JobCode.builtIn().program("test.endless").create(Parameters.NONE)).isNotNull();
        assertThat(JobCode.builtIn().edgeSource("test.ring").name()).isEqualTo("test.ring");
        assertThatThrownBy(() -> JobCode.builtIn().program("org.starling.compute.Endless"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("test.endless");
    }

    @Test
    void knowsTheMachinesMemory() {
        assertThat(ProcessMemory.machineBytes()).isGreaterThan(64L << 20);
        assertThat(ProcessMemory.peakResidentBytes())
                .isBetween(1L << 20, ProcessMemory.machineBytes());
    }
}
