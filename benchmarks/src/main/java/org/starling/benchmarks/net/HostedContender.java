package org.starling.benchmarks.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A contender whose nodes live in child JVMs, which stay from one repetition to the next. */
final class HostedContender implements Contender {
    /** Longest wait for an answer beyond the time of a repetition. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Heap of each JVM: one that grows gets fresh pages all the time, and zeroing these takes
     * longer than messages do.
     */
    private static final List<String> HEAP = List.of("-Xmn64m", "-Xmx1g");

    private final String title;
    private final NetPlan plan;
    private final List<ChildJvm> children = new ArrayList<>();

    private HostedContender(String title, NetPlan plan) {
        this.title = title;
        this.plan = plan;
    }

    /**
     * A contender of this package.
     *
     * @param flags more flags for Java
     */
    static HostedContender of(Contestant contestant, NetPlan plan, List<String> flags) {
        return start(
                contestant.title(), plan, HostProcess.class, List.of(contestant.name()), flags);
    }

    /**
     * Starts the JVMs.
     *
     * @param main calls {@link HostProcess#serve} with its arguments after the first ones
     * @param first arguments before those of the plan
     * @param flags more flags for Java
     */
    static HostedContender start(
            String title, NetPlan plan, Class<?> main, List<String> first, List<String> flags) {
        HostedContender contender = new HostedContender(title, plan);
        try {
            for (List<Integer> hosted : plan.hosts()) {
                List<String> arguments = new ArrayList<>(first);
                arguments.addAll(HostProcess.arguments(plan, hosted));
                String name = "%s %s".formatted(title, hosted.size() == 1 ? hosted : "nodes");
                List<String> all = new ArrayList<>(HEAP);
                all.addAll(flags);
                contender.children.add(ChildJvm.start(name, main, arguments, all));
            }
            return contender;
        } catch (RuntimeException | Error failed) {
            contender.close();
            throw failed;
        }
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Measured measure(Duration time, boolean whole) {
        Map<Integer, Integer> ports = new TreeMap<>();
        for (String answer : askAll(children, HostProcess.OPEN + " " + whole, PATIENCE)) {
            ports.putAll(HostProcess.ports(answer));
        }
        askAll(children, HostProcess.CONNECT + " " + HostProcess.text(ports), PATIENCE);
        Repetition sum = Repetition.nothing();
        String request = HostProcess.MEASURE + " " + time.toMillis();
        for (String answer : askAll(senders(), request, PATIENCE.plus(time))) {
            sum = sum.beside(Repetition.parse(answer));
        }
        askAll(children, HostProcess.CLOSE, PATIENCE);
        return Measured.of(sum);
    }

    @Override
    public void close() {
        children.forEach(ChildJvm::askToEnd);
        children.forEach(ChildJvm::close);
    }

    private List<ChildJvm> senders() {
        List<ChildJvm> senders = new ArrayList<>();
        for (int i = 0; i < children.size(); i++) {
            if (!plan.lanes(plan.hosts().get(i)).isEmpty()) {
                senders.add(children.get(i));
            }
        }
        return senders;
    }

    private static List<String> askAll(List<ChildJvm> some, String request, Duration patience) {
        some.forEach(child -> child.tell(request));
        return some.stream().map(child -> child.await(patience)).toList();
    }
}
