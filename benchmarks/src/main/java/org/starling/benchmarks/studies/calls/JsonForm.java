package org.starling.benchmarks.studies.calls;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import org.starling.net.MalformedMessageException;

/** JSON through Gson's streams, which are faster than its binding to classes. */
final class JsonForm implements HttpForm {

    @Override
    public String name() {
        return "http-json";
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    @Override
    public byte[] bytes(Call call) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonWriter json = writer(bytes)) {
            json.beginObject().name("pattern").value(call.pattern().code());
            json.name("first").value(call.first()).name("second").value(call.second());
            vector(json, call.vector());
            json.endObject();
        }
        return bytes.toByteArray();
    }

    @Override
    public byte[] bytes(Answer answer) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonWriter json = writer(bytes)) {
            json.beginObject().name("number").value(answer.number());
            vector(json, answer.vector());
            json.endObject();
        }
        return bytes.toByteArray();
    }

    @Override
    public Call call(byte[] body) throws IOException {
        int pattern = -1;
        long first = 0;
        long second = 0;
        LongVector vector = new LongVector();
        try (JsonReader json = reader(body)) {
            json.beginObject();
            while (json.hasNext()) {
                switch (json.nextName()) {
                    case "pattern" -> pattern = json.nextInt();
                    case "first" -> first = json.nextLong();
                    case "second" -> second = json.nextLong();
                    case "vector" -> vector(json, vector);
                    default -> throw new MalformedMessageException("no such field of a call");
                }
            }
            json.endObject();
        }
        return new Call(CallPattern.of(pattern), first, second, vector.toArray());
    }

    @Override
    public Answer answer(byte[] body) throws IOException {
        long number = 0;
        LongVector vector = new LongVector();
        try (JsonReader json = reader(body)) {
            json.beginObject();
            while (json.hasNext()) {
                switch (json.nextName()) {
                    case "number" -> number = json.nextLong();
                    case "vector" -> vector(json, vector);
                    default -> throw new MalformedMessageException("no such field of an answer");
                }
            }
            json.endObject();
        }
        return new Answer(number, vector.toArray());
    }

    private static JsonWriter writer(ByteArrayOutputStream bytes) {
        return new JsonWriter(new OutputStreamWriter(bytes, StandardCharsets.UTF_8));
    }

    private static JsonReader reader(byte[] body) {
        return new JsonReader(
                new InputStreamReader(new ByteArrayInputStream(body), StandardCharsets.UTF_8));
    }

    private static void vector(JsonWriter json, long[] vector) throws IOException {
        json.name("vector").beginArray();
        for (long element : vector) {
            json.value(element);
        }
        json.endArray();
    }

    private static void vector(JsonReader json, LongVector into) throws IOException {
        json.beginArray();
        while (json.hasNext()) {
            into.add(json.nextLong());
        }
        json.endArray();
    }
}
