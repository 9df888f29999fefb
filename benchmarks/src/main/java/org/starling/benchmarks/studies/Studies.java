package org.starling.benchmarks.studies;

import java.util.List;
import org.starling.benchmarks.studies.calls.ChildServer;

/** All studies, in the order in which they are listed. */
final class Studies {

    private static final int MAX_SENDERS = 128;
    private static final int[] VECTOR_SIZES = {5, 50, 500, 5_000, 50_000};
    private static final int[] VECTOR_BYTES = {16, 1 << 10, 64 << 10};
    private static final int[] MESSAGE_BYTES = {
        1, 8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 2 << 20, 8 << 20
    };

    private static final List<Study> ALL =
            List.of(
                    new SendersStudy(MAX_SENDERS),
                    new WaitingStudy(ChildServer::start),
                    new PayloadStudy(MESSAGE_BYTES),
                    new AllToAllStudy(),
                    new PatternsStudy(ChildServer::start, VECTOR_SIZES),
                    new MasterWorkerStudy(ChildServer::start),
                    new ConversionStudy(),
                    new NettyStudy(ChildServer::start, VECTOR_BYTES),
                    new AdjacencyStudy(),
                    new SearchStudy());

    private Studies() {}

    static List<Study> all() {
        return ALL;
    }
}
