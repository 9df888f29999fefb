package org.starling.compute.internal.group;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.starling.graph.Parameters;

/** Parameters as JSON text, for messages. Integers stay integers. */
final class ParameterCodec {
    private static final Gson GSON =
            new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();
    private static final TypeToken<LinkedHashMap<String, Object>> VALUES = new TypeToken<>() {};
    private static final TypeToken<LinkedHashMap<String, String>> TEXTS = new TypeToken<>() {};

    private static final String SPECIAL = "double";

    private ParameterCodec() {}

    static String write(Parameters parameters) {
        Map<String, Object> values = new LinkedHashMap<>();
        parameters.asMap().forEach((name, value) -> values.put(name, encode(value)));
        return GSON.toJson(values);
    }

    static Parameters read(String json) {
        Map<String, Object> values = new LinkedHashMap<>();
        GSON.fromJson(json, VALUES).forEach((name, value) -> values.put(name, decode(value)));
        return Parameters.of(values);
    }

    /** JSON knows no infinity: such a number stands as an object with its text. */
    private static Object encode(Object value) {
        return switch (value) {
            case Double number when !Double.isFinite(number) -> Map.of(SPECIAL, number.toString());
            case List<?> list -> list.stream().map(ParameterCodec::encode).toList();
            default -> value;
        };
    }

    private static Object decode(Object value) {
        return switch (value) {
            case Map<?, ?> special -> Double.valueOf(String.valueOf(special.get(SPECIAL)));
            case List<?> list -> list.stream().map(ParameterCodec::decode).toList();
            default -> value;
        };
    }

    static String writeFiles(Map<String, Path> files) {
        Map<String, String> texts = new LinkedHashMap<>();
        files.forEach((name, file) -> texts.put(name, file.toString()));
        return GSON.toJson(texts);
    }

    static Map<String, Path> readFiles(String json) {
        Map<String, Path> files = new LinkedHashMap<>();
        GSON.fromJson(json, TEXTS).forEach((name, file) -> files.put(name, Path.of(file)));
        return files;
    }
}
