package org.starling.compute.internal.structure;

/**
 * Chunks with consecutive ids that were made with one token.
 *
 * @param first the first
 * @param count how many
 * @param token which they bear once they are written
 * @param claimed whether somebody has begun to remove them
 */
record Span(long first, int count, long token, boolean claimed) {
    Span(long first, int count, long token) {
        this(first, count, token, false);
    }

    Span withClaim() {
        return new Span(first, count, token, true);
    }
}
