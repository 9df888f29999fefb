package org.starling.loaders;

/**
 * The finaliser of splitmix64: a bijection of 64-bit words in which every bit of the result depends
 * on every bit of the argument. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014.
 */
final class Mix64 {

    private Mix64() {}

    /** The mixed word. */
    static long mix(long word) {
        long mixed = (word ^ (word >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ (mixed >>> 31);
    }
}
