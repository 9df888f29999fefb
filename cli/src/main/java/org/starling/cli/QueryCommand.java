package org.starling.cli;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.QueryJson;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.NearestName;
import org.starling.compute.script.TimeSpan;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Neighbours;
import org.starling.graph.VertexId;
import org.starling.graph.VertexPath;
import org.starling.graph.VertexValue;

/** {@code query}: single vertices of a graph that a running cluster keeps. */
final class QueryCommand extends Command {
    private static final List<String> VERBS = List.of("neighbours", "value", "path");
    private static final String DIRECTION = "direction";
    private static final String LIMIT = "limit";
    private static final String OFFSET = "offset";
    private static final String MAX_VERTICES = "max-vertices";
    private static final String TIME_LIMIT = "time-limit";

    private final ClusterLine.Finder clusters;

    QueryCommand(ClusterLine.Finder clusters) {
        super(
                "query",
                "GRAPH neighbours ID | GRAPH value COLUMN ID | GRAPH path A B",
                "Asks about single vertices of a graph that a running cluster keeps: answers come in milliseconds, beside whatever jobs run.");
        this.clusters = clusters;
    }

    @Override
    Options options() {
        Options options = ClusterLine.addTo(new Options());
        options.addOption(
                valued(
                        DIRECTION,
                        String.join("|", QueryJson.DIRECTIONS),
                        "neighbours: those to which edges lead, or from which they come (default out)"));
        options.addOption(
                valued(
                        LIMIT,
                        "N",
                        "neighbours: how many to tell, up to %d (default %d)"
                                .formatted(GraphQueries.MAX_NEIGHBOURS, QueryJson.LIMIT)));
        options.addOption(
                valued(OFFSET, "N", "neighbours: how many to leave out first (default 0)"));
        options.addOption(
                valued(
                        MAX_VERTICES,
                        "N",
                        "path: how many vertices the search may come to (default and most %d)"
                                .formatted(GraphQueries.MAX_PATH_VERTICES)));
        return options.addOption(
                valued(
                        TIME_LIMIT,
                        "TIME",
                        "path: how long to search, up to %s (default %s)"
                                .formatted(
                                        TimeSpan.format(GraphQueries.MAX_PATH_TIME),
                                        TimeSpan.format(QueryJson.PATH_TIME))));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        List<String> words = line.getArgList();
        String verb = words.size() < 2 ? "" : words.get(1);
        if (!VERBS.contains(verb)) {
            throw words.isEmpty()
                    ? new UsageException(
                            "query needs the name of a graph first; see starling query --help")
                    : unknown(verb, VERBS);
        }
        List<String> operands = words.subList(2, words.size());
        List<String> wanted =
                switch (verb) {
                    case "neighbours" -> List.of("ID");
                    case "value" -> List.of("COLUMN", "ID");
                    default -> List.of("A", "B");
                };
        if (operands.size() != wanted.size()) {
            throw new UsageException(
                    "query GRAPH %s needs %s, found %d words; see starling query --help"
                            .formatted(verb, String.join(" and ", wanted), operands.size()));
        }
        String graph = words.getFirst();
        return switch (verb) {
            case "neighbours" -> neighbours(graph, id(operands.getFirst()), line, terminal);
            case "value" -> value(graph, operands.getFirst(), id(operands.get(1)), line, terminal);
            default -> path(graph, id(operands.get(0)), id(operands.get(1)), line, terminal);
        };
    }

    private ExitCode neighbours(String graph, long id, CommandLine line, Terminal terminal) {
        refuseOthers(line, "neighbours", Set.of(DIRECTION, LIMIT, OFFSET));
        String name = line.getOptionValue(DIRECTION, "out");
        if (!QueryJson.DIRECTIONS.contains(name)) {
            throw new UsageException(
                    "--direction can't be \"%s\"%s"
                            .formatted(name, NearestName.hint(name, QueryJson.DIRECTIONS)));
        }
        EdgeDirection direction = QueryJson.direction(name);
        int limit =
                (int) Numbers.integer(line, LIMIT, QueryJson.LIMIT, 0, GraphQueries.MAX_NEIGHBOURS);
        long offset = Numbers.integer(line, OFFSET, 0, 0, Long.MAX_VALUE);
        Neighbours found = queries(line, terminal).neighbours(graph, id, direction, offset, limit);
        if (line.hasOption(Commands.JSON)) {
            print(QueryJson.tree(graph, id, direction, found), terminal);
            return ExitCode.DONE;
        }
        boolean weighted = !found.weights().isEmpty();
        for (int i = 0; i < found.ids().size(); i++) {
            String text = VertexId.text(found.ids().get(i));
            terminal.out().println(weighted ? text + " " + found.weights().get(i) : text);
        }
        long told = found.ids().size();
        terminal.err()
                .println(
                        told == found.count()
                                ? neighboursInAll(told)
                                : "%,d of %s, from %,d on (--offset, --limit)"
                                        .formatted(told, neighboursInAll(found.count()), offset));
        return ExitCode.DONE;
    }

