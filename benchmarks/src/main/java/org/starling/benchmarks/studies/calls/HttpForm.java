package org.starling.benchmarks.studies.calls;

import java.io.IOException;

/** How calls and answers are written in the bodies of HTTP messages. Stateless. */
interface HttpForm {

    /** What it is called in tables. */
    String name();

    /** For the header of that name. */
    String contentType();

    byte[] bytes(Call call) throws IOException;

    byte[] bytes(Answer answer) throws IOException;

    /**
     * Reads a call.
     *
     * @throws IOException if it is none
     */
    Call call(byte[] body) throws IOException;

    /**
     * Reads an answer.
     *
     * @throws IOException if it is none
     */
    Answer answer(byte[] body) throws IOException;
}
