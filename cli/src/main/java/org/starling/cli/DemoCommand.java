package org.starling.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.cluster.LocalCluster;
import org.starling.compute.script.JsonText;

/**
 * {@code demo}: a tour with a network of people on a cluster of this machine, in a temporary
 * folder. Every step is a command as a user types it. The cluster and the folder go at the end,
 * whatever that is.
 */
final class DemoCommand extends Command {
    private static final String OPEN = "open";
    private static final String NO_WAIT = "no-wait";
    private static final String GRAPH = "friends";
    private static final String PEOPLE_FILE = "people.csv";
    private static final String FRIENDS_FILE = "friends.csv";
    private static final String SCRIPT_FILE = "tour.json";

    /** A step that is interrupted, and the end of the cluster, take no longer. */
    private static final Duration END_PATIENCE = Duration.ofSeconds(60);

    private static final String SCRIPT =
            """
            {
              "name": "tour",
              "tasks": [
                {"task": "graph.load", "graph": "friends", "edges": "friends.csv", "vertices": "people.csv", "ids": "text", "keep": true},
                {"task": "graph.pagerank", "as": "ranks", "graph": "friends", "top": 5},
                {"task": "graph.publish", "graph": "friends", "state": "pagerank", "as": "rank"},
                {"task": "graph.cdlp", "as": "communities", "graph": "friends", "iterations": 20},
                {"task": "graph.publish", "graph": "friends", "state": "community", "as": "community"},
                {"task": "graph.triangles", "as": "triangles", "graph": "friends"}
              ]
            }
            """;

    private final Commands steps;

    /**
     * A tour.
     *
     * @param steps the commands that it takes
     */
    DemoCommand(Commands steps) {
        super(
                "demo",
                "",
                "Takes a tour: a network of people, a cluster, ranks, communities and a path, with the commands for it.");
        this.steps = steps;
    }

    @Override
    Options options() {
        return optionsOf(
                flag(OPEN, "open the page in a browser at the end of the tour"),
                flag(NO_WAIT, "end the cluster when the tour is over"),
                ClusterOptionsLine.configOption());
    }

    /** What is going on. Guarded by itself. */
    private static final class Course {
        private final CountDownLatch end = new CountDownLatch(1);
        private Interruption step = new Interruption();

        private Course() {
            step.finish(ExitCode.DONE); // none has begun
        }

        private synchronized Interruption begin() {
            step = new Interruption();
            return step;
        }

        private synchronized Interruption step() {
            return step;
        }

        private boolean isEnding() {
            return end.getCount() == 0;
        }

        private void end() {
            end.countDown();
            ExitCode _ = step().request();
        }
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        requireNoOperands(line);
        boolean json = line.hasOption(Commands.JSON);
        Course course = new Course();
        interruption.onRequest(course::end, END_PATIENCE);
        Path folder = temporary();
        Terminal here =
                new Terminal(
                        terminal.in(),
                        json ? terminal.err() : terminal.out(),
                        terminal.err(),
                        terminal.interactive(),
                        folder);
        try {
            List<String> told = new ArrayList<>();
            ExitCode code = tour(start(line, terminal), here, course, told);
            String page = page(folder);
            if (json) {
                terminal.out().println(JsonText.write(Map.of("commands", told, "page", page)));
            }
            if (code == ExitCode.DONE && !course.isEnding()) {
                sayGoodbye(line, here, page);
                if (!line.hasOption(NO_WAIT)) {
                    course.end.await();
                }
            }
            return course.isEnding() ? ExitCode.DONE : code;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return ExitCode.JOB_FAILED;
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        } finally {
            end(folder, here);
        }
    }

