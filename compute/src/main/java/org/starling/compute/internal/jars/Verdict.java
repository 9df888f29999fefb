package org.starling.compute.internal.jars;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.starling.compute.inputs.BroughtFiles;
import org.starling.compute.script.ExistingGraphs;
import org.starling.compute.script.InvalidScriptException;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.QueuedJob;
import org.starling.compute.script.RecordJson;
import org.starling.compute.script.ScriptError;
import org.starling.compute.script.TaskCatalog;
import org.starling.graph.InvalidInputException;

/**
 * What a peer says of a job that brings jars.
 *
 * @param name of its script
 * @param error why it can't run; null if it can
 * @param errors of its script, if they are why
 */
public record Verdict(String name, @Nullable String error, List<ScriptError> errors) {
    /** Copies the list. */
    public Verdict {
        errors = List.copyOf(errors);
    }

    /** A job that can't run. */
    public static Verdict refused(String error) {
        return new Verdict("", error, List.of());
    }

    /** Loads a job's jars and checks its script: runs code of users on this thread. */
    public static Verdict of(
            QueuedJob job,
            JarLoaders loaders,
            TaskCatalog builtIn,
            BroughtFiles brought,
            ExistingGraphs existing) {
        try (JarLoaders.Lease lease = loaders.acquire(job.request().jars())) {
            return new Verdict(
                    job.script(lease.code().tasks(builtIn), brought, existing).name(),
                    null,
                    List.of());
        } catch (InvalidScriptException wrong) {
            return new Verdict(wrong.script(), String.valueOf(wrong.getMessage()), wrong.errors());
        } catch (InvalidInputException wrong) {
            return refused(String.valueOf(wrong.getMessage()));
        }
    }

    /**
     * The script's name.
     *
     * @throws InvalidScriptException if it can't run because of its script
     * @throws InvalidInputException if it can't run
     */
    public String nameOfGood() {
        if (!errors.isEmpty()) {
            throw new InvalidScriptException(name, errors);
        }
        if (error != null) {
            throw new InvalidInputException(error);
        }
        return name;
    }

    /** As JSON. */
    public String json() {
        return JsonText.write(RecordJson.PLAIN.tree(this));
    }

    /** Reads what {@link #json} wrote. */
    public static Verdict parse(String json) {
        return RecordJson.PLAIN.of(Verdict.class, JsonText.parse(json));
    }
}
