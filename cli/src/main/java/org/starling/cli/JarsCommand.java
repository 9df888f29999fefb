package org.starling.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.starling.compute.cluster.JarService;
import org.starling.compute.cluster.JarService.JarView;
import org.starling.compute.jars.UserJar;
import org.starling.graph.InvalidInputException;

/** {@code jars}: what jars of users a running cluster keeps, and removing them. */
final class JarsCommand extends ClientCommand {
    private static final List<String> VERBS = List.of("list", "remove");

    JarsCommand(ClusterLine.Finder clusters) {
        super(
                clusters,
                "jars",
                "list|remove DIGEST",
                "Lists or removes the jars that were brought to a running cluster with --jar.");
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        List<String> words = line.getArgList();
        String verb = words.isEmpty() ? "" : words.getFirst();
        boolean json = line.hasOption(Commands.JSON);
        switch (verb) {
            case "list" -> {
                requireWords(line, 1, "list takes no words");
                list(service(line, terminal).jars(), terminal, json);
            }
            case "remove" -> {
                requireWords(line, 2, "remove needs one digest");
                String digest = UserJar.checkDigest(words.getLast());
                remove(service(line, terminal).jars(), digest, terminal, json);
            }
            default -> throw unknown(verb, VERBS);
        }
        return ExitCode.DONE;
    }

    private static void list(JarService service, Terminal terminal, boolean json) {
        List<JarView> jars = service.list();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("digest", "size", "name"));
        for (JarView jar : jars) {
            rows.add(List.of(jar.digest(), jar.bytes() + " bytes", jar.name()));
        }
        terminal.print(
                json,
                Map.of("jars", jars.stream().map(JarView::tree).toList()),
                jars.isEmpty() ? "there are no jars\n" : Columns.left(rows));
    }

    private static void remove(JarService service, String digest, Terminal terminal, boolean json) {
        if (!service.remove(digest)) {
            throw new InvalidInputException(
                    "the cluster has no jar %s; \"starling jars list\" says which it has"
                            .formatted(digest));
        }
        terminal.tell(json, Map.of("removed", digest), "removed " + digest);
    }
}
