package org.starling.loaders;

import org.starling.graph.EdgeSource;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.InvalidInputException;
import org.starling.graph.Parameters;

/** DOT is written for programs that draw; it is not read. Stateless. */
final class DotProvider implements EdgeSourceProvider {
    @Override
    public String name() {
        return FileFormat.DOT.title();
    }

    @Override
    public EdgeSource create(Parameters parameters) {
        throw new InvalidInputException(
                "%s: DOT is written but not read; load the file that it was made of, or say \"format\""
                        .formatted(parameters.text("file")));
    }
}
