package org.starling.loaders;

/**
 * Edge source {@code arrow}: the same as {@link ParquetProvider}, with the same parameters, of
 * files and streams of Apache Arrow. Record batches are read in parallel.
 */
public final class ArrowProvider extends FormatProvider {
    public ArrowProvider() {
        super(FileFormat.ARROW);
    }
}
