package org.starling.benchmarks.studies;

import java.util.List;
import org.starling.benchmarks.studies.calls.ChildServer;

/** All studies, in the order in which they are listed. */
final class Studies {

    private static final List<Study> ALL =
            List.of(
                    new SendersStudy(),
                    new WaitingStudy(ChildServer::start),
                    new PayloadStudy(),
                    new AllToAllStudy(),
                    new PatternsStudy(ChildServer::start),
                    new MasterWorkerStudy(ChildServer::start),
                    new ConversionStudy(),
                    new NettyStudy(ChildServer::start));

    private Studies() {}

    static List<Study> all() {
        return ALL;
    }
}
