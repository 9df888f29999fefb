package org.starling.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.ResultService;
import org.starling.compute.cluster.ResultService.ResultView;
import org.starling.compute.script.ScriptFiles;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.WholeFile;

/**
 * The folder into which results of a job go. All of them come as drafts first, and take their names
 * when the last one is whole; if one fails, none is left. A name that would leave the folder is
 * refused, and so is one that is taken. Used by one thread.
 */
final class FetchedResults {
    private static final String FETCH = "fetch";

    private final Path folder;

    private FetchedResults(Path folder) {
        this.folder = folder;
    }

    static Option option() {
        return Command.valued(
                FETCH,
                "DIR",
                "a folder here into which all that the job has written goes when it has succeeded");
    }

    static boolean isWanted(CommandLine line) {
        return line.hasOption(FETCH) || ScriptOutput.isFile(line);
    }

    /**
     * The folder that a command line names, made if it is not there; or that of the table that it
     * names.
     *
     * @throws UsageException if it names both
     * @throws InvalidInputException if it can't be one
     */
    static FetchedResults into(CommandLine line, Terminal terminal) {
        Path folder = folder(line, terminal);
        try {
            Files.createDirectories(folder);
            if (!Files.isWritable(folder)) {
                throw new InvalidInputException("the folder %s can't be written".formatted(folder));
            }
            return new FetchedResults(folder.toRealPath());
        } catch (IOException refused) {
            throw FileTrouble.refusal(folder, "written", refused);
        }
    }

    private static Path folder(CommandLine line, Terminal terminal) {
        if (!ScriptOutput.isFile(line)) {
            return terminal.file(line.getOptionValue(FETCH));
        }
        if (line.hasOption(FETCH)) {
            throw new UsageException(
                    "--output fetches into its file's folder, and --fetch into another one: give one of them");
        }
        Path file = terminal.file(line.getOptionValue(ScriptOutput.OUTPUT));
        Path folder = Objects.requireNonNullElse(file.getParent(), file);
        if (!Files.isDirectory(folder)) {
            throw new InvalidInputException(
                    "--output: there is no folder %s; make it".formatted(folder));
        }
        return folder;
    }

    /**
     * Throws if the table that a command line names is there already: it would not be fetched.
     *
     * @throws InvalidInputException if so
     */
    static void refuseTakenOutput(CommandLine line, Terminal terminal) {
        if (!ScriptOutput.isFile(line)) {
            return;
        }
        Path file = terminal.file(line.getOptionValue(ScriptOutput.OUTPUT));
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new InvalidInputException(
                    "--output: %s is there already; name another file".formatted(file));
        }
    }

    /**
     * Fetches all results of a job, and removes them there.
     *
     * @throws InvalidInputException if a name can't be or is taken; then they stay there
     */
    void fetch(long job, ResultService service, Terminal terminal) {
        List<ResultView> results = service.list(job);
        List<WholeFile> drafts = new ArrayList<>();
        try {
            List<Path> targets = new ArrayList<>();
            for (ResultView result : results) {
                targets.add(target(result, job));
            }
            for (int i = 0; i < targets.size(); i++) {
                drafts.add(draft(targets.get(i), job, results.get(i), service));
            }
            for (Path target : targets) {
                refuseTaken(target, job);
            }
            for (WholeFile draft : drafts) {
                draft.commit();
            }
            targets.forEach(target -> terminal.err().println("fetched " + target));
        } catch (IOException refused) {
            throw FileTrouble.refusal(folder, "written", refused);
        } finally {
            drafts.forEach(FetchedResults::close);
        }
        forget(job, service, terminal);
    }

    private static WholeFile draft(Path target, long job, ResultView result, ResultService service)
            throws IOException {
        WholeFile draft = WholeFile.create(target);
        boolean whole = false;
        try {
            OutputStream out = Channels.newOutputStream(draft.channel());
            service.read(job, result, out);
            whole = true;
            return draft;
        } finally {
            if (!whole) {
                draft.close();
            }
        }
    }

    private Path target(ResultView result, long job) throws IOException {
        Path target = folder.resolve(ScriptFiles.resultName(result.file()));
        Path parent = Objects.requireNonNull(target.getParent());
        Files.createDirectories(parent);
        if (!parent.toRealPath().equals(parent)) {
            throw new InvalidInputException(
                    "\"%s\" would lie outside %s: a link leads there"
                            .formatted(result.file(), folder));
        }
        refuseTaken(target, job);
        return target;
    }

    private static void refuseTaken(Path target, long job) {
        if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new InvalidInputException(
                    "%s is there already, and nothing was fetched; take another folder: starling report %d --fetch DIR"
                            .formatted(target, job));
        }
    }

    private static void close(WholeFile draft) {
        try {
            draft.close();
        } catch (IOException left) {
            throw new InvalidInputException(
                    "a draft can't be removed: " + FileTrouble.reason(left), left);
        }
    }

    private static void forget(long job, ResultService service, Terminal terminal) {
        try {
            service.remove(job);
        } catch (ClusterException down) {
            terminal.err()
                    .println(
                            "starling: the cluster keeps the results, too, until it forgets job "
                                    + job
                                    + ": "
                                    + down.getMessage());
        }
    }
}
