package org.starling.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an image says in place of the launcher. */
final class ContainerImageTest {
    static Stream<String> options() {
        return ContainerImage.OPTIONS.stream().filter(option -> !option.equals("-XX:-UsePerfData"));
    }

    @ParameterizedTest
    @MethodSource("options")
    void givesTheJvmOptionsThatTheLauncherGivesIt(String option) throws Exception {
        assertThat(Files.readString(Sources.root().resolve("starling"))).contains(option);
    }
}
