package org.starling.cli.rest;

import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.HttpStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ApiService;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.columns.ColumnBatch;
import org.starling.compute.columns.ColumnField;
import org.starling.compute.columns.ColumnHistogram;
import org.starling.compute.columns.ColumnSelection;
import org.starling.compute.columns.ColumnTable;
import org.starling.compute.columns.ColumnValues;
import org.starling.graph.InvalidInputException;

/**
 * The paths of columns of kept graphs: in pages as JSON, or whole as CSV or as an Arrow stream,
 * which go out as they come from the store. If that breaks off, so does the connection. Any of the
 * server's threads.
 */
final class ColumnRoutes {
    private static final Logger LOG = LogManager.getLogger(ColumnRoutes.class);
    private static final String JSON = "application/json";

    /** Rows of a page, if the request does not say how many. */
    private static final int LIMIT = 1000;

    /** The most rows of a page. */
    private static final int MAX_LIMIT = 100_000;

    /** The most values of a page, whose elements are objects in memory. */
    private static final int MAX_PAGE_VALUES = 1_000_000;

    /** A page ends behind the batch that brings its texts to so many bytes. */
    private static final long MAX_PAGE_TEXT_BYTES = 16L << 20;

    /** So many read columns at once: each holds two windows of them. */
    static final int MAX_READINGS = 16;

    private final Semaphore readings = new Semaphore(MAX_READINGS);
    private final ApiService service;

    ColumnRoutes(ApiService service) {
        this.service = service;
    }

    void addTo(RouteBook book) {
        book.add(RestRoute.COLUMN, this::column);
        book.add(RestRoute.COLUMNS, this::columns);
        book.add(RestRoute.HISTOGRAM, this::histogram);
    }

    private void column(Context context) throws IOException {
        String where = context.queryParam("where");
        ColumnSelection.Order order = order(context.queryParam("sort"));
        answer(
                context,
                () -> {
                    ColumnTable table = open(context);
                    return where == null && order == null
                            ? table
                            : ColumnSelection.of(table, where, order);
                });
    }

    private static ColumnSelection.@Nullable Order order(@Nullable String sort) {
        return switch (sort) {
            case null -> null;
            case "asc" -> ColumnSelection.Order.ASC;
            case "desc" -> ColumnSelection.Order.DESC;
            default ->
                    throw new InvalidInputException(
                            "sort: expected asc or desc, found \"%s\"".formatted(sort));
        };
    }

    private void histogram(Context context) throws IOException {
        int bins =
                (int)
                        QueryRoutes.number(
                                context,
                                "bins",
                                ColumnHistogram.USUAL_BINS,
                                1,
                                ColumnHistogram.MAX_BINS);
        String scale = context.queryParam("scale");
        ColumnHistogram.Scale by =
                switch (scale) {
                    case "linear" -> ColumnHistogram.Scale.LINEAR;
                    case "log" -> ColumnHistogram.Scale.LOG;
                    case null -> ColumnHistogram.Scale.LINEAR;
                    default ->
                            throw new InvalidInputException(
                                    "scale: expected linear or log, found \"%s\"".formatted(scale));
                };
        limited(
                context,
                () -> {
                    ColumnTable table = RestRoutes.found(() -> open(context));
                    RestRoutes.answer(context, ColumnHistogram.of(table, bins, by));
                });
    }

    private ColumnTable open(Context context) {
        List<String> column = List.of(context.pathParam("column"));
        return service.columns().open(context.pathParam("name"), column);
    }

    private void columns(Context context) throws IOException {
        String graph = context.pathParam("name");
        String columns = context.queryParam("columns");
        answer(
                context,
                () ->
                        columns == null
                                ? service.columns().openAll(graph)
                                : service.columns().open(graph, names(columns)));
    }

    private static List<String> names(String columns) {
        return columns.isEmpty() ? List.of() : List.of(columns.split(",", -1));
    }

    /** A page has all the texts that it takes. */
    private static final class FullException extends IOException {
        private static final long serialVersionUID = 1L;
    }

    /** What is done while it counts as one that reads. */
    private interface Reading {
        void run() throws IOException;
    }

    private void answer(Context context, Supplier<ColumnTable> opening) throws IOException {
        limited(context, () -> read(context, opening));
    }

    private void limited(Context context, Reading reading) throws IOException {
        if (!readings.tryAcquire()) {
            RestRoutes.fail(
                    context,
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "%d columns are being read from this superpeer already; ask again soon"
                            .formatted(MAX_READINGS));
            return;
        }
        try {
            reading.run();
        } finally {
            readings.release();
        }
    }

    private static void read(Context context, Supplier<ColumnTable> opening) throws IOException {
        String type = type(context.header("Accept"));
        boolean isPage = type.equals(JSON);
        long offset = QueryRoutes.number(context, "offset", 0, 0, Long.MAX_VALUE);
        long limit =
                QueryRoutes.number(
                        context,
                        "limit",
                        isPage ? LIMIT : Long.MAX_VALUE,
                        0,
                        isPage ? MAX_LIMIT : Long.MAX_VALUE);
        ColumnTable table = RestRoutes.found(opening);
        if (isPage) {
            boolean isSaid = context.queryParam("limit") != null;
            long rows = pageRows(table, offset, limit, isSaid);
            RestRoutes.answer(context, page(table, offset, rows));
        } else {
            stream(context, type, table, offset, limit);
        }
    }

