package org.starling.cli;

import java.util.List;

/** Scripts that are right and together have every construct. */
final class GoodScripts {
    /** Tasks that a step can build on. */
    static final String PREFIX =
            """
            {"tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 8},
              {"task": "graph.pagerank", "as": "pr", "graph": "g", "top": 3},
            """;

    /** The file {@code part.json}, which others include. */
    static final String PART =
            """
            {"parameters": {"n": 1, "list": [1, 2]}, "tasks": [
              {"task": "graph.bfs", "graph": "g", "source": "${n}", "as": "search"}]}
            """;

    static final List<String> ALL =
            List.of(
                    PREFIX
                            + """
                            {"if": "pr.sum > 0.5 and not (pr.iterations == 1 or pr.sum >= 2)",
                             "then": [{"task": "graph.bfs", "graph": "g", "source": "${pr.top[0][0]}", "as": "b"}],
                             "else": [{"task": "graph.wcc", "graph": "g"}]},
                            {"repeat": 2, "tasks": [{"task": "graph.info", "graph": "g"}]},
                            {"task": "graph.drop", "graph": "g"}]}
                            """,
                    PREFIX
                            + """
                            {"forEach": "hit", "in": "${pr.top}", "atMost": 4, "tasks": [
                              {"task": "graph.sssp", "graph": "g", "source": "${hit[0]}", "parents": true,
                               "timeLimit": "30 s", "onFailure": {"retry": 2, "then": "continue"}, "as": "paths"},
                              {"if": "paths.failed or hit[1] > 0.5", "then": []}]},
                            {"forEach": "x", "in": ["h", "i"], "tasks": [
                              {"task": "graph.load", "graph": "${x}", "file": "edges.txt"},
                              {"if": "x == 'h'", "then": [{"task": "graph.drop", "graph": "${x}"}],
                               "else": [{"task": "graph.drop", "graph": "${x}"}]}]}]}
                            """,
                    """
                    {"name": "n", "explain": false, "parameters": {"scale": 7, "sources": [1, 2]}, "tasks": [
                      {"task": "graph.generate", "graph": "g", "generator": "uniform", "scale": "${scale}", "seeds": [2, "0x3"]},
                      {"task": "graph.wcc", "graph": "g", "as": "cc"},
                      {"while": "cc.components > 1", "atMost": 3, "tasks": [
                        {"task": "graph.bfs", "graph": "g", "source": "${cc.largest}", "verify": true}]},
                      {"parallel": [
                        [{"task": "graph.write", "graph": "g", "state": "component", "file": "c-${cc.largest}.txt"}],
                        [{"include": "part.json", "as": "part", "parameters": {"n": "${cc.components}"}}]]},
                      {"if": "part.search.reached >= cc.largest", "then": []},
                      {"tasks": [{"task": "graph.generate", "graph": "h", "generator": "grid", "scale": 6}],
                       "as": "try", "onFailure": "continue"},
                      {"if": "not try.failed", "then": [{"task": "graph.commonSubstructure", "graphs": ["h", "h"]}]}]}
                    """);

    private GoodScripts() {}
}
