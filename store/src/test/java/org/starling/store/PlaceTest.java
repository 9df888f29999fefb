package org.starling.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class PlaceTest {
    @Test
    void isInItsHostFirstAndThenInWhatIsAroundThat() {
        assertThat(new Place("hall/rack7/host3").domains())
                .containsExactly("hall/rack7/host3", "hall/rack7", "hall");
        assertThat(new Place("host3").domains()).containsExactly("host3");
        assertThat(Place.UNKNOWN.domains()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "rack7/", "/host3", "rack7//host3", "rack 7/host3", "a/b\n"})
    void refusesANameThatIsNoPlace(String path) {
        assertThatThrownBy(() -> new Place(path))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("like rack7/host3");
    }

    @Test
    void refusesMoreNamesAndCharactersThanThereCanBe() {
        assertThat(new Place("a/b/c/d").domains()).hasSize(Place.MAX_DOMAINS);
        assertThatThrownBy(() -> new Place("a/b/c/d/e")).hasMessageContaining("at most 4 names");
        assertThatThrownBy(() -> new Place("a".repeat(256))).hasMessageContaining("at most 255");
    }

    @Test
    void isSharedByAllOnOneHost() {
        assertThat(Place.ofHost("fd00::1")).isEqualTo(new Place("fd00::1"));
        assertThat(Place.ofHost("")).isEqualTo(Place.UNKNOWN);
        assertThat(Place.ofHost("a/b c").domains()).containsExactly("a_b_c");
        assertThat(Place.ofHost("a\u2003b\u0085c\u00a0")).isEqualTo(new Place("a_b_c\u00a0"));
    }
}
