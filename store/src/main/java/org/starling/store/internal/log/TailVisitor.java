package org.starling.store.internal.log;

/** Takes the changes of a zone in order. */
@FunctionalInterface
public interface TailVisitor {
    /**
     * Some changes that follow each other. Positions whose change was overtaken and dropped come as
     * records of kind {@link EntryLayout#SKIP}, so that no position is missing.
     *
     * @param epoch under which they were logged
     * @param firstPosition of the first record
     * @param address of the wire records, valid during the call
     * @param bytes their length
     * @param count how many records
     */
    void visit(long epoch, long firstPosition, long address, int bytes, int count);
}
