package org.starling.store.internal.replica;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * A recovery of a zone on its new owner, in a recording of the JVM's flight recorder. Not to be
 * touched before somebody has asked for a recording: the first event of a process costs a tenth of
 * a second, in which nobody would have the zone.
 */
@Name("starling.ZoneRecovery")
@Label("Zone recovery")
@Category("Starling")
@Description("From the question to the sources until all copies are at the same end, or it failed")
@StackTrace(false)
final class ZoneRecoveryEvent extends Event {
    @Label("Zone")
    @Description("In hexadecimal, as in logs")
    String zone = "";

    @Label("Epoch")
    long epoch;

    @Label("Chunks")
    long chunks;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Chunks that are lost")
    @Description("As far as they are known")
    int lost;

    @Label("Failure")
    @Description("Empty if it was recovered")
    String failure = "";

    /** Writes it, with what came of the recovery, if a recording wants it. */
    void commit(long ofZone, long underEpoch, @Nullable RecoveryReport report, String reason) {
        end();
        if (shouldCommit()) {
            zone = Long.toHexString(ofZone);
            epoch = underEpoch;
            failure = reason;
            if (report != null) {
                chunks = report.chunks();
                bytes = report.bytes();
                lost = report.lost().size();
            }
            commit();
        }
    }
}
