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
import org.starling.compute.cluster.VertexQuestions;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.NearestName;
import org.starling.compute.script.TimeSpan;
import org.starling.graph.EdgeDirection;
import org.starling.graph.GraphQueries;
import org.starling.graph.InvalidInputException;

/** {@code query}: single vertices of a graph that a running cluster keeps. */
final class QueryCommand extends ClientCommand {
    private static final List<String> VERBS = List.of("neighbours", "value", "path");
    private static final String DIRECTION = "direction";
    private static final String LIMIT = "limit";
    private static final String OFFSET = "offset";
    private static final String MAX_VERTICES = "max-vertices";
    private static final String TIME_LIMIT = "time-limit";

    QueryCommand(ClusterLine.Finder clusters) {
        super(
                clusters,
                "query",
                "GRAPH neighbours ID | GRAPH value COLUMN ID | GRAPH path A B",
                "Asks about single vertices of a graph that a running cluster keeps: answers come in milliseconds, beside whatever jobs run.");
    }

    @Override
    Options options() {
        return with(
                super.options(),
                valued(
                        DIRECTION,
                        String.join("|", QueryJson.DIRECTIONS),
                        "neighbours: those to which edges lead, or from which they come (default out)"),
                valued(
                        LIMIT,
                        "N",
                        "neighbours: how many to tell, up to %d (default %d)"
                                .formatted(GraphQueries.MAX_NEIGHBOURS, QueryJson.LIMIT)),
                valued(OFFSET, "N", "neighbours: how many to leave out first (default 0)"),
                valued(
                        MAX_VERTICES,
                        "N",
                        "path: how many vertices the search may come to (default and most %d)"
                                .formatted(GraphQueries.MAX_PATH_VERTICES)),
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
            case "neighbours" -> neighbours(graph, operands.getFirst(), line, terminal);
            case "value" -> value(graph, operands.getFirst(), operands.get(1), line, terminal);
            default -> path(graph, operands.get(0), operands.get(1), line, terminal);
        };
    }

    private ExitCode neighbours(String graph, String vertex, CommandLine line, Terminal terminal) {
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
        Map<String, @Nullable Object> found =
                questions(line, terminal).neighbours(graph, vertex, direction, offset, limit);
        if (line.hasOption(Commands.JSON)) {
            print(found, terminal);
            return ExitCode.DONE;
        }
        List<?> ids = list(found, "neighbours");
        List<?> weights = list(found, "weights");
        for (int i = 0; i < ids.size(); i++) {
            String id = text(ids.get(i));
            terminal.out().println(weights.isEmpty() ? id : id + " " + text(weights.get(i)));
        }
        long told = ids.size();
        long count = number(found, "count");
        terminal.err()
                .println(
                        told == count
                                ? neighboursInAll(told)
                                : "%,d of %s, from %,d on (--offset, --limit)"
                                        .formatted(told, neighboursInAll(count), offset));
        return ExitCode.DONE;
    }

    private static String neighboursInAll(long count) {
        return String.format(Locale.ROOT, count == 1 ? "%,d neighbour" : "%,d neighbours", count);
    }

    private ExitCode value(
            String graph, String column, String vertex, CommandLine line, Terminal terminal) {
        refuseOthers(line, "value", Set.of());
        Map<String, @Nullable Object> found =
                questions(line, terminal).value(graph, column, vertex);
        if (line.hasOption(Commands.JSON)) {
            print(found, terminal);
        } else {
            terminal.out().println(text(found.get("value")));
        }
        return ExitCode.DONE;
    }

    private static String text(@Nullable Object value) {
        return value instanceof List<?> list
                ? list.stream().map(QueryCommand::text).collect(Collectors.joining(" "))
                : value == null ? "none" : value.toString();
    }

    private ExitCode path(
            String graph, String from, String to, CommandLine line, Terminal terminal) {
        refuseOthers(line, "path", Set.of(MAX_VERTICES, TIME_LIMIT));
        int most = GraphQueries.MAX_PATH_VERTICES;
        int maxVertices = (int) Numbers.integer(line, MAX_VERTICES, most, 1, most);
        Map<String, @Nullable Object> found =
                questions(line, terminal).path(graph, from, to, maxVertices, timeLimit(line));
        boolean complete = Boolean.TRUE.equals(found.get("complete"));
        if (line.hasOption(Commands.JSON)) {
            print(found, terminal);
        } else if (Boolean.TRUE.equals(found.get("found"))) {
            list(found, "path").forEach(id -> terminal.out().println(text(id)));
            long length = number(found, "length");
            terminal.err().println(length == 1 ? "1 edge" : length + " edges");
        } else if (complete) {
            terminal.err().println("there is no path from %s to %s".formatted(from, to));
        }
        if (!complete) {
            terminal.err()
                    .println(
                            String.format(
                                    Locale.ROOT,
                                    "no path from %s to %s among the %,d vertices that the search came to before it was stopped; there may be one (--max-vertices, --time-limit)",
                                    from,
                                    to,
                                    number(found, "visited")));
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

    private VertexQuestions questions(CommandLine line, Terminal terminal) {
        return service(line, terminal).questions();
    }

    private static List<?> list(Map<String, @Nullable Object> answer, String name) {
        return answer.get(name) instanceof List<?> list ? list : List.of();
    }

    private static long number(Map<String, @Nullable Object> answer, String name) {
        return answer.get(name) instanceof Number number ? number.longValue() : 0;
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

    private static void print(Map<String, @Nullable Object> tree, Terminal terminal) {
        terminal.out().println(JsonText.write(tree));
    }
}
