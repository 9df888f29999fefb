package org.starling.tasks;

import org.starling.graph.TaskResult;
import org.starling.graph.TaskSignature;

/** What every task that finds components takes and answers. */
final class CountedComponents {
    private CountedComponents() {}

    static TaskSignature signature(String name, String summary) {
        return TaskSignature.of(name, summary)
                .with(CommonArguments.graph())
                .with(CommonArguments.verify())
                .returns("components", "integer", "number of components")
                .returns("largest", "integer", "vertices of the largest one");
    }

    static TaskResult result(long components, long largest) {
        return new TaskResult().put("components", components).put("largest", largest);
    }
}
