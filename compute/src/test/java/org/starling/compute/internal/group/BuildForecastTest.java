package org.starling.compute.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.starling.graph.BuildOptions;
import org.starling.graph.Property;
import org.starling.graph.PropertyType;
import org.starling.graph.SourceDescription;

/** What a graph is thought to take. */
final class BuildForecastTest {
    private static final long VERTICES = 1_000_000;
    private static final long STRINGS = 50_000_000;

    @Test
    void countsCodesOfStringsAndDictionaries() {
        BuildForecast without = forecast(List.of(), 0);
        BuildForecast codes = forecast(List.of(Property.of("name", PropertyType.STRING)), 0);
        BuildForecast all = forecast(List.of(Property.of("name", PropertyType.STRING)), STRINGS);

        assertThat(codes.keptBytes() - without.keptBytes()).isEqualTo(4 * VERTICES);
        assertThat(all.keptBytes() - codes.keptBytes()).isEqualTo(STRINGS);
        assertThat(all.neededBytes() - codes.neededBytes()).isEqualTo(3 * STRINGS);
    }

    private static BuildForecast forecast(List<Property> properties, long stringBytes) {
        return BuildForecast.of(
                new SourceDescription(
                        1, false, 0, VERTICES, 1, false, properties, List.of(), stringBytes),
                BuildOptions.DIRECTED);
    }
}