    private static String neighboursInAll(long count) {
        return String.format(Locale.ROOT, count == 1 ? "%,d neighbour" : "%,d neighbours", count);
    }

    private ExitCode value(
            String graph, String column, long id, CommandLine line, Terminal terminal) {
        refuseOthers(line, "value", Set.of());
        VertexValue found = queries(line, terminal).value(graph, column, id);
        if (line.hasOption(Commands.JSON)) {
            print(QueryJson.tree(graph, id, column, found), terminal);
        } else {
            terminal.out().println(text(found.value()));
        }
        return ExitCode.DONE;
    }

    private static String text(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().map(QueryCommand::text).collect(Collectors.joining(" "))
                : value == null ? "none" : value.toString();
    }

    private ExitCode path(String graph, long from, long to, CommandLine line, Terminal terminal) {
        refuseOthers(line, "path", Set.of(MAX_VERTICES, TIME_LIMIT));
        int most = GraphQueries.MAX_PATH_VERTICES;
        int maxVertices = (int) Numbers.integer(line, MAX_VERTICES, most, 1, most);
        VertexPath found =
                queries(line, terminal).path(graph, from, to, maxVertices, timeLimit(line));
        if (line.hasOption(Commands.JSON)) {
            print(QueryJson.tree(graph, from, to, found), terminal);
        } else if (found.isFound()) {
            found.ids().forEach(id -> terminal.out().println(VertexId.text(id)));
            terminal.err().println(found.length() == 1 ? "1 edge" : found.length() + " edges");
        } else if (found.complete()) {
            terminal.err()
                    .println(
                            "there is no path from %s to %s"
                                    .formatted(VertexId.text(from), VertexId.text(to)));
        }
        if (!found.complete()) {
            terminal.err()
                    .println(
                            String.format(
                                    Locale.ROOT,
                                    "no path from %s to %s among the %,d vertices that the search came to before it was stopped; there may be one (--max-vertices, --time-limit)",
                                    VertexId.text(from),
                                    VertexId.text(to),
                                    found.visited()));
            return ExitCode.JOB_FAILED;
        }
        return ExitCode.DONE;
    }

    private static Duration timeLimit(CommandLine line) {
        String text = line.getOptionValue(TIME_LIMIT);
        if (text == null) {
            return QueryJson.PATH_TIME;
        }
        try {
            Duration time = TimeSpan.parse(text);
            if (time.compareTo(GraphQueries.MAX_PATH_TIME) <= 0) {
                return time;
            }
        } catch (InvalidInputException wrong) {
            throw new UsageException("--time-limit: " + wrong.getMessage());
        }
        throw new UsageException(
                "--time-limit can be %s at most, found \"%s\""
                        .formatted(TimeSpan.format(GraphQueries.MAX_PATH_TIME), text));
    }

    private GraphQueries queries(CommandLine line, Terminal terminal) {
        return clusters.find(line, terminal).queries();
    }

    private static void refuseOthers(CommandLine line, String verb, Set<String> own) {
        for (Option option : line.getOptions()) {
            String name = option.getLongOpt();
            if (List.of(DIRECTION, LIMIT, OFFSET, MAX_VERTICES, TIME_LIMIT).contains(name)
                    && !own.contains(name)) {
                throw new UsageException(
                        "query GRAPH %s has no option \"--%s\"; see starling query --help"
                                .formatted(verb, name));
            }
        }
    }

    private static long id(String text) {
        return QueryJson.id(text)
                .orElseThrow(() ->
                        new UsageException(
                                "expected an id, a whole number from 0 to 2^64 - 1, found \"%s\""
                                        .formatted(text)));
    }

    private static void print(Map<String, @Nullable Object> tree, Terminal terminal) {
        terminal.out().println(JsonText.write(tree));
    }
}
