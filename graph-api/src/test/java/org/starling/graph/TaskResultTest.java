package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results reach the report in their order and in one form. */
@Timeout(10)
class TaskResultTest {

    @Test
    void keepsResultsOfAllTypesInTheOrderInWhichTheyWerePut() {
        TaskResult result =
                new TaskResult()
                        .put("zeta", 1L)
                        .put("alpha", "text")
                        .put("flag", false)
                        .put("nothing", null)
                        .put("seconds", 0.25);

        assertThat(result.asMap().keySet())
                .containsExactly("zeta", "alpha", "flag", "nothing", "seconds");
        assertThat(result.asMap().values()).containsExactly(1L, "text", false, null, 0.25);
        assertThat(result)
                .hasToString("{zeta=1, alpha=text, flag=false, nothing=null, seconds=0.25}");
    }

    @Test
    void makesAllIntegersLong() {
        TaskResult result =
                new TaskResult().put("n", 7).put("list", List.of(1, 2L)).put("map", Map.of("k", 3));

        assertThat(result.asMap().get("n")).isEqualTo(7L);
        assertThat(result.asMap().get("list")).isEqualTo(List.of(1L, 2L));
        assertThat(result.asMap().get("map")).isEqualTo(Map.of("k", 3L));
    }

    @Test
    void keepsNullsInsideListsAndMaps() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("missing", null);
        TaskResult result = new TaskResult().put("list", Arrays.asList(1L, null)).put("map", map);

        assertThat(result.asMap().get("list")).isEqualTo(Arrays.asList(1L, null));
        assertThat(result.asMap().get("map")).isEqualTo(map);
    }

    @Test
    void keepsTheOrderInsideMapsAndNamesKeysByTheirText() {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put(9, "nine");
        map.put(1, Map.of("deep", new long[] {4}));
        TaskResult result = new TaskResult().put("map", map);

        assertThat(result).hasToString("{map={9=nine, 1={deep=[4]}}}");
    }

    @Test
    void replacesAnOlderResultOfThatNameInItsPlace() {
        TaskResult result = new TaskResult().put("a", 1).put("b", 2).put("a", 3);

        assertThat(result).hasToString("{a=3, b=2}");
    }

    @Test
    void staysTheSameWhenWhatWasPutChanges() {
        long[] array = {1};
        List<Object> list = new ArrayList<>(List.of("x"));
        Map<String, Object> map = new LinkedHashMap<>(Map.of("k", 1L));
        TaskResult result = new TaskResult().put("array", array).put("list", list).put("map", map);

        array[0] = 2;
        list.clear();
        map.clear();

        assertThat(result).hasToString("{array=[1], list=[x], map={k=1}}");
    }

    @Test
    void letsNobodyChangeItThroughWhatItGivesOut() {
        TaskResult result = new TaskResult().put("map", new LinkedHashMap<>(Map.of("k", 1)));
        Map<?, ?> inner = (Map<?, ?>) Objects.requireNonNull(result.asMap().get("map"));

        assertThatThrownBy(() -> result.asMap().remove("map"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(inner::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void refusesWhatAReportCannotHoldHoweverDeep() {
        for (Object value :
                List.of(
                        new Object(),
                        1.5f,
                        new int[] {1},
                        List.of(new Object()),
                        Map.of("k", List.of('c')))) {
            assertThatThrownBy(() -> new TaskResult().put("bad", value))
                    .as("%s", value.getClass())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("\"bad\"");
        }
    }

    @Test
    void addsNothingWhenItRefuses() {
        TaskResult result = new TaskResult().put("good", 1);

        assertThatThrownBy(() -> result.put("bad", new Object()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(result.asMap()).containsOnlyKeys("good");
    }
}
