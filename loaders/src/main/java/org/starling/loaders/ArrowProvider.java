package org.starling.loaders;

import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;
import org.starling.loaders.table.TableFormat;

/**
 * Edge source {@code arrow}: the same as {@link ParquetProvider}, with the same parameters, of
 * files and streams of Apache Arrow. Record batches are read in parallel.
 */
public final class ArrowProvider implements EdgeSourceProvider {
    @Override
    public String name() {
        return FileFormat.ARROW.title();
    }

    @Override
    public EdgeSource create(Parameters parameters) {
        return new ColumnSource(parameters, TableFormat.ARROW);
    }
}
