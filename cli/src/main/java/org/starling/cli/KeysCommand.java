package org.starling.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.KeyFolder;
import org.starling.compute.cluster.KeyIssuer;

/** {@code keys}: what the nodes of a cluster know each other by, and prove who they are with. */
final class KeysCommand extends Command {
    private static final List<String> VERBS = List.of("init", "issue", "rotate");
    private static final String FOR = "for";
    private static final String NODES = "nodes";
    private static final String DAYS = "days";
    private static final String CLIENT = "client";
    private static final String NEW_AUTHORITY = "new-authority";
    private static final String DROP_OLD = "drop-old";
    private static final int MAX_DAYS = 3650;
    private static final int LAST_NODE = 65_535;
    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

    KeysCommand() {
        super(
                "keys",
                "init|issue|rotate DIR",
                "Makes the secret and the token of a cluster, an authority, and certificates of its hosts.");
    }

    @Override
    Options options() {
        return optionsOf(
                valued(
                        FOR,
                        "NAME[,…]",
                        "issue: by which the others reach the host, names and addresses; the first names its folder"),
                valued(
                        NODES,
                        "FIRST-LAST",
                        "issue: node ids that the host may have (default all); superpeers have 0 and up, in the order of --seeds"),
                valued(
                        DAYS,
                        "N",
                        "issue, rotate: for how long the certificate is valid (default 365)"),
                flag(
                        CLIENT,
                        "issue: for somebody who asks the cluster, without its secret and token"),
                flag(NEW_AUTHORITY, "rotate: make another authority; both are trusted"),
                flag(DROP_OLD, "rotate: trust the newest authority alone"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        List<String> words = line.getArgList();
        String verb = words.isEmpty() ? "" : words.getFirst();
        if (!VERBS.contains(verb)) {
            throw unknown(verb, VERBS);
        }
        if (words.size() != 2) {
            throw new UsageException(
                    "keys %s needs one folder; see starling keys --help".formatted(verb));
        }
        requireOptions(line, verb);
        Path folder = terminal.file(words.getLast());
        Said said =
                switch (verb) {
                    case "init" -> init(folder);
                    case "issue" -> issue(line, folder);
                    default -> rotate(line, folder);
                };
        terminal.tell(line.hasOption(Commands.JSON), said.tree(), said.sentence());
        return ExitCode.DONE;
    }

    private record Said(String sentence, Map<String, @Nullable Object> tree) {}

    private static void requireOptions(CommandLine line, String verb) {
        Map<String, List<String>> allowed =
                Map.of(
                        "init", List.of(),
                        "issue", List.of(FOR, NODES, DAYS, CLIENT),
                        "rotate", List.of(DAYS, NEW_AUTHORITY, DROP_OLD));
        for (String option : List.of(FOR, NODES, DAYS, CLIENT, NEW_AUTHORITY, DROP_OLD)) {
            if (line.hasOption(option) && !allowed.getOrDefault(verb, List.of()).contains(option)) {
                throw new UsageException("keys %s takes no --%s".formatted(verb, option));
            }
        }
    }

    private static Said init(Path folder) {
        KeyFolder.make(folder);
        return new Said(
                "made secret and token in %s; \"starling keys issue %s --for HOST\" makes an authority, and the folder of each host"
                        .formatted(folder, folder),
                Map.of("folder", folder.toString()));
    }

    private static Said issue(CommandLine line, Path folder) {
        String text = line.getOptionValue(FOR);
        if (text == null) {
            throw new UsageException("keys issue needs --for: who the certificate is for");
        }
        List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        KeyFolder.makeAuthority(folder);
        KeyIssuer issuer = new KeyIssuer(folder, InstantSource.system());
        Path made;
        if (line.hasOption(CLIENT)) {
            if (names.size() != 1 || line.hasOption(NODES)) {
                throw new UsageException(
                        "keys issue --client takes one name with --for, no --nodes");
            }
            made = issuer.issueToClient(names.getFirst(), validity(line));
        } else {
            int[] nodes = nodes(line);
            made = issuer.issue(names, nodes[0], nodes[1], validity(line));
        }
        return new Said(
                line.hasOption(CLIENT)
                        ? "made %s; commands take --certificate client.crt.pem in it"
                                .formatted(made)
                        : "made %s; copy it to that host (mode 0600, nobody else may read it) and name it there with --keys"
                                .formatted(made),
                Map.of("folder", made.toString()));
    }

    private static Said rotate(CommandLine line, Path folder) {
        if (line.hasOption(NEW_AUTHORITY) && line.hasOption(DROP_OLD)) {
            throw new UsageException(
                    "keys rotate takes one of --new-authority and --drop-old: certificates are made anew between them");
        }
        boolean authorityOnly = line.hasOption(NEW_AUTHORITY) || line.hasOption(DROP_OLD);
        if (authorityOnly && line.hasOption(DAYS)) {
            throw new UsageException("keys rotate takes --days where it makes certificates anew");
        }
        KeyIssuer issuer = new KeyIssuer(folder, InstantSource.system());
        List<String> hosts;
        String sentence;
        if (line.hasOption(NEW_AUTHORITY)) {
            hosts = issuer.renewAuthority();
            sentence =
                    "made another authority, which signs from now on; copy authority.crt.pem to every host first, then \"starling keys rotate %s\""
                            .formatted(folder);
        } else if (line.hasOption(DROP_OLD)) {
            hosts = issuer.dropEarlierAuthorities();
            sentence = "trusts the newest authority alone; copy authority.crt.pem to every host";
        } else {
            hosts = issuer.rotate(validity(line));
            sentence =
                    "made certificate and key of %s anew; copy each folder to its host, which uses them without a restart"
                            .formatted(hosts.isEmpty() ? "nobody" : String.join(", ", hosts));
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("folder", folder.toString());
        tree.put("hosts", hosts);
        return new Said(sentence, tree);
    }

    private static Duration validity(CommandLine line) {
        String days = line.getOptionValue(DAYS);
        if (days == null) {
            return KeyIssuer.USUAL_VALIDITY;
        }
        if (!days.matches("\\d{1,4}") || days.matches("0+") || Integer.parseInt(days) > MAX_DAYS) {
            throw new UsageException(
                    "--days wants a whole number from 1 to %d, found \"%s\""
                            .formatted(MAX_DAYS, days));
        }
        return Duration.ofDays(Integer.parseInt(days));
    }

    private static int[] nodes(CommandLine line) {
        String text = line.getOptionValue(NODES, "0-" + LAST_NODE);
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            throw new UsageException(
                    "--nodes wants node ids like 0 or 3-65535, found \"%s\"".formatted(text));
        }
        int first = Integer.parseInt(range.group(1));
        return new int[] {first, range.group(2) == null ? first : Integer.parseInt(range.group(2))};
    }
}
