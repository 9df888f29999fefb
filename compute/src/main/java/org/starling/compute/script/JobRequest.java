package org.starling.compute.script;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.starling.compute.GroupName;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.inputs.OtherInputs;
import org.starling.compute.inputs.WebHosts;
import org.starling.graph.InvalidInputException;

/**
 * A script to run on a cluster, as whoever submits it asks for it. Which folders its files may lie
 * under is not its to say: the cluster's configuration does, see {@link QueuedJob}.
 *
 * @param label what messages call it: the script's file name
 * @param script its text
 * @param parameters texts by name, instead of the script's defaults
 * @param explain whether the report tells what every program's run took, whatever the script says
 * @param folder that relative names of files start from; absolute
 * @param includes texts of the scripts that it includes, by file name relative to the folder
 * @param jars digests of the jars whose tasks and programs it may name
 * @param group whose peers it is to run on
 * @param priority beside other jobs
 * @param fetch whether what it writes goes to whoever submits it, and not into folders there
 * @param sent files that were sent along: by their absolute paths where the script was submitted,
 *     what the cluster calls them
 */
public record JobRequest(
        String label,
        String script,
        Map<String, String> parameters,
        boolean explain,
        Path folder,
        Map<String, String> includes,
        List<String> jars,
        GroupName group,
        JobPriority priority,
        boolean fetch,
        Map<String, String> sent) {
    /** Most bytes of a request as JSON. */
    public static final int MAX_BYTES = 1 << 20;

    private static final List<String> MEMBERS =
            Arrays.stream(JobRequest.class.getRecordComponents())
                    .map(RecordComponent::getName)
                    .toList();

    /** Records with names of groups. */
    static final RecordJson JSON =
            RecordJson.PLAIN.with(
                    GroupName.class, GroupName::text, tree -> new GroupName(String.valueOf(tree)));

    /** Copies what is given; the folder without steps up. */
    public JobRequest {
        jars = List.copyOf(jars);
        parameters = Map.copyOf(parameters);
        includes = Map.copyOf(includes);
        sent = Map.copyOf(sent);
        folder = folder.normalize();
        if (!folder.isAbsolute()) {
            throw new InvalidInputException("folder: expected an absolute path, found " + folder);
        }
    }

    /** A request without included scripts and jars, to the usual group, of usual priority. */
    public JobRequest(
            String label,
            String script,
            Map<String, String> parameters,
            boolean explain,
            Path folder) {
        this(
                label,
                script,
                parameters,
                explain,
                folder,
                Map.of(),
                List.of(),
                GroupName.DEFAULT,
                JobPriority.NORMAL,
                false,
                Map.of());
    }

    /**
     * A script's file with its parameters. Relative names in it start from the file's folder.
     *
     * @throws InvalidInputException if the file can't be read
     */
    public static JobRequest read(Path file, Map<String, String> parameters) {
        String text = Script.text(file);
        Path folder =
                Objects.requireNonNull(
                        file.toAbsolutePath().normalize().getParent(), "a file has one");
        return new JobRequest(String.valueOf(file.getFileName()), text, parameters, false, folder);
    }

    /** The same request, with what its programs' runs took in the report. */
    public JobRequest withExplanation() {
        return changed(draft -> draft.explain = true);
    }

    /** The same request to another group, with another priority. */
    public JobRequest to(GroupName other, JobPriority urgency) {
        return changed(draft -> {
            draft.group = other;
            draft.priority = urgency;
        });
    }

    /**
     * The same request with the texts of all scripts that it includes, read from files, so that a
     * cluster need not. Checks the script on the way; which folders its other files may lie in is
     * the cluster's to say.
     *
     * @throws InvalidScriptException if anything is wrong with it
     * @throws InvalidInputException if its folder does not exist
     */
    public JobRequest withIncludes(TaskCatalog tasks) {
        ScriptFiles files =
                files(List.of(folder.getRoot()), ScriptFiles.NOWHERE)
                        .with(OtherInputs.ofCluster(WebHosts.ANY, BroughtFiles.HERE));
        Includes read = Includes.ofFiles();
        checked(tasks, files, read, ExistingGraphs.UNKNOWN);
        return changed(draft -> draft.includes = read.relativeTo(files.folder()));
    }

    /** The same request with another text. */
    public JobRequest withScript(String text) {
        return changed(draft -> draft.script = text);
    }

    /** The same request, whose results go to whoever submits it. */
    public JobRequest withFetch() {
        return changed(draft -> draft.fetch = true);
    }

    /**
     * The same request with files that were sent along.
     *
     * @param files by their absolute paths here, what the cluster calls them
     */
    public JobRequest withSent(Map<String, String> files) {
        return changed(draft -> draft.sent = files);
    }

    /** The same request with the jars of these digests. */
    public JobRequest withJars(List<String> digests) {
        return changed(draft -> draft.jars = digests);
    }

    private JobRequest changed(Consumer<Draft> change) {
        Draft draft = new Draft();
        change.accept(draft);
        return draft.request();
    }

    /**
     * Reads and checks the script.
     *
     * @param roots folders that its files must lie under
     * @param hosts web servers that it may read from
     * @param brought files that were sent along, perhaps to other hosts
     * @param existing graphs that are there before its first task
     * @param results where its results go if they are to be fetched
     * @throws InvalidScriptException if anything is wrong with it
     * @throws InvalidInputException if a folder does not exist, or its own lies elsewhere
     */
    Script parse(
            TaskCatalog tasks,
            List<Path> roots,
            WebHosts hosts,
            BroughtFiles brought,
            ExistingGraphs existing,
            Path results) {
        ScriptFiles files = files(roots, results).with(OtherInputs.ofCluster(hosts, brought));
        return checked(tasks, files, Includes.travelling(files.folder(), includes), existing);
    }

    /** The same for a script that is only looked at, and reads from no web server. */
    public Script parse(TaskCatalog tasks, List<Path> roots, ExistingGraphs existing) {
        return parse(tasks, roots, WebHosts.NONE, BroughtFiles.HERE, existing, ScriptFiles.NOWHERE);
    }

    private ScriptFiles files(List<Path> roots, Path results) {
        if (!sent.isEmpty()) {
            return ScriptFiles.sent(folder, roots, fetch ? results : null, sent);
        }
        return fetch
                ? ScriptFiles.fetched(folder, roots, results)
                : ScriptFiles.ofCluster(folder, roots);
    }

    private Script checked(
            TaskCatalog tasks, ScriptFiles files, Includes texts, ExistingGraphs existing) {
        Script parsed = Script.parse(label, script, files, parameters, tasks, texts, existing);
        return explain ? parsed.withExplanation() : parsed;
    }

    /** As JSON. */
    public String json() {
        return JsonText.write(JSON.tree(this));
    }

    /**
     * Reads what {@link #json} wrote, or somebody else.
     *
     * @throws InvalidInputException with one sentence if it is no request
     */
    public static JobRequest parse(String json) {
        try {
            if (JsonText.parse(json) instanceof Map<?, ?> members) {
                return of(members);
            }
        } catch (InvalidJsonException wrong) {
            throw new InvalidInputException(
                    "the request is not JSON: " + wrong.getMessage(), wrong);
        }
        throw new InvalidInputException(
                "a request is a JSON object with \"script\" and \"folder\"");
    }

    private static JobRequest of(Map<?, ?> members) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("label", "script");
        all.put("explain", false);
        all.put("group", GroupName.DEFAULT.text());
        all.put("priority", "normal");
        all.put("fetch", false);
        members.forEach((name, value) -> all.put(name.toString(), value));
        for (String name : all.keySet()) {
            if (!MEMBERS.contains(name)) {
                throw new InvalidInputException(
                        name + ": unknown name; a request has " + String.join(", ", MEMBERS));
            }
        }
        try {
            return JSON.of(JobRequest.class, all);
        } catch (IllegalArgumentException wrong) {
            throw new InvalidInputException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    /** A request that is being changed; confined to {@link #changed}. */
    private final class Draft {
        private String script = JobRequest.this.script;
        private boolean explain = JobRequest.this.explain;
        private Map<String, String> includes = JobRequest.this.includes;
        private List<String> jars = JobRequest.this.jars;
        private GroupName group = JobRequest.this.group;
        private JobPriority priority = JobRequest.this.priority;
        private boolean fetch = JobRequest.this.fetch;
        private Map<String, String> sent = JobRequest.this.sent;

        JobRequest request() {
            return new JobRequest(
                    label,
                    script,
                    parameters,
                    explain,
                    folder,
                    includes,
                    jars,
                    group,
                    priority,
                    fetch,
                    sent);
        }
    }
}
