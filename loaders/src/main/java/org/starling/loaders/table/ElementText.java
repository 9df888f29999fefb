package org.starling.loaders.table;

/** How values stand in texts. */
final class ElementText {
    /** Characters that are collected before they are written. */
    static final int FLUSH_CHARACTERS = 1 << 16;

    private ElementText() {}

    /** An element that is no text. */
    static String text(TableBatch batch, int column, int element) {
        long bits = batch.bits(column, element);
        return switch (batch.columns().get(column).kind()) {
            case BOOLEAN -> bits == 0 ? "false" : "true";
            case INT, LONG -> Long.toString(bits);
            case ID -> Long.toUnsignedString(bits);
            case FLOAT -> Float.toString(Float.intBitsToFloat((int) bits));
            case DOUBLE -> Double.toString(Double.longBitsToDouble(bits));
            case STRING -> throw new IllegalArgumentException("a text is one already");
        };
    }
}
