package org.starling.benchmarks.studies;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.starling.benchmarks.studies.calls.Answer;
import org.starling.benchmarks.studies.calls.Call;
import org.starling.benchmarks.studies.calls.CallPattern;
import org.starling.benchmarks.studies.calls.Caller;
import org.starling.benchmarks.studies.calls.ServiceKind;
import org.starling.benchmarks.studies.calls.Technologies;

/**
 * Workers, each with a connection of its own, that ask a master for tasks: a request brings the
 * result of the last task, its answer is the next. Every task must be handed out once, and the
 * master must have added up just the results that the workers had.
 */
final class MasterWorkerStudy implements Study {

    private static final List<String> NAMES =
            List.of(Technologies.STARLING, Technologies.SOCKETS, Technologies.NETTY);
    private static final int MAX_WORKERS = 16;
    private static final int RESULTS = 1_000;

    private final CallRig.Host host;

    MasterWorkerStudy(CallRig.Host host) {
        this.host = host;
    }

    @Override
    public String name() {
        return "master-worker";
    }

    @Override
    public String question() {
        return "How many requests a second does a master answer, by the number of its workers?";
    }

    @Override
    public Table run(Contest contest) throws Exception {
        Comparison rows =
                new Comparison(
                        List.of("workers"),
                        "requestsPerSecond",
                        Tally::perSecond,
                        List.of("p50Micros", "p99Micros", "busyCores"));
        try (CallRig rig = new CallRig(host, ServiceKind.MASTER, Technologies.named(NAMES))) {
            Map<String, AtomicLong> handedOut = new LinkedHashMap<>();
            NAMES.forEach(name -> handedOut.put(name, new AtomicLong()));
            for (int workers : contest.scale().powers(1, MAX_WORKERS, 2)) {
                Map<String, Trial<Tally>> trials = new LinkedHashMap<>();
                for (Map.Entry<String, AtomicLong> master : handedOut.entrySet()) {
                    trials.put(
                            master.getKey(),
                            new Shift(rig, master.getKey(), workers, master.getValue()));
                }
                rows.add(
                        List.of(workers),
                        contest.run(workers + " workers", trials),
                        (contender, tallies) -> Tally.latencyAndCores(tallies));
            }
        }
        return rows.table();
    }

    /** One measurement after the other of one master. */
    private static final class Shift implements Trial<Tally> {
        private final CallRig rig;
        private final String technology;
        private final int workers;
        private final AtomicLong handedOut;
        private final AtomicLong sumOfTasks = new AtomicLong();
        private final AtomicLong sumOfResults = new AtomicLong();

        Shift(CallRig rig, String technology, int workers, AtomicLong handedOut) {
            this.rig = rig;
            this.technology = technology;
            this.workers = workers;
            this.handedOut = handedOut;
        }

        @Override
        public Tally measure(Duration time) throws Exception {
            sumOfTasks.set(0);
            sumOfResults.set(0);
            Tally tally = rig.trial(technology, workers, this::work).measure(time);
            long before = handedOut.getAndAdd(tally.operations());
            long count = tally.operations();
            require("tasks", count * before + count * (count + 1) / 2, sumOfTasks.get());
            Answer end = rig.caller(technology).call(new Call(CallPattern.ECHO_NUMBER, 0, 1));
            require("results", sumOfResults.get(), end.number());
            return tally;
        }

        private Crew.Step work(Caller master) {
            long[] result = {0};
            return () -> {
                sumOfResults.addAndGet(result[0]);
                long task = master.call(new Call(CallPattern.ECHO_NUMBER, result[0], 0)).number();
                sumOfTasks.addAndGet(task);
                result[0] = task % RESULTS;
            };
        }

        private static void require(String what, long expected, long found) {
            if (expected != found) {
                throw new WrongResultException(
                        "the sum of all %s is %d instead of %d".formatted(what, found, expected));
            }
        }
    }
}
