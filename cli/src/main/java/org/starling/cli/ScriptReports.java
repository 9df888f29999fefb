package org.starling.cli;

import java.util.Map;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.script.InvalidJsonException;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.ScriptReport;

/** Reports as clusters keep them. */
final class ScriptReports {
    private ScriptReports() {}

    /**
     * Reads one.
     *
     * @throws ClusterException if it is none
     */
    static ScriptReport parse(String json) {
        try {
            if (JsonText.parse(json) instanceof Map<?, ?> tree) {
                return ScriptReport.of(tree);
            }
        } catch (InvalidJsonException | IllegalArgumentException wrong) {
            throw new ClusterException(
                    "the cluster's report can't be read: " + wrong.getMessage(), wrong);
        }
        throw new ClusterException("the cluster's report can't be read");
    }
}
