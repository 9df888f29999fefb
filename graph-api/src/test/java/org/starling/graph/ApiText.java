package org.starling.graph;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.ConstantValueAttribute;
import java.lang.classfile.attribute.RecordAttribute;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What others can see of compiled classes, one line for each class, field and method, and what
 * becomes of it from one version to the next.
 */
final class ApiText {
    /** Of a class, field or method, what matters to those who use it. */
    private static final Set<AccessFlag> SHOWN =
            Set.of(
                    AccessFlag.PUBLIC,
                    AccessFlag.PROTECTED,
                    AccessFlag.STATIC,
                    AccessFlag.FINAL,
                    AccessFlag.ABSTRACT,
                    AccessFlag.INTERFACE,
                    AccessFlag.ENUM);

    private ApiText() {}

    /** The lines of all classes below a folder, sorted. */
    static SortedSet<String> of(Path folder) throws IOException {
        SortedSet<String> lines = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(file -> file.toString().endsWith(".class"))
                    .forEach(file -> describe(file, lines));
        }
        return lines;
    }

    /**
     * What breaks jobs that work with the older version: each line that is gone, and each new
     * method without a body in an interface that authors implement.
     *
     * @param implemented names of these interfaces
     */
    static List<String> breaks(
            SortedSet<String> older, SortedSet<String> newer, Set<String> implemented) {
        List<String> breaks = new ArrayList<>();
        older.stream()
                .filter(line -> !newer.contains(line))
                .forEach(line -> breaks.add("gone or changed: " + line));
        newer.stream()
                .filter(line -> !older.contains(line))
                .filter(line -> line.startsWith("method ") && line.contains(" abstract "))
                .filter(line -> implemented.contains(owner(line)))
                .forEach(line -> breaks.add("those who implement it lack: " + line));
        return breaks;
    }

    /** The class that a line of a method is about. */
    private static String owner(String line) {
        String name =
                line.substring(line.lastIndexOf(' ', line.indexOf('(')) + 1, line.indexOf('('));
        return name.substring(0, name.lastIndexOf('.'));
    }

    private static void describe(Path file, SortedSet<String> lines) {
        ClassModel model;
        try {
            model = ClassFile.of().parse(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!model.flags().has(AccessFlag.PUBLIC)) {
            return;
        }
        String name = name(model.thisClass().asSymbol());
        boolean isRecord = model.findAttribute(Attributes.record()).isPresent();
        String parents =
                Stream.concat(model.superclass().stream(), model.interfaces().stream())
                        .map(parent -> name(parent.asSymbol()))
                        .collect(Collectors.joining(", "));
        lines.add(
                "class "
                        + flags(model.flags().flags())
                        + (isRecord ? "record " : "")
                        + name
                        + " : "
                        + parents);
        model.findAttribute(Attributes.record())
                .ifPresent(components -> lines.add("record " + name + components(components)));
        for (FieldModel field : model.fields()) {
            if (isSeen(field.flags().flags())) {
                lines.add(
                        "field "
                                + flags(field.flags().flags())
                                + name(field.fieldTypeSymbol())
                                + " "
                                + name
                                + "."
                                + field.fieldName().stringValue()
                                + field.findAttribute(Attributes.constantValue())
                                        .map(ApiText::value)
                                        .orElse(""));
            }
        }
        for (MethodModel method : model.methods()) {
            Set<AccessFlag> flags = method.flags().flags();
            if (isSeen(flags) && !flags.contains(AccessFlag.SYNTHETIC)) {
                lines.add(
                        "method "
                                + flags(flags)
                                + name(method.methodTypeSymbol().returnType())
                                + " "
                                + name
                                + "."
                                + method.methodName().stringValue()
                                + types(method.methodTypeSymbol().parameterList()));
            }
        }
    }

    private static String components(RecordAttribute record) {
        return record.components().stream()
                .map(c -> name(c.descriptorSymbol()) + " " + c.name().stringValue())
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String value(ConstantValueAttribute constant) {
        return " = " + constant.constant().constantValue();
    }

    private static boolean isSeen(Set<AccessFlag> flags) {
        return flags.contains(AccessFlag.PUBLIC) || flags.contains(AccessFlag.PROTECTED);
    }

    private static String flags(Set<AccessFlag> flags) {
        return flags.stream()
                .filter(SHOWN::contains)
                .sorted()
                .map(flag -> flag.name().toLowerCase(java.util.Locale.ROOT) + " ")
                .collect(Collectors.joining());
    }

    private static String types(List<ClassDesc> types) {
        return types.stream().map(ApiText::name).collect(Collectors.joining(", ", "(", ")"));
    }

    private static String name(ClassDesc type) {
        if (type.isArray()) {
            return name(type.componentType()) + "[]";
        }
        String packageName = type.isPrimitive() ? "" : type.packageName();
        return packageName.isEmpty() ? type.displayName() : packageName + "." + type.displayName();
    }
}
