package org.starling.tasks;

import java.io.IOException;
import org.starling.graph.Parameters;
import org.starling.graph.Task;
import org.starling.graph.TaskContext;

/** A task that does nothing but use its session: it is planned by a run that only forecasts. */
interface SessionTask extends Task {
    @Override
    default void plan(TaskContext forecast, Parameters arguments) throws IOException {
        run(forecast, arguments);
    }
}
