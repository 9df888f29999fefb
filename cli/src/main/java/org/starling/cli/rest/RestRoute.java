package org.starling.cli.rest;

import io.javalin.http.HandlerType;
import io.javalin.security.RouteRole;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessRole;
import org.starling.compute.cluster.ClusterClient;

/**
 * All routes, with the role that each needs: nothing is served that is not in this table. What
 * changes something says what that is, for the audit log.
 */
enum RestRoute implements RouteRole {
    PAGE(HandlerType.GET, "/"),
    PAGE_FILE(HandlerType.GET, PageRoutes.FOLDER + "{file}"),
    LIVE(HandlerType.GET, "/health/live"),
    READY(HandlerType.GET, "/health/ready"),
    DESCRIBE(HandlerType.GET, ClusterClient.PATH + "/openapi.json"),

    /** Of this node alone; the others have their own. */
    METRICS(HandlerType.GET, AccessRole.READ, MetricsRoute.PATH),

    STATUS(HandlerType.GET, "/status", AccessRole.READ),
    NETWORKS(HandlerType.GET, "/networks", AccessRole.READ),
    RECOVERIES(HandlerType.GET, "/recoveries", AccessRole.READ),
    JOBS(HandlerType.GET, "/jobs", AccessRole.READ),
    JOB(HandlerType.GET, "/jobs/{id}", AccessRole.READ),
    REPORT(HandlerType.GET, "/jobs/{id}/report", AccessRole.READ),
    RESULTS(HandlerType.GET, "/jobs/{id}/results", AccessRole.READ),
    RESULT(HandlerType.GET, "/jobs/{id}/results/file", AccessRole.READ),
    GRAPHS(HandlerType.GET, "/graphs", AccessRole.READ),
    GRAPH(HandlerType.GET, "/graphs/{name}", AccessRole.READ),
    COLUMNS(HandlerType.GET, "/graphs/{name}/columns", AccessRole.READ),
    COLUMN(HandlerType.GET, "/graphs/{name}/columns/{column}", AccessRole.READ),
    HISTOGRAM(HandlerType.GET, "/graphs/{name}/columns/{column}/histogram", AccessRole.READ),
    NEIGHBOURS(HandlerType.GET, "/graphs/{name}/vertices/{id}/neighbours", AccessRole.READ),
    VALUE(HandlerType.GET, "/graphs/{name}/vertices/{id}/value", AccessRole.READ),
    PATH(HandlerType.GET, "/graphs/{name}/path", AccessRole.READ),
    JARS(HandlerType.GET, "/jars", AccessRole.READ),

    SESSION(HandlerType.GET, "/session", AccessRole.READ),
    BEGIN_SESSION(HandlerType.POST, "/session", AccessRole.READ),
    END_SESSION(HandlerType.DELETE, "/session", AccessRole.READ),
    EVENTS(HandlerType.GET, "/events", AccessRole.READ),
    COURSE(HandlerType.GET, "/jobs/{id}/course", AccessRole.READ),
    SCHEMA(HandlerType.GET, "/schema", AccessRole.READ),
    CHECK_JOB(HandlerType.POST, "/jobs/check", AccessRole.SUBMIT),

    SUBMIT(HandlerType.POST, "/jobs", AccessRole.SUBMIT, "submit job"),
    CANCEL(HandlerType.DELETE, "/jobs/{id}", AccessRole.SUBMIT, "cancel job"),
    REMOVE_RESULTS(
            HandlerType.DELETE, "/jobs/{id}/results", AccessRole.SUBMIT, "remove results of job"),
    FORGET_GRAPHS(HandlerType.DELETE, "/graphs", AccessRole.OPERATE, "forget graphs"),
    DROP_GRAPH(HandlerType.DELETE, "/graphs/{name}", AccessRole.SUBMIT, "drop graph"),
    RENAME_GRAPH(HandlerType.POST, "/graphs/{name}/rename", AccessRole.SUBMIT, "rename graph"),
    COPY_GRAPH(HandlerType.POST, "/graphs/{name}/copy", AccessRole.SUBMIT, "copy graph"),
    MISSING_JARS(HandlerType.POST, "/jars/missing", AccessRole.SUBMIT),

    UPLOADS(HandlerType.GET, "/uploads", AccessRole.SUBMIT),
    UPLOAD(HandlerType.GET, "/uploads/{upload}", AccessRole.SUBMIT),
    BEGIN_UPLOAD(HandlerType.POST, "/uploads", AccessRole.SUBMIT, "begin upload"),

    /** That it was begun is in the audit log; each piece would only fill it. */
    BRING_PIECE(HandlerType.PUT, "/uploads/{upload}", AccessRole.SUBMIT),
    REMOVE_UPLOAD(HandlerType.DELETE, "/uploads/{upload}", AccessRole.SUBMIT, "remove upload"),

    REMOVE_JAR(HandlerType.DELETE, "/jars/{digest}", AccessRole.OPERATE, "remove jar"),

    DRAIN(HandlerType.POST, "/nodes/{node}/drain", AccessRole.OPERATE, "drain node"),
    REMOVE_NODE(HandlerType.DELETE, "/nodes/{node}", AccessRole.OPERATE, "remove node"),

    /** Lines name files and who sent what. */
    NODE_LOG(HandlerType.GET, "/nodes/{node}/log", AccessRole.OPERATE),

    REBALANCE(HandlerType.POST, "/rebalance", AccessRole.OPERATE, "rebalance"),

    /** A jar has the rights of the nodes, so whoever may bring one may do all. */
    BRING_JAR(HandlerType.PUT, "/jars/{digest}", AccessRole.ADMIN, "bring jar"),
    TOKENS(HandlerType.GET, "/tokens", AccessRole.ADMIN),
    CREATE_TOKEN(HandlerType.POST, "/tokens", AccessRole.ADMIN, "create token"),
    REVOKE_TOKEN(HandlerType.DELETE, "/tokens/{name}", AccessRole.ADMIN, "revoke token");

    @SuppressWarnings("ImmutableEnumChecker") // Javalin does not say that its constants are
    private final HandlerType method;

    private final String path;
    private final @Nullable AccessRole role;
    private final @Nullable String deed;

    /** For all. */
    RestRoute(HandlerType method, String path) {
        this(method, null, path);
    }

    /** Beside the interface. */
    RestRoute(HandlerType method, @Nullable AccessRole role, String path) {
        this.method = method;
        this.path = path;
        this.role = role;
        this.deed = null;
    }

    RestRoute(HandlerType method, String path, AccessRole role) {
        this(method, path, role, null);
    }

    RestRoute(HandlerType method, String path, AccessRole role, @Nullable String deed) {
        this.method = method;
        this.path = ClusterClient.PATH + path;
        this.role = role;
        this.deed = deed;
    }

    HandlerType method() {
        return method;
    }

    String path() {
        return path;
    }

    /** That whoever asks must have; null if all may. */
    @Nullable AccessRole role() {
        return role;
    }

    /** What it changes, in words; null for nothing. */
    @Nullable String deed() {
        return deed;
    }
}
