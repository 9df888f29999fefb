package org.starling.loaders;

import java.io.IOException;
import org.starling.graph.EdgeSink;
import org.starling.graph.EdgeSource;
import org.starling.graph.Parameters;
import org.starling.graph.PartSummary;
import org.starling.graph.SourceDescription;

/** Reads graphs compressed as WebGraph does it; see {@link WebGraphProvider}. */
final class WebGraphSource implements EdgeSource, Oriented {
    private final Kept<WebGraphHeader> header;

    WebGraphSource(Parameters parameters) {
        this.header = new Kept<>(() -> WebGraphHeader.read(TextFile.openPlain(parameters).path()));
    }

    @Override
    public boolean directed() {
        return true;
    }

    @Override
    public SourceDescription describe() throws IOException {
        WebGraphHeader says = header.get();
        return new SourceDescription(1, true, 0, says.nodes(), says.arcs(), false);
    }

    @Override
    public PartSummary read(int part, EdgeSink sink) throws IOException {
        WebGraphHeader says = header.get();
        try (WebGraphReader reader = WebGraphReader.open(says)) {
            reader.into(sink);
        }
        return new PartSummary(says.nodes(), 0, says.arcs(), 0);
    }
}
