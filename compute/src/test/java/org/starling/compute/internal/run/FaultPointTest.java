package org.starling.compute.internal.run;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where a process waits to be killed. */
final class FaultPointTest {
    @Test
    void isNowhereUnlessAsked() {
        assertThat(FaultPoint.parse("")).isNull();
    }

    @Test
    void tellsPlacesAndRolesApart() {
        FaultPoint any = requireNonNull(FaultPoint.parse("superstep=3"));
        FaultPoint master = requireNonNull(FaultPoint.parse("master@task=0"));

        assertThat(any.isAt(FaultPoint.SLAVE, "superstep=3")).isTrue();
        assertThat(any.isAt(FaultPoint.MASTER, "superstep=3")).isTrue();
        assertThat(any.isAt(FaultPoint.MASTER, "superstep=4")).isFalse();
        assertThat(any.isAt(FaultPoint.MASTER, "task=3")).isFalse();
        assertThat(master.isAt(FaultPoint.MASTER, "task=0")).isTrue();
        assertThat(master.isAt(FaultPoint.SLAVE, "task=0")).isFalse();
    }

    @Test
    void tellsPlacesOfOneTaskFromThoseOfAny() {
        FaultPoint any = requireNonNull(FaultPoint.parse("slave@superstep=3"));
        FaultPoint one = requireNonNull(FaultPoint.parse("task=4,write=0"));

        assertThat(any.isAt(FaultPoint.SLAVE, "task=4,superstep=3")).isTrue();
        assertThat(any.isAt(FaultPoint.SLAVE, "task=4,superstep=13")).isFalse();
        assertThat(any.isAt(FaultPoint.SLAVE, "task=3")).isFalse();
        assertThat(one.isAt(FaultPoint.MASTER, "task=4,write=0")).isTrue();
        assertThat(one.isAt(FaultPoint.MASTER, "task=14,write=0")).isFalse();
        assertThat(one.isAt(FaultPoint.MASTER, "task=4")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "superstep",
                "superstep=",
                "superstep=-1",
                "boss@task=1",
                "job=1",
                "task=1,task=2"
            })
    void refusesWhatItDoesNotKnow(String text) {
        assertThatThrownBy(() -> FaultPoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }
}
