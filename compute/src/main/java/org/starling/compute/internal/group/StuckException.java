package org.starling.compute.internal.group;

/** Work on a slave does not stop. */
final class StuckException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean replaced;

    /**
     * Says so.
     *
     * @param replaced whether the slave's process makes way for a new one
     */
    StuckException(String sentence, boolean replaced) {
        super(sentence);
        this.replaced = replaced;
    }

    boolean isReplaced() {
        return replaced;
    }
}
