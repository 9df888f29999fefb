package org.starling.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.GraphDetail;
import org.starling.compute.cluster.GraphView;
import org.starling.compute.script.NearestName;
import org.starling.graph.InvalidInputException;

/** {@code graphs}: those that a running cluster keeps. */
final class GraphsCommand extends ClientCommand {
    private static final List<String> VERBS =
            List.of("list", "info", "drop", "rename", "copy", "forget");

    GraphsCommand(ClusterLine.Finder clusters) {
        super(
                clusters,
                "graphs",
                "list|info NAME|drop NAME|rename A B|copy A B|forget",
                "Shows, drops, renames or copies the graphs that a running cluster keeps.");
    }

    @Override
    Options options() {
        return super.options()
                .addOption(
                        flag(
                                ClusterRemoval.ACCEPT_LOSS,
                                "forget: the list of kept graphs is lost, and an empty one takes its place"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        List<String> words = line.getArgList();
        String verb = words.isEmpty() ? "" : words.getFirst();
        int names =
                switch (verb) {
                    case "list", "forget" -> 0;
                    case "info", "drop" -> 1;
                    case "rename", "copy" -> 2;
                    default -> throw unknown(verb, VERBS);
                };
        if (words.size() != names + 1) {
            throw new UsageException(
                    "graphs %s takes %s, found %d; see starling graphs --help"
                            .formatted(
                                    verb,
                                    List.of("no name", "one name", "two names").get(names),
                                    words.size() - 1));
        }
        ClusterService service = service(line, terminal);
        boolean json = line.hasOption(Commands.JSON);
        switch (verb) {
            case "list" -> list(service, json, terminal);
            case "info" -> info(detail(service, words.get(1)), json, terminal);
            case "drop" -> drop(service, words.get(1), json, terminal);
            case "forget" -> {
                if (!line.hasOption(ClusterRemoval.ACCEPT_LOSS)) {
                    throw new UsageException("graphs forget needs --accept-loss");
                }
                service.forgetGraphs();
                terminal.tell(json, Map.of("graphs", List.of()), "no graphs are kept");
            }
            case "rename" -> {
                service.renameGraph(words.get(1), words.get(2));
                moved(service, words, "is called", json, terminal);
            }
            default -> {
                service.copyGraph(words.get(1), words.get(2));
                moved(service, words, "is copied to", json, terminal);
            }
        }
        return ExitCode.DONE;
    }

    private static void list(ClusterService service, boolean json, Terminal terminal) {
        List<GraphView> graphs = service.graphs();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("graph", "vertices", "edges", "kind", "columns", "memory", "copies"));
        for (GraphView graph : graphs) {
            rows.add(
                    List.of(
                            graph.name(),
                            number(graph.vertices()),
                            number(graph.edges()),
                            kind(graph),
                            Integer.toString(graph.columns().size()),
                            ByteSize.mebibytes(graph.bytes()),
                            Integer.toString(graph.copies())));
        }
        terminal.print(
                json,
                Map.of("graphs", graphs.stream().map(GraphView::tree).toList()),
                graphs.isEmpty() ? "no graphs are kept\n" : Columns.left(rows));
    }

    private static GraphDetail detail(ClusterService service, String name) {
        return service.graph(name)
                .orElseThrow(() ->
                        new InvalidInputException(
                                "no graph \"%s\" is kept%s"
                                        .formatted(
                                                name,
                                                NearestName.hint(
                                                        name,
                                                        service.graphs().stream()
                                                                .map(GraphView::name)
                                                                .toList()))));
    }

    private static void info(GraphDetail detail, boolean json, Terminal terminal) {
        GraphView graph = detail.graph();
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("graph", graph.name()));
        facts.add(
                List.of(
                        "vertices",
                        number(graph.vertices())
                                + switch (graph.ids()) {
                                    case NUMBER -> ", ids are numbers";
                                    case TEXT -> ", ids are texts";
                                }));
        facts.add(List.of("edges", number(graph.edges()) + ", " + kind(graph)));
        facts.add(List.of("columns", columns(graph)));
        facts.add(List.of("memory", ByteSize.mebibytes(graph.bytes()) + " in each copy"));
        facts.add(List.of("copies", Integer.toString(graph.copies())));
        facts.add(List.of("made", detail.created()));
        facts.add(List.of("last used", detail.lastUsed()));
        facts.add(
                List.of(
                        "used by",
                        detail.jobs().isEmpty()
                                ? "no job"
                                : detail.jobs().stream()
                                        .map(job -> "job " + job)
                                        .collect(Collectors.joining(", "))));
        for (GraphDetail.Share share : detail.peers()) {
            facts.add(
                    List.of(
                            "peer " + share.node(),
                            "%s vertices in %d shards, %s"
                                    .formatted(
                                            number(share.vertices()),
                                            share.shards(),
                                            ByteSize.mebibytes(share.bytes()))));
        }
        terminal.print(json, detail.tree(), Columns.left(facts));
    }

    private static void drop(ClusterService service, String name, boolean json, Terminal terminal) {
        service.dropGraph(name);
        terminal.tell(json, Map.of("dropped", name), "graph \"%s\" is dropped".formatted(name));
    }

    private static void moved(
            ClusterService service,
            List<String> words,
            String what,
            boolean json,
            Terminal terminal) {
        if (json) {
            info(detail(service, words.get(2)), true, terminal);
        } else {
            terminal.out()
                    .println("graph \"%s\" %s \"%s\"".formatted(words.get(1), what, words.get(2)));
        }
    }

    private static String columns(GraphView graph) {
        return graph.columns().isEmpty()
                ? "none"
                : graph.columns().stream()
                        .map(column -> "%s (%s)".formatted(column.name(), column.type()))
                        .collect(Collectors.joining(", "));
    }

    private static String kind(GraphView graph) {
        return (graph.directed() ? "directed" : "undirected")
                + (graph.weighted() ? ", weighted" : "");
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
