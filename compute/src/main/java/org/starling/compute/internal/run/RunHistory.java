package org.starling.compute.internal.run;

import java.util.ArrayList;
import java.util.List;
import org.starling.compute.RunRecord;
import org.starling.compute.SuperstepRecord;

/**
 * Records of a run's supersteps. When there are too many, neighbours are put together two by two,
 * and from then on each record is of twice as many supersteps: memory is bounded, and sums stay
 * what they are. Confined to the job's thread.
 */
public final class RunHistory {
    private final List<SuperstepRecord> records = new ArrayList<>();

    /** Supersteps per record but the last one, which may have less. */
    private int stride = 1;

    /** Adds a superstep. */
    public void add(SuperstepRecord record) {
        int last = records.size() - 1;
        if (last >= 0 && records.get(last).last() - records.get(last).first() + 1 < stride) {
            records.set(last, records.get(last).and(record));
            return;
        }
        if (records.size() == RunRecord.MAX_RECORDS) {
            halve();
        }
        records.add(record);
    }

    /** All records, in the order of supersteps. */
    public List<SuperstepRecord> records() {
        return List.copyOf(records);
    }

    private void halve() {
        for (int i = 0; i < RunRecord.MAX_RECORDS / 2; i++) {
            records.set(i, records.get(2 * i).and(records.get(2 * i + 1)));
        }
        records.subList(RunRecord.MAX_RECORDS / 2, records.size()).clear();
        stride *= 2;
    }
}
