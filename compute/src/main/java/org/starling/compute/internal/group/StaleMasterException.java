package org.starling.compute.internal.group;

/** A command of a master that another one has taken the place of. Nothing was done. */
final class StaleMasterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StaleMasterException(String message) {
        super(message);
    }

    StaleMasterException(long term, long newer) {
        this(
                "a master of term "
                        + term
                        + " leads this group no longer: another one of term "
                        + newer
                        + " has taken over");
    }
}
