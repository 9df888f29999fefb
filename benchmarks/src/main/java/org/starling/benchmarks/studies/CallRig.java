package org.starling.benchmarks.studies;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.benchmarks.studies.calls.Answer;
import org.starling.benchmarks.studies.calls.Call;
import org.starling.benchmarks.studies.calls.Caller;
import org.starling.benchmarks.studies.calls.Cost;
import org.starling.benchmarks.studies.calls.CountingRelay;
import org.starling.benchmarks.studies.calls.Route;
import org.starling.benchmarks.studies.calls.Server;
import org.starling.benchmarks.studies.calls.ServiceKind;
import org.starling.benchmarks.studies.calls.Technology;

/**
 * A server of each of some technologies, and connections to them that are opened when they are
 * first needed and then kept. Confined to one thread, which closes it.
 */
final class CallRig implements AutoCloseable {

    /** Starts servers: in JVMs of their own, or in this one. */
    @FunctionalInterface
    interface Host {
        /** Starts one. */
        Server start(Technology technology, ServiceKind service) throws Exception;
    }

    private static final int WARM_CALLS = 3;
    private static final int COUNTED_CALLS = 10;

    private final Map<String, Line> lines = new LinkedHashMap<>();

    /** Starts a server of each technology. */
    CallRig(Host host, ServiceKind service, List<Technology> technologies) throws Exception {
        try {
            for (Technology technology : technologies) {
                lines.put(technology.name(), new Line(technology, host.start(technology, service)));
            }
        } catch (Exception | Error failed) {
            close();
            throw failed;
        }
    }

    /** What calls are made of. */
    @FunctionalInterface
    interface Calling {
        /** The step of a thread that has a connection. */
        Crew.Step step(Caller caller);
    }

    /**
     * A trial of each technology.
     *
     * @param connections threads, each of which has a connection of its own
     * @param calling what each does
     */
    Map<String, Trial<Tally>> trials(int connections, Calling calling) throws Exception {
        Map<String, Trial<Tally>> trials = new LinkedHashMap<>();
        for (String technology : lines.keySet()) {
            trials.put(technology, trial(technology, connections, calling));
        }
        return trials;
    }

    /** A trial of one technology, like {@link #trials}. */
    Trial<Tally> trial(String technology, int connections, Calling calling) throws Exception {
        Line line = line(technology);
        List<Caller> callers = List.copyOf(line.callers(connections));
        return line.trial(connections, member -> calling.step(callers.get(member)));
    }

    /** A trial of one technology whose threads share one connection. */
    Trial<Tally> sharedTrial(String technology, int threads, Calling calling) throws Exception {
        Caller caller = caller(technology);
        return line(technology).trial(threads, member -> calling.step(caller));
    }

    /** A step that calls and checks the answer. */
    static Calling checked(Call call, Answer expected) {
        return caller -> () -> check(caller.call(call), call, expected);
    }

    /** The first connection of a technology. */
    Caller caller(String technology) throws Exception {
        return line(technology).callers(1).getFirst();
    }

    /** Bytes that a call and its answer take on the wire, acknowledgements of ours included. */
    double wireBytes(String technology, Call call, Answer expected) throws Exception {
        Line line = line(technology);
        Caller caller = line.relayed();
        for (int i = 0; i < WARM_CALLS; i++) {
            check(caller.call(call), call, expected);
        }
        long before = line.relay.bytes();
        for (int i = 0; i < COUNTED_CALLS; i++) {
            check(caller.call(call), call, expected);
        }
        return (double) (line.relay.bytes() - before) / COUNTED_CALLS;
    }

    private Line line(String technology) {
        Line line = lines.get(technology);
        if (line == null) {
            throw new IllegalArgumentException("there is no server of " + technology);
        }
        return line;
    }

    private static void check(Answer answer, Call call, Answer expected) {
        if (!answer.equals(expected)) {
            throw new WrongResultException(
                    "%s was answered with %s instead of %s"
                            .formatted(call.pattern(), answer, expected));
        }
    }

    @Override
    public void close() throws IOException {
        for (Line line : lines.values()) {
            line.close();
        }
    }

    /** One technology. */
    private static final class Line implements AutoCloseable {
        private final Technology technology;
        private final Server server;
        private final List<Caller> callers = new ArrayList<>();
        private final List<Caller> relayed = new ArrayList<>();
        private final CountingRelay relay = new CountingRelay();

        Line(Technology technology, Server server) {
            this.technology = technology;
            this.server = server;
        }

        List<Caller> callers(int count) throws Exception {
            while (callers.size() < count) {
                callers.add(technology.connect(server, Route.DIRECT));
            }
            return callers;
        }

        Caller relayed() throws Exception {
            if (relayed.isEmpty()) {
                relayed.add(technology.connect(server, relay));
            }
            return relayed.getFirst();
        }

        Trial<Tally> trial(int threads, Crew.Work work) {
            return time -> {
                Cost before = server.cost();
                return Crew.run(threads, 1, time, work).plus(server.cost().since(before));
            };
        }

        @Override
        public void close() throws IOException {
            for (Caller caller : callers) {
                caller.close();
            }
            for (Caller caller : relayed) {
                caller.close();
            }
            relay.close();
            server.close();
        }
    }
}
