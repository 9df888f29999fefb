package org.starling.loaders;

import java.math.BigInteger;

/**
 * Sums and hashes of a list of numbered edges, by which two lists are compared without keeping
 * them. Confined to one thread.
 */
public final class EdgeHash {

    private static final long INDEX_FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final long SOURCE_FACTOR = 0xD1B5_4A32_D192_ED03L;
    private static final long TARGET_FACTOR = 0x8CB9_2BA7_2F3D_8DD7L;

    // Sums of ids below 2⁴² stay below 2⁶³ for this many edges; then they are carried over.
    private static final long CARRY_EDGES = 1 << 20;

    private long edges;
    private long selfLoops;
    private long pendingSource;
    private long pendingTarget;
    private BigInteger sumSource = BigInteger.ZERO;
    private BigInteger sumTarget = BigInteger.ZERO;
    private long edgeHash;
    private long weightHash;
    private long weightBitsSum;

    /**
     * Adds an edge.
     *
     * @param index its number, from 0
     * @param source 0 ≤ id &lt; 2⁴²
     * @param target 0 ≤ id &lt; 2⁴²
     * @param weight its weight
     */
    public void add(long index, long source, long target, float weight) {
        long numbered = (index + 1) * INDEX_FACTOR;
        long bits = Float.floatToRawIntBits(weight) & 0xFFFF_FFFFL;
        edgeHash ^= Mix64.mix(numbered ^ source * SOURCE_FACTOR ^ target * TARGET_FACTOR);
        weightHash ^= Mix64.mix(numbered ^ bits * SOURCE_FACTOR);
        weightBitsSum += bits;
        pendingSource += source;
        pendingTarget += target;
        selfLoops += source == target ? 1 : 0;
        if (++edges % CARRY_EDGES == 0) {
            carry();
        }
    }

    /** Adds the edges of another list, which have numbers of their own. */
    void merge(EdgeHash other) {
        edges += other.edges;
        selfLoops += other.selfLoops;
        sumSource = sumSource().add(other.sumSource());
        sumTarget = sumTarget().add(other.sumTarget());
        edgeHash ^= other.edgeHash;
        weightHash ^= other.weightHash;
        weightBitsSum += other.weightBitsSum;
    }

    /** Number of edges. */
    public long edges() {
        return edges;
    }

    /** Number of edges whose ends are the same. */
    public long selfLoops() {
        return selfLoops;
    }

    /** Sum of all sources. */
    public BigInteger sumSource() {
        carry();
        return sumSource;
    }

    /** Sum of all targets. */
    public BigInteger sumTarget() {
        carry();
        return sumTarget;
    }

    /** Exclusive or of the hashes of all edges (number, source, target). */
    public long edgeHash() {
        return edgeHash;
    }

    /** Exclusive or of the hashes of all weights (number, bits of the binary32). */
    public long weightHash() {
        return weightHash;
    }

    /** Sum of the bits of all weights, unsigned and wrapping. */
    public long weightBitsSum() {
        return weightBitsSum;
    }

    private void carry() {
        sumSource = sumSource.add(BigInteger.valueOf(pendingSource));
        sumTarget = sumTarget.add(BigInteger.valueOf(pendingTarget));
        pendingSource = 0;
        pendingTarget = 0;
    }
}