    /** Takes one step after the other until one fails or somebody wants it to end. */
    private ExitCode tour(List<String> start, Terminal here, Course course, List<String> told)
            throws IOException {
        DemoPeople people = new DemoPeople();
        people.writeFriends(here.file(FRIENDS_FILE));
        people.writePeople(here.file(PEOPLE_FILE));
        Files.writeString(here.file(SCRIPT_FILE), SCRIPT);
        here.out()
                .printf(
                        "A tour of Starling with %,d friendships of %,d people who don't exist, in %s%n",
                        people.friendships(), DemoPeople.PEOPLE, here.workingDirectory());
        String one = DemoPeople.name(DemoPeople.PEOPLE - 1);
        String other = DemoPeople.name(DemoPeople.PEOPLE / 2);
        List<Step> all =
                List.of(
                        new Step("What is in the file?", List.of("inspect", FRIENDS_FILE)),
                        new Step(
                                "A cluster: four processes on this machine. A graph stays in it, as there is a copy of each part.",
                                start),
                        new Step(
                                "Load it, rank people, find communities, count triangles: "
                                        + SCRIPT_FILE
                                        + " says how, and the graph stays.",
                                List.of("submit", SCRIPT_FILE)),
                        new Step("What the cluster keeps.", List.of("graphs", "info", GRAPH)),
                        new Step(
                                "Who knows " + one + "?",
                                List.of("query", GRAPH, "neighbours", one)),
                        new Step(
                                "A community is called by one of its members; this is that of "
                                        + one
                                        + ".",
                                List.of("query", GRAPH, "value", "community", one)),
                        new Step(
                                "From " + one + " to " + other + " by way of friends.",
                                List.of("query", GRAPH, "path", one, other)));
        for (int i = 0; i < all.size() && !course.isEnding(); i++) {
            Step step = all.get(i);
            here.out().printf("%n%d. %s%n$ %s%n", i + 1, step.title, step.typed());
            told.add(step.typed());
            Interruption interruption = course.begin();
            ExitCode code = steps.run(step.words.toArray(String[]::new), here, interruption);
            interruption.finish(code);
            if (code != ExitCode.DONE) {
                return code;
            }
        }
        return ExitCode.DONE;
    }

    private static List<String> start(CommandLine line, Terminal terminal) {
        List<String> start = new ArrayList<>(List.of("cluster", "start", "--peers", "3"));
        Path settings = ClusterOptionsLine.configuration(line, terminal);
        if (settings != null) {
            start.addAll(List.of("--config", settings.toString()));
        }
        return start;
    }

    private record Step(String title, List<String> words) {
        private String typed() {
            StringBuilder typed = new StringBuilder("starling");
            for (String word : words) {
                typed.append(' ').append(word.contains(" ") ? "\"" + word + "\"" : word);
            }
            return typed.toString();
        }
    }

    private void sayGoodbye(CommandLine line, Terminal here, String page) {
        Path folder = here.workingDirectory();
        here.out()
                .printf(
                        "%nThe page of this cluster is %s (log in with the text of %s).%n",
                        page, folder.resolve(".starling/cluster/token"));
        if (line.hasOption(OPEN)) {
            open(page, here);
        }
        if (!line.hasOption(NO_WAIT)) {
            here.out()
                    .printf(
                            "In another terminal, \"cd %s\" and ask whatever you like. Ctrl-C ends the cluster and removes the folder.%n",
                            folder);
        }
    }

    private static void open(String page, Terminal here) {
        boolean isMac = System.getProperty("os.name", "").startsWith("Mac");
        try {
            Process _ = new ProcessBuilder(isMac ? "open" : "xdg-open", page).start();
        } catch (IOException none) {
            here.err().println("no browser could be started: " + none.getMessage());
        }
    }

    /** Its address; empty if there is no cluster. */
    private static String page(Path folder) {
        return LocalCluster.find(cluster(folder))
                .filter(LocalCluster::isRunning)
                .map(cluster -> cluster.urls().getFirst().resolve("/").toString())
                .orElse("");
    }

    private static Path cluster(Path folder) {
        return folder.resolve(Settings.DATA_DIRECTORY.otherwise());
    }

    private static Path temporary() {
        try {
            return Files.createTempDirectory("starling-demo-").toRealPath();
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    private void end(Path folder, Terminal here) {
        boolean isInterrupted = Thread.interrupted(); // as a start that is given up leaves it
        try {
            endAndRemove(folder, here);
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void endAndRemove(Path folder, Terminal here) {
        if (LocalCluster.find(cluster(folder)).isPresent()) {
            here.out().printf("%n$ starling cluster stop%n");
            ExitCode code =
                    steps.run(
                            new String[] {"cluster", "stop", "--data", cluster(folder).toString()},
                            here,
                            new Interruption());
            if (code != ExitCode.DONE) {
                here.err().println("what is left of it is in " + folder);
                return;
            }
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException stays) {
            here.err().printf("a part of %s stays: %s%n", folder, stays.getMessage());
        }
    }
}
