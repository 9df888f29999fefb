package org.starling.loaders;

import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.Parameters;

/** The edge source of a format of files; the class of each says what its files hold. Stateless. */
abstract class FormatProvider implements EdgeSourceProvider {
    private final FileFormat format;

    FormatProvider(FileFormat format) {
        this.format = format;
    }

    @Override
    public final String name() {
        return format.title();
    }

    @Override
    public final EdgeSource create(Parameters parameters) {
        return format.source(parameters);
    }
}
