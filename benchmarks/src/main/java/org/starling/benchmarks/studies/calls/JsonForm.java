package org.starling.benchmarks.studies.calls;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** JSON as Gson binds it to records. */
final class JsonForm implements HttpCalls.Form {
    private static final Gson GSON = new Gson();

    @Override
    public String name() {
        return "http-json";
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public byte[] bytes(Call call) {
        return GSON.toJson(call).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] bytes(Answer answer) {
        return GSON.toJson(answer).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Call call(byte[] body) throws IOException {
        return parsed(body, Call.class);
    }

    @Override
    public Answer answer(byte[] body) throws IOException {
        return parsed(body, Answer.class);
    }

    private static <T> T parsed(byte[] body, Class<T> type) throws IOException {
        try {
            T parsed = GSON.fromJson(new String(body, StandardCharsets.UTF_8), type);
            if (parsed == null) {
                throw new IOException("there is no text");
            }
            return parsed;
        } catch (JsonParseException broken) {
            throw new IOException(broken);
        }
    }
}
