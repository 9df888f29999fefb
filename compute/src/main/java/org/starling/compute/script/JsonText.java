package org.starling.compute.script;

import com.google.gson.FormattingStyle;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import com.google.gson.stream.MalformedJsonException;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * JSON as a tree: objects are maps in the order of the text, arrays lists; leaves are {@link
 * String}, {@link Boolean}, null, {@link Long} (or {@link BigInteger} beyond 64 bits) for whole
 * numbers and {@link Double} for those with a point or an exponent.
 *
 * <p>Strict: no comments, no duplicate names, nothing after the end, depth bounded.
 */
public final class JsonText {
    private static final Pattern PLACE =
            Pattern.compile("(?s)(.*?) at line (\\d+) column (\\d+).*");

    private JsonText() {}

    /**
     * Reads a text.
     *
     * @throws InvalidJsonException with line and column if it is not JSON
     */
    public static @Nullable Object parse(String text) {
        try (JsonReader reader = new JsonReader(new StringReader(text))) {
            reader.setStrictness(Strictness.STRICT);
            reader.setNestingLimit(ScriptBounds.MAX_JSON_DEPTH);
            Object tree = value(reader);
            if (reader.peek() != JsonToken.END_DOCUMENT) {
                throw new InvalidJsonException(place(reader.toString()), "text after the end");
            }
            return tree;
        } catch (IOException refused) {
            String message = String.valueOf(refused.getMessage());
            throw new InvalidJsonException(
                    place(message, isPastTheCulprit(refused, message)),
                    problem(refused, message),
                    refused);
        }
    }

    /** The same lists and objects, in which each leaf is what a function makes of it. */
    static @Nullable Object withLeaves(
            @Nullable Object tree, Function<@Nullable Object, @Nullable Object> leaf) {
        return switch (tree) {
            case List<?> list -> {
                List<@Nullable Object> elements = new ArrayList<>();
                list.forEach(element -> elements.add(withLeaves(element, leaf)));
                yield elements;
            }
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                map.forEach((name, value) -> members.put(name.toString(), withLeaves(value, leaf)));
                yield members;
            }
            case null, default -> leaf.apply(tree);
        };
    }

    /** Writes a tree on one line. */
    public static String write(@Nullable Object tree) {
        return write(tree, FormattingStyle.COMPACT.withSpaceAfterSeparators(true));
    }

    /** Writes a tree indented, for people. */
    public static String writeIndented(@Nullable Object tree) {
        return write(tree, FormattingStyle.PRETTY);
    }

    private static String write(@Nullable Object tree, FormattingStyle style) {
        StringWriter text = new StringWriter();
        try (JsonWriter writer = new JsonWriter(text)) {
            writer.setFormattingStyle(style);
            writer.setHtmlSafe(false);
            write(tree, writer);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void write(@Nullable Object tree, JsonWriter writer) throws IOException {
        switch (tree) {
            case null -> writer.nullValue();
            case String text -> writer.value(text);
            case Boolean flag -> writer.value(flag);
            // JSON has no word for numbers that are none
            case Double number when !Double.isFinite(number) -> writer.nullValue();
            case Number number -> writer.value(number);
            case List<?> list -> {
                writer.beginArray();
                for (Object element : list) {
                    write(element, writer);
                }
                writer.endArray();
            }
            case Map<?, ?> map -> {
                writer.beginObject();
                for (Map.Entry<?, ?> member : map.entrySet()) {
                    writer.name(String.valueOf(member.getKey()));
                    write(member.getValue(), writer);
                }
                writer.endObject();
            }
            default -> throw new IllegalArgumentException("not JSON: " + tree.getClass());
        }
    }

    private static @Nullable Object value(JsonReader reader) throws IOException {
        return switch (reader.peek()) {
            case BEGIN_OBJECT -> object(reader);
            case BEGIN_ARRAY -> array(reader);
            case STRING -> reader.nextString();
            case NUMBER -> number(reader);
            case BOOLEAN -> reader.nextBoolean();
            case NULL -> {
                reader.nextNull();
                yield null;
            }
            case NAME, END_OBJECT, END_ARRAY, END_DOCUMENT ->
                    throw new InvalidJsonException(place(reader.toString()), "expected a value");
        };
    }

    private static Map<String, @Nullable Object> object(JsonReader reader) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        reader.beginObject();
        while (reader.hasNext()) {
            String name = reader.nextName();
            if (members.containsKey(name)) {
                throw new InvalidJsonException(
                        place(reader.toString()), "\"" + name + "\" stands here twice");
            }
            members.put(name, value(reader));
        }
        reader.endObject();
        return members;
    }

    private static List<@Nullable Object> array(JsonReader reader) throws IOException {
        List<@Nullable Object> elements = new ArrayList<>();
        reader.beginArray();
        while (reader.hasNext()) {
            elements.add(value(reader));
        }
        reader.endArray();
        return elements;
    }

    private static Object number(JsonReader reader) throws IOException {
        String place = place(reader.toString());
        String digits = reader.nextString();
        if (digits.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'))) {
            BigInteger whole = new BigInteger(digits);
            if (whole.bitLength() < Long.SIZE) {
                return whole.longValue();
            }
            return whole;
        }
        double number = Double.parseDouble(digits);
        if (!Double.isFinite(number)) {
            throw new InvalidJsonException(place, "the number " + digits + " is too large");
        }
        return number;
    }

    private static String place(String message) {
        return place(message, false);
    }

    private static String place(String message, boolean onePast) {
        Matcher matcher = PLACE.matcher(message);
        if (!matcher.matches()) {
            return "line 1, column 1";
        }
        int column = Integer.parseInt(matcher.group(3)) - (onePast ? 1 : 0);
        return "line " + matcher.group(2) + ", column " + Math.max(1, column);
    }

    /** The parser has usually taken the character that it complains about, but not always. */
    private static boolean isPastTheCulprit(IOException refused, String message) {
        return refused instanceof MalformedJsonException && !message.startsWith("Expected value");
    }

    private static String problem(IOException refused, String message) {
        Matcher matcher = PLACE.matcher(message);
        String what = matcher.matches() ? matcher.group(1) : message;
        if (what.startsWith("Nesting limit")) {
            return "nested deeper than " + ScriptBounds.MAX_JSON_DEPTH + " levels";
        }
        if (!(refused instanceof MalformedJsonException)) {
            return "the text ends in the middle";
        }
        if (what.startsWith("Use JsonReader") || what.isEmpty()) {
            return "not JSON (a name or text without quotes, a comment, or a misplaced comma?)";
        }
        return "not JSON: " + Character.toLowerCase(what.charAt(0)) + what.substring(1);
    }
}
