package org.starling.net;

/**
 * A request that is a record, as is its answer.
 *
 * @param <R> the response, named where the record, or a kind of requests that it is of, implements
 *     this
 */
public interface RecordRequest<R extends RecordMessage> extends RecordMessage, Request<R> {
    @Override
    default MessageType<R> responseType() {
        return RecordCodec.responseType(getClass());
    }
}