    /** The first type of those that the request takes that there is. */
    private static String type(@Nullable String accepted) {
        if (accepted == null || accepted.isBlank()) {
            return JSON;
        }
        for (String range : accepted.split(",", -1)) {
            String type = range.split(";", -1)[0].strip().toLowerCase(Locale.ROOT);
            switch (type) {
                case ArrowStream.MEDIA_TYPE, CsvStream.MEDIA_TYPE, JSON -> {
                    return type;
                }
                case "*/*", "application/*" -> {
                    return JSON;
                }
                case "text/*" -> {
                    return CsvStream.MEDIA_TYPE;
                }
                default -> {
                    continue;
                }
            }
        }
        throw new HttpResponseException(
                HttpStatus.NOT_ACCEPTABLE,
                "columns come as %s, %s or %s; the request takes none of them"
                        .formatted(JSON, CsvStream.MEDIA_TYPE, ArrowStream.MEDIA_TYPE),
                Map.of());
    }

    /** How many rows a page has; throws if so many were asked for that they are too many values. */
    private static long pageRows(ColumnTable table, long offset, long limit, boolean isSaid) {
        long width = 1 + table.fields().stream().mapToLong(ColumnField::length).sum();
        long rows = Math.min(limit, Math.max(0, table.vertices() - offset));
        long most = Math.max(1, MAX_PAGE_VALUES / width);
        if (isSaid && rows > most) {
            throw new InvalidInputException(
                    "limit: %d rows of %d values are more than the %d values of a page; take %d rows, fewer columns, or a stream (%s)"
                            .formatted(rows, width, MAX_PAGE_VALUES, most, ArrowStream.MEDIA_TYPE));
        }
        return Math.min(rows, most);
    }

    private static Map<String, @Nullable Object> page(ColumnTable table, long offset, long limit)
            throws IOException {
        List<ColumnField> fields = table.fields();
        List<@Nullable Object> ids = new ArrayList<>();
        long[] texts = new long[1];
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        List<List<@Nullable Object>> lists = new ArrayList<>();
        for (ColumnField field : fields) {
            List<@Nullable Object> list = new ArrayList<>();
            lists.add(list);
            values.put(field.name(), list);
        }
        try {
            table.read(
                    offset,
                    limit,
                    batch -> {
                        for (int row = 0; row < batch.rows(); row++) {
                            ids.add(ColumnTexts.json(table.id(), batch.ids(), row));
                            for (int i = 0; i < fields.size(); i++) {
                                ColumnValues column = batch.values().get(i);
                                lists.get(i).add(ColumnTexts.json(fields.get(i), column, row));
                            }
                        }
                        texts[0] += textBytes(batch);
                        if (texts[0] >= MAX_PAGE_TEXT_BYTES && ids.size() < limit) {
                            throw new FullException();
                        }
                    });
        } catch (FullException full) {
            LOG.debug("a page ends after {} rows: its texts are long", ids.size());
        }
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("count", table.vertices());
        tree.put("offset", offset);
        tree.put(
                "columns",
                fields.stream()
                        .map(field -> Map.of("name", field.name(), "type", field.type()))
                        .toList());
        tree.put("ids", ids);
        tree.put("values", values);
        return tree;
    }

    private static long textBytes(ColumnBatch batch) {
        return batch.ids().text().remaining()
                + batch.values().stream().mapToLong(one -> one.text().remaining()).sum();
    }

    private static void stream(
            Context context, String type, ColumnTable table, long offset, long limit)
            throws IOException {
        Late late = new Late(context, type, table);
        try {
            table.read(offset, limit, late);
            late.end();
        } catch (RuntimeException failed) {
            if (!late.begun) {
                throw failed;
            }
            if (failed instanceof ClusterException) {
                LOG.info("a column breaks off: {}", failed.getMessage());
            } else {
                LOG.error("a column breaks off", failed);
            }
            breakOff(context);
        }
    }

    /** Says nothing until there is a first batch, so that what fails before has a sentence. */
    private static final class Late implements ColumnTable.Sink {
        private final Context context;
        private final String type;
        private final ColumnOutput output;
        private boolean begun;

        private Late(Context context, String type, ColumnTable table) throws IOException {
            this.context = context;
            this.type = type;
            this.output =
                    type.equals(CsvStream.MEDIA_TYPE)
                            ? new CsvStream(
                                    table.id(), table.fields(), context.res().getOutputStream())
                            : new ArrowStream(
                                    table.id(), table.fields(), context.res().getOutputStream());
        }

        @Override
        public void take(ColumnBatch batch) throws IOException {
            begin();
            output.take(batch);
        }

        private void begin() throws IOException {
            if (!begun) {
                begun = true;
                context.contentType(type);
                if (type.equals(ArrowStream.MEDIA_TYPE)) {
                    context.res().setCharacterEncoding(null); // it is no text
                }
                output.begin();
            }
        }

        private void end() throws IOException {
            begin();
            output.end();
        }
    }

    /** The last thing that whoever reads gets is no end, so it can't be taken for the whole. */
    private static void breakOff(Context context) {
        ServletContextRequest.getServletContextRequest(context.req())
                .getConnectionMetaData()
                .getConnection()
                .getEndPoint()
                .close();
    }
}
