package org.starling.compute.internal.run;

import java.util.concurrent.TimeUnit;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.starling.compute.SuperstepRecord;

/**
 * A superstep of a job, as its master saw it, in a recording of the JVM's flight recorder. Not to
 * be touched before somebody has asked for a recording: the first event of a process costs a tenth
 * of a second.
 */
@Name("starling.Superstep")
@Label("Superstep")
@Category("Starling")
@Description("A superstep of a program over all slaves, written by the master at its end")
@StackTrace(false)
final class SuperstepEvent extends Event {
    @Label("Program")
    String program = "";

    @Label("Run")
    @Description("Number of the run in its job's session")
    long run;

    @Label("Superstep")
    int superstep;

    @Label("Time")
    @Description("From the master's command to the last slave's answer")
    @Timespan(Timespan.NANOSECONDS)
    long time;

    @Label("Vertices that computed")
    long frontier;

    @Label("Messages")
    @Description("Before combining")
    long messages;

    @Label("Bytes to other peers")
    @DataAmount
    long bytes;

    @Label("Direction")
    @Description("How broadcasts were delivered: push, pull, both or none")
    String direction = "";

    @Label("Slowest shard")
    int slowestShard;

    @Label("Time of the slowest shard")
    @Timespan(Timespan.NANOSECONDS)
    long slowestTime;

    /** Writes one if a recording wants it. */
    static void commit(String program, long run, SuperstepRecord record) {
        SuperstepEvent event = new SuperstepEvent();
        if (event.shouldCommit()) {
            event.program = program;
            event.run = run;
            event.superstep = record.last();
            event.time = nanos(record.seconds());
            event.frontier = record.frontier();
            event.messages = record.messages();
            event.bytes = record.bytes();
            event.direction = record.direction();
            event.slowestShard = record.slowestShard();
            event.slowestTime = nanos(record.slowestSeconds());
            event.commit();
        }
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * TimeUnit.SECONDS.toNanos(1));
    }
}
