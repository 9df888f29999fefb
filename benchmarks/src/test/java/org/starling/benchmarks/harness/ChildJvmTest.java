package org.starling.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.starling.graph.InvalidInputException;
import org.starling.graph.JobFailedException;

/** A line to a JVM of its own, and that JVM's end. */
@Timeout(value = 50, unit = TimeUnit.SECONDS)
final class ChildJvmTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void answersInTheOrderOfRequests() {
        try (ChildJvm child = ObedientChild.start("a", "b c")) {
            child.tell("1");
            child.tell("2");

            assertThat(child.await(PATIENCE)).isEqualTo("1");
            assertThat(child.await(PATIENCE)).isEqualTo("2");
            assertThat(child.ask("arguments", PATIENCE)).isEqualTo("a,b c");
            assertThat(child.ask("property", PATIENCE)).isEqualTo("very");
            assertThat(child.ask("", PATIENCE)).isEmpty();
        }
    }

    @Test
    void takesNothingThatIsPrintedForAnAnswer() {
        try (ChildJvm child = ObedientChild.start()) {
            assertThat(child.ask("print", PATIENCE)).isEqualTo("printed");
        }
    }

    @Test
    void handsOverWhatTheChildRefusesOrFailsAtAndGoesOn() {
        try (ChildJvm child = ObedientChild.start()) {
            assertThatThrownBy(() -> child.ask("refuse", PATIENCE))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessage("child: nobody can do that");
            assertThatThrownBy(() -> child.ask("fail", PATIENCE))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessage("child: it is broken");
            assertThatThrownBy(() -> child.ask("two lines", PATIENCE))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("more than one line");
            assertThat(child.ask("still there", PATIENCE)).isEqualTo("still there");
        }
    }

    @Test
    void saysThatAChildHasEnded() {
        try (ChildJvm child = ObedientChild.start()) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> child.ask("exit", PATIENCE))
                        .isInstanceOf(JobFailedException.class)
                        .hasMessageContaining("child has ended");
            }
        }
    }

    @Test
    void endsAChildThatHangs() {
        ChildJvm child = ObedientChild.start();

        try (child) {
            assertThatThrownBy(() -> child.ask("hang", Duration.ofMillis(50)))
                    .isInstanceOf(JobFailedException.class)
                    .hasMessageContaining("does not answer within 50 ms");
            assertThat(child.isAlive()).isTrue();
        }

        assertThat(child.isAlive()).isFalse();
    }

    @Test
    void endsWithAParentThatIsKilled() throws Exception {
        try (ChildJvm parent = ObedientChild.start()) {
            ProcessHandle grandchild =
                    ProcessHandle.of(Long.parseLong(parent.ask("child", PATIENCE))).orElseThrow();
            assertThat(grandchild.isAlive()).isTrue();

            assertThatThrownBy(() -> parent.ask("exit", PATIENCE))
                    .isInstanceOf(JobFailedException.class);

            assertThat(grandchild.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
        }
    }

    @Test
    void letsAChildHaveAChild() {
        try (ChildJvm child = ObedientChild.start()) {
            assertThat(child.ask("nested", PATIENCE)).isEqualTo("nested");
        }
    }
}
