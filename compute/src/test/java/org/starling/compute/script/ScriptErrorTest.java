package org.starling.compute.script;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ScriptErrorTest {
    /** Else a name could move the cursor of a terminal, or hide a line. */
    @Test
    void showsControlCharactersOfNames() {
        ScriptError error = new ScriptError("$.tasks[4].\raph", "unknown \u001b[2J\nbehind");

        assertThat(error).hasToString("$.tasks[4].\\u000daph: unknown \\u001b[2J\nbehind");
    }
}
