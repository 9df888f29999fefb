package org.starling.net;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A message that is a record: it bears its type's {@link TypeId} and travels as its components in
 * their order ({@link RecordCodec}).
 */
public interface RecordMessage extends Message {
    /** The id of a record's message type; its name is that of the class. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface TypeId {
        /** See {@link MessageType#id}. */
        int value();
    }

    /**
     * The type of messages.
     *
     * @param record their class
     * @param <M> the messages
     * @return the same each time
     */
    static <M extends RecordMessage> MessageType<M> type(Class<M> record) {
        return RecordCodec.type(record);
    }

    @Override
    default MessageType<?> type() {
        return RecordCodec.type(getClass());
    }

    @Override
    default void write(Exporter out) {
        RecordCodec.write(this, out);
    }
}
