package org.starling.benchmarks.graph500;

import java.util.function.DoubleFunction;

/**
 * The output block of the Graph500 reference 3.0.0, with the lines of its build for shortest paths
 * if these were run: one figure a line, the value in column 33.
 */
final class Graph500Block {

    private static final String BFS = "bfs  ";
    private static final String SSSP = "sssp ";
    private static final int VALUE_COLUMN = 32;
    private static final int EDGE_DIGITS = 11;

    /** Marks the figure that counts; stands three columns before its value. */
    private static final String MARK = "!  ";

    private final StringBuilder lines = new StringBuilder();

    private Graph500Block() {}

    /** The block of a run, with a newline after each line. */
    static String of(Graph500Run run) {
        Graph500Block block = new Graph500Block();
        block.line("SCALE", Integer.toString(run.scale()));
        block.line("edgefactor", Long.toString(run.edgeFactor()));
        Searches sssp = run.sssp();
        block.line("NBFS", Integer.toString(run.bfs().all().size()));
        block.line("graph_generation", GeneralFormat.format(run.generationSeconds()));
        block.line("num_mpi_processes", Integer.toString(run.peers()));
        block.line("construction_time", GeneralFormat.format(run.constructionSeconds()));
        block.figures(BFS, "time", run.bfs().times(), GeneralFormat::format);
        if (sssp != null) {
            block.figures(SSSP, "time", sssp.times(), GeneralFormat::format);
        }
        Statistics edges = (sssp == null ? run.bfs() : sssp).edges();
        block.figures("", "nedge", edges, x -> GeneralFormat.format(x, EDGE_DIGITS));
        block.rates(BFS, run.bfs().teps());
        if (sssp != null) {
            block.rates(SSSP, sssp.teps());
        }
        block.figures(BFS, "validate", run.bfs().validationTimes(), GeneralFormat::format);
        if (sssp != null) {
            block.figures(SSSP, "validate", sssp.validationTimes(), GeneralFormat::format);
        }
        return block.lines.toString();
    }

    private void figures(
            String prefix, String name, Statistics figures, DoubleFunction<String> format) {
        order(prefix, name, figures, format);
        line(prefix + "mean_" + name, format.apply(figures.mean()));
        line(prefix + "stddev_" + name, format.apply(figures.stddev()));
    }

    private void rates(String prefix, Statistics figures) {
        order(prefix, "TEPS", figures, GeneralFormat::format);
        String marked = padded(prefix + "harmonic_mean_TEPS", VALUE_COLUMN - MARK.length()) + MARK;
        lines.append(marked).append(GeneralFormat.format(figures.mean())).append('\n');
        line(prefix + "harmonic_stddev_TEPS", GeneralFormat.format(figures.stddev()));
    }

    private void order(
            String prefix, String name, Statistics figures, DoubleFunction<String> format) {
        line(prefix + "min_" + name, format.apply(figures.min()));
        line(prefix + "firstquartile_" + name, format.apply(figures.firstQuartile()));
        line(prefix + "median_" + name, format.apply(figures.median()));
        line(prefix + "thirdquartile_" + name, format.apply(figures.thirdQuartile()));
        line(prefix + "max_" + name, format.apply(figures.max()));
    }

    private void line(String key, String value) {
        lines.append(padded(key, VALUE_COLUMN)).append(value).append('\n');
    }

    private static String padded(String key, int columns) {
        return key + ":" + " ".repeat(columns - key.length() - 1);
    }
}
