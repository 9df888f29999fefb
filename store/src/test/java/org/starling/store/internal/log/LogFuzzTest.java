package org.starling.store.internal.log;

import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.store.FuzzInputs;

/** The fuzz targets of logs over known inputs. */
@Timeout(60)
final class LogFuzzTest {
    @ParameterizedTest
    @EnumSource
    void takesKnownInputsAndTheirChanges(LogFuzz target) throws IOException {
        FuzzInputs.replay(target, target.samples(), target::run);
    }
}
