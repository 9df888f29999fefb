package org.starling.loaders;

/**
 * Edge source {@code webgraph}: graphs compressed as WebGraph does it (BV), {@code NAME.graph} with
 * {@code NAME.properties} beside it, which has the counts and names the codes. Ids are dense, from
 * 0; edges are directed and have no weights.
 *
 * <p>Parameters: {@code file} (absolute path of the {@code .graph}). A list may refer to the ones
 * before it, so such a file is one part, read from its first bit to its last; {@code NAME.offsets}
 * is not needed. Source of the format: Boldi, Vigna: The WebGraph Framework I: Compression
 * Techniques (WWW 2004), section 3; of the ζ codes: Boldi, Vigna: Codes for the World Wide Web
 * (Internet Mathematics 2, 2005).
 */
public final class WebGraphProvider extends FormatProvider {
    public WebGraphProvider() {
        super(FileFormat.WEBGRAPH);
    }
}
