package org.starling.compute.internal.group;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.starling.graph.Parameters;

/** Parameters as JSON text, for messages. Integers stay integers. */
final class ParameterCodec {
    private static final Gson GSON =
            new GsonBuilder()
                    .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
                    .serializeSpecialFloatingPointValues()
                    .create();
    private static final TypeToken<LinkedHashMap<String, Object>> VALUES = new TypeToken<>() {};
    private static final TypeToken<LinkedHashMap<String, String>> TEXTS = new TypeToken<>() {};

    private ParameterCodec() {}

    static String write(Parameters parameters) {
        return GSON.toJson(parameters.asMap());
    }

    static Parameters read(String json) {
        return Parameters.of(GSON.fromJson(json, VALUES));
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
