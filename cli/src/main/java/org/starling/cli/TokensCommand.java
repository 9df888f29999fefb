package org.starling.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.TokenService;
import org.starling.compute.access.TokenService.TokenView;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.TimeSpan;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * {@code tokens}: who may ask a running cluster for what. A token is made here; the cluster gets
 * its digest only.
 */
final class TokensCommand extends ClientCommand {
    private static final List<String> VERBS = List.of("create", "list", "revoke");
    private static final String ROLE = "role";
    private static final String NAME = "name";
    private static final String EXPIRES = "expires";
    private static final String OUTPUT = "output";

    TokensCommand(ClusterLine.Finder clusters) {
        super(
                clusters,
                "tokens",
                "create|list|revoke NAME",
                "Makes, lists and revokes tokens, by which people and programs use a running"
                        + " cluster.");
    }

    @Override
    Options options() {
        return with(
                super.options(),
                valued(
                        ROLE,
                        "ROLE",
                        "create: read, submit, operate or admin, each with those before"),
                valued(NAME, "NAME", "create: whose token it is"),
                valued(
                        EXPIRES,
                        "TIME",
                        "create: after which it is refused, like 30d (default never)"),
                valued(OUTPUT, "FILE", "create: where it goes (default standard output)"));
    }

    @Override
    ExitCode run(CommandLine line, Terminal terminal, Interruption interruption) {
        List<String> words = line.getArgList();
        String verb = words.isEmpty() ? "" : words.getFirst();
        switch (verb) {
            case "create" -> {
                requireWords(line, 1, "create takes options only");
                create(line, terminal);
            }
            case "list" -> {
                requireWords(line, 1, "list takes no words");
                list(service(line, terminal).tokens(), line, terminal);
            }
            case "revoke" -> {
                requireWords(line, 2, "revoke needs one name");
                revoke(service(line, terminal).tokens(), words.getLast(), line, terminal);
            }
            default -> throw unknown(verb, VERBS);
        }
        return ExitCode.DONE;
    }

    private void create(CommandLine line, Terminal terminal) {
        String name = required(line, NAME);
        AccessRole role = AccessRole.of(required(line, ROLE));
        String expires = line.getOptionValue(EXPIRES);
        Duration lifetime = expires == null ? null : lifetime(expires);
        String output = line.getOptionValue(OUTPUT);
        AccessToken token = AccessToken.fresh();
        Path file = output == null ? null : write(terminal.file(output), token);
        try {
            service(line, terminal).tokens().create(name, role, token.digest(), lifetime);
        } catch (RuntimeException refused) {
            if (file != null) {
                remove(file);
            }
            throw refused;
        }
        if (line.hasOption(Commands.JSON)) {
            Map<String, @Nullable Object> tree = new LinkedHashMap<>();
            tree.put("name", name);
            tree.put("role", role.text());
            if (file == null) {
                tree.put("token", token.text());
            } else {
                tree.put("file", file.toString());
            }
            terminal.out().println(JsonText.write(tree));
        } else if (file == null) {
            terminal.err()
                    .println(
                            "this is the only time that the token is shown; keep it in a file of"
                                    + " mode 0600");
            terminal.out().println(token.text());
        } else {
            terminal.out().println("wrote the token of %s to %s".formatted(name, file));
        }
    }

    private static String required(CommandLine line, String option) {
        String value = line.getOptionValue(option);
        if (value == null) {
            throw new UsageException("tokens create needs --" + option);
        }
        return value;
    }

    private static Duration lifetime(String text) {
        try {
            return TimeSpan.parse(text);
        } catch (InvalidInputException wrong) {
            throw new UsageException(
                    "--expires wants a time like 12h or 30d, found \"" + text + "\"");
        }
    }

    /** For its owner alone, as those who use it demand; an existing file stays. */
    private static Path write(Path file, AccessToken token) {
        try {
            Files.createFile(
                    file,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")));
            return Files.writeString(
                    file, token.text() + "\n", StandardCharsets.UTF_8, StandardOpenOption.WRITE);
        } catch (IOException refused) {
            throw FileTrouble.refusal(file, "written", refused);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException stays) {
            throw FileTrouble.refusal(file, "removed", stays);
        }
    }

    private static void list(TokenService service, CommandLine line, Terminal terminal) {
        List<TokenView> tokens = service.list();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("name", "role", "created", "expires"));
        for (TokenView token : tokens) {
            rows.add(
                    List.of(
                            token.name(),
                            token.role().text(),
                            token.created(),
                            Objects.requireNonNullElse(token.expires(), "never")));
        }
        terminal.print(
                line.hasOption(Commands.JSON),
                Map.of("tokens", tokens.stream().map(TokenView::tree).toList()),
                tokens.isEmpty()
                        ? "there are no tokens but the one in the cluster's folder\n"
                        : Columns.left(rows));
    }

    private static void revoke(
            TokenService service, String name, CommandLine line, Terminal terminal) {
        if (!service.revoke(name)) {
            throw new InvalidInputException(
                    "the cluster has no token of \"%s\"; \"starling tokens list\" says which it has"
                            .formatted(name));
        }
        terminal.tell(
                line.hasOption(Commands.JSON),
                Map.of("revoked", name),
                "revoked the token of " + name);
    }
}
