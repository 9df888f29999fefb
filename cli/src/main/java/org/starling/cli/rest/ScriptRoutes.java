package org.starling.cli.rest;

import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import org.starling.compute.cluster.ClusterService;
import org.starling.compute.cluster.JobView;
import org.starling.compute.script.JobRequest;
import org.starling.compute.script.RecordJson;
import org.starling.compute.script.ScriptSchema;
import org.starling.compute.script.TaskCatalog;

/**
 * What people ask while they write a script, and while it runs. Stateless but for the service; any
 * of the server's threads.
 */
final class ScriptRoutes {
    private final ClusterService service;
    private final TaskCatalog tasks = TaskCatalog.onClassPath();

    ScriptRoutes(ClusterService service) {
        this.service = service;
    }

    void addTo(RouteBook book) {
        book.add(
                RestRoute.SCHEMA,
                context -> RestRoutes.answer(context, ScriptSchema.of(tasks.signatures())));
        book.add(RestRoute.CHECK_JOB, this::check);
        book.add(RestRoute.COURSE, this::course);
    }

    private void check(Context context) throws IOException {
        JobRequest request = JobRequest.parse(RestRoutes.json(context, "a job is checked"));
        RestRoutes.answer(context, service.check(request).tree());
    }

    private void course(Context context) {
        long id = RestRoutes.id(context);
        JobView job = RestRoutes.job(service, id);
        service.course(job.id())
                .ifPresentOrElse(
                        course -> RestRoutes.answer(context, RecordJson.PLAIN.tree(course)),
                        () ->
                                RestRoutes.fail(
                                        context,
                                        HttpStatus.CONFLICT,
                                        "job %d does not run now, or its master does not answer"
                                                .formatted(id)));
    }
}
