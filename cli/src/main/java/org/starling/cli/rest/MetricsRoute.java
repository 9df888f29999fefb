package org.starling.cli.rest;

import io.javalin.http.Context;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.starling.compute.cluster.Metric;
import org.starling.compute.cluster.NodeMonitor;

/**
 * What a node and its JVM have done, in the formats of Prometheus: the one that whoever asks
 * prefers. Any of the server's threads.
 */
final class MetricsRoute {
    static final String PATH = "/metrics";

    /** What the library puts behind the names of counters itself. */
    private static final String TOTAL = "_total";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final ExpositionFormats formats = ExpositionFormats.init();

    MetricsRoute(NodeMonitor monitor) {
        JvmMetrics.builder().register(registry);
        registry.register((MultiCollector) () -> snapshots(monitor));
    }

    void answer(Context context) throws IOException {
        ExpositionFormatWriter writer = formats.findWriter(context.header("Accept"));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        writer.write(text, registry.scrape());
        context.contentType(writer.getContentType()).result(text.toByteArray());
    }

    private static MetricSnapshots snapshots(NodeMonitor monitor) {
        return new MetricSnapshots(monitor.metrics().stream().map(MetricsRoute::snapshot).toList());
    }

    private static MetricSnapshot snapshot(Metric metric) {
        return switch (metric.kind()) {
            case COUNTER -> {
                CounterSnapshot.Builder counter =
                        CounterSnapshot.builder()
                                .name(
                                        metric.name()
                                                .substring(
                                                        0, metric.name().length() - TOTAL.length()))
                                .help(metric.help());
                metric.samples()
                        .forEach(sample ->
                                counter.dataPoint(
                                        CounterDataPointSnapshot.builder()
                                                .value(sample.value())
                                                .labels(labels(sample.labels()))
                                                .build()));
                yield counter.build();
            }
            case GAUGE -> {
                GaugeSnapshot.Builder gauge =
                        GaugeSnapshot.builder().name(metric.name()).help(metric.help());
                metric.samples()
                        .forEach(sample ->
                                gauge.dataPoint(
                                        GaugeDataPointSnapshot.builder()
                                                .value(sample.value())
                                                .labels(labels(sample.labels()))
                                                .build()));
                yield gauge.build();
            }
        };
    }

    private static Labels labels(Map<String, String> labels) {
        Labels all = Labels.EMPTY;
        for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
            all = all.add(label.getKey(), label.getValue());
        }
        return all;
    }
}
