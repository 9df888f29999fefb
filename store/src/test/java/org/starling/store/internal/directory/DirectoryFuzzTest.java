package org.starling.store.internal.directory;

import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.starling.store.FuzzInputs;

/** The fuzz targets of the directory over known inputs. */
@Timeout(60)
final class DirectoryFuzzTest {
    @ParameterizedTest
    @EnumSource
    void takesKnownInputsAndTheirChanges(DirectoryFuzz target) throws IOException {
        FuzzInputs.replay(target, target.samples(), target::run);
    }
}
