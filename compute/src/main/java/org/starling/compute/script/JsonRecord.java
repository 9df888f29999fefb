package org.starling.compute.script;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record that people and programs get as JSON, with a member for each component. */
public interface JsonRecord {
    /** As a JSON tree, see {@link RecordJson#PLAIN}. */
    default Map<String, @Nullable Object> tree() {
        return RecordJson.PLAIN.tree((Record) this);
    }
}
