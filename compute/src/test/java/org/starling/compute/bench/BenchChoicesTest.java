package org.starling.compute.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What was chosen of a bench's options. */
final class BenchChoicesTest {
    private static final List<BenchOption> OPTIONS =
            List.of(
                    new BenchOption.Whole("bytes", "of a message", 64, 1, 100),
                    new BenchOption.Word("mode", "of sending", List.of("slow", "fast")),
                    new BenchOption.Flag("loud", "or not"));

    @Test
    void takesWhatIsGivenAndElseWhatIsUsual() {
        BenchChoices usual = new BenchChoices(OPTIONS, Map.of());
        BenchChoices given =
                new BenchChoices(OPTIONS, Map.of("bytes", 7L, "mode", "fast", "loud", true));

        assertThat(usual.number("bytes")).isEqualTo(64);
        assertThat(usual.word("mode")).isEqualTo("slow");
        assertThat(usual.flag("loud")).isFalse();
        assertThat(usual.isGiven("bytes")).isFalse();
        assertThat(given.number("bytes")).isEqualTo(7);
        assertThat(given.word("mode")).isEqualTo("fast");
        assertThat(given.flag("loud")).isTrue();
        assertThat(given.isGiven("bytes")).isTrue();
    }

    @Test
    void refusesWhatNoOptionAllows() {
        for (Map<String, Object> wrong :
                List.<Map<String, Object>>of(
                        Map.of("bytes", 101L),
                        Map.of("bytes", "7"),
                        Map.of("mode", "fastest"),
                        Map.of("loud", false),
                        Map.of("speed", 1L))) {
            assertThatThrownBy(() -> new BenchChoices(OPTIONS, wrong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void refusesToReadAnOptionAsAnother() {
        BenchChoices choices = new BenchChoices(OPTIONS, Map.of());

        assertThatThrownBy(() -> choices.number("mode"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> choices.word("loud")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> choices.flag("bytes"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> choices.isGiven("pace"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
