package org.starling.store;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Some operations of a batch failed; all others took effect. */
public final class BatchException extends StoreException {
    private final transient SortedMap<Integer, StoreException> failures;

    /**
     * For the failures of one batch.
     *
     * @param operations how many operations the batch had
     * @param failures the failures by index in the batch, not empty
     */
    public BatchException(int operations, Map<Integer, StoreException> failures) {
        super(
                describe(operations, new TreeMap<>(failures)),
                new TreeMap<>(failures).firstEntry().getValue());
        this.failures = new TreeMap<>(failures);
    }

    private static String describe(int operations, SortedMap<Integer, StoreException> failures) {
        Map.Entry<Integer, StoreException> first = failures.firstEntry();
        return failures.size()
                + " of "
                + operations
                + " operations of a batch failed, the first at index "
                + first.getKey()
                + ": "
                + first.getValue().getMessage();
    }

    /**
     * What failed.
     *
     * @return failures by index in the batch, ascending
     */
    public SortedMap<Integer, StoreException> failures() {
        return new TreeMap<>(failures);
    }
}
