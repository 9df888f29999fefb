package org.starling.compute.jars;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.ConstantPool;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipException;
import org.starling.graph.ApiVersion;
import org.starling.graph.EdgeSourceProvider;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;
import org.starling.graph.ProgramProvider;
import org.starling.graph.Task;

/**
 * Looks into one jar without loading anything of it: whether it is one, what it was built for, what
 * it brings, and whether it calls what would end the process of a node. The latter is help, not a
 * wall: whoever wants to end a process finds a way. Used once, by one thread.
 */
public final class JarInspection {
    /** The services that jars provide. */
    static final List<String> SERVICES =
            List.of(
                    Task.class.getName(),
                    ProgramProvider.class.getName(),
                    EdgeSourceProvider.class.getName());

    /** Most entries of a jar. */
    static final int MAX_ENTRIES = 65_535;

    /** Most bytes that a jar's classes have, unpacked. */
    static final long MAX_CLASS_BYTES = 512L << 20;

    /** Longest file of a class, unpacked. */
    static final int MAX_CLASS_FILE_BYTES = 16 << 20;

    /** Longest service file, and longest manifest. */
    static final int MAX_TEXT_BYTES = 1 << 20;

    private static final String SERVICES_FOLDER = "META-INF/services/";
    private static final String VERSIONS_FOLDER = "META-INF/versions/";
    private static final String CLASS = ".class";
    private static final int BLOCK_BYTES = 64 << 10;

    /** Major version of class files of Java 0, if there had been one. */
    private static final int CLASS_VERSION_BASE = 44;

    private static final int MAGIC = 0xCAFEBABE;
    private static final int HEADER_BYTES = 8;
    private static final Map<String, Set<String>> ENDS_PROCESS =
            Map.of("java/lang/System", Set.of("exit"), "java/lang/Runtime", Set.of("exit", "halt"));

    private final String name;
    private final Set<String> classes = new TreeSet<>();
    private final Map<String, String> needs = new TreeMap<>();
    private long classBytes;

    private JarInspection(String name) {
        this.name = name;
    }

    /**
     * Looks into a file under its own name.
     *
     * @throws InvalidInputException with one sentence if it can't be used
     */
    public static JarContents of(Path file, JarRules rules) {
        return of(file, String.valueOf(file.getFileName()), rules);
    }

    /**
     * Looks into a file.
     *
     * @param name what messages call it
     * @throws InvalidInputException with one sentence if it can't be used
     */
    public static JarContents of(Path file, String name, JarRules rules) {
        try {
            if (!Files.isRegularFile(file)) {
                throw new InvalidInputException("there is no jar " + file);
            }
            long bytes = Files.size(file);
            rules.checkSize(name, bytes);
            UserJar jar = new UserJar(digest(file), name, bytes, file);
            return new JarInspection(name).inspect(jar);
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "read", unreadable);
        }
    }

    /** The SHA-256 of a file, as {@link UserJar#digest} has it. */
    public static String digest(Path file) throws IOException {
        MessageDigest digest = sha256();
        byte[] block = new byte[BLOCK_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                digest.update(block, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) { // every JDK has it
            throw new IllegalStateException(impossible);
        }
    }

    private JarContents inspect(UserJar jar) throws IOException {
        try (JarFile zip = new JarFile(jar.file().toFile(), false)) {
            if (zip.size() > MAX_ENTRIES) {
                throw wrong("it has more than " + MAX_ENTRIES + " entries");
            }
            checkVersion(zip);
            for (JarEntry entry : Collections.list(zip.entries())) {
                if (entry.getName().endsWith(CLASS) && !entry.isDirectory()) {
                    inspectClass(zip, entry);
                }
            }
            return new JarContents(jar, providers(zip), classes, needs);
        } catch (ZipException | SecurityException damaged) {
            throw new InvalidInputException(
                    "%s is no jar, or only a part of one (%s); build it again"
                            .formatted(name, damaged.getMessage()),
                    damaged);
        }
    }

    /** Its length is looked at first: nobody else does. */
    private void checkVersion(JarFile zip) throws IOException {
        JarEntry entry = zip.getJarEntry(JarFile.MANIFEST_NAME);
        if (entry == null) {
            return;
        }
        Manifest manifest =
                new Manifest(new ByteArrayInputStream(read(zip, entry, MAX_TEXT_BYTES)));
        String text = manifest.getMainAttributes().getValue(ApiVersion.MANIFEST_ATTRIBUTE);
        if (text == null) {
            return; // its classes tell: see needs
        }
        String major = text.strip().replaceFirst("\\..*", "");
        if (!major.equals(Integer.toString(ApiVersion.MAJOR))) {
            throw new InvalidInputException(
                    "%s was built against version %s of graph-api (%s in its manifest), and here is version %d; build it against this version"
                            .formatted(
                                    name,
                                    text.strip(),
                                    ApiVersion.MANIFEST_ATTRIBUTE,
                                    ApiVersion.MAJOR));
        }
    }

    private void inspectClass(JarFile zip, JarEntry entry) throws IOException {
        String file = entry.getName();
        if (file.startsWith(VERSIONS_FOLDER)) {
            int end = file.indexOf('/', VERSIONS_FOLDER.length());
            if (end < 0 || isForNewerJava(file.substring(VERSIONS_FOLDER.length(), end))) {
                return;
            }
            file = file.substring(end + 1);
        }
        String type = file.substring(0, file.length() - CLASS.length()).replace('/', '.');
        byte[] bytes = read(zip, entry, MAX_CLASS_FILE_BYTES);
        classBytes += bytes.length;
        if (classBytes > MAX_CLASS_BYTES) {
            throw wrong(
                    "its classes have more than %d MiB unpacked".formatted(MAX_CLASS_BYTES >> 20));
        }
        checkJava(type, bytes);
        classes.add(type);
        try {
            inspectPool(type, ClassFile.of().parse(bytes).constantPool());
        } catch (IllegalArgumentException | IndexOutOfBoundsException damaged) {
            throw wrong("the file of its class " + type + " is damaged; build it again");
        }
    }

    private static boolean isForNewerJava(String version) {
        try {
            return Integer.parseInt(version) > Runtime.version().feature();
        } catch (NumberFormatException noVersion) {
            return true; // nobody loads it
        }
    }

    private byte[] read(JarFile zip, JarEntry entry, int most) throws IOException {
        try (InputStream in = zip.getInputStream(entry)) {
            byte[] bytes = in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw wrong("%s has more than %d MiB unpacked".formatted(entry, most >> 20));
            }
            return bytes;
        }
    }

    private void checkJava(String type, byte[] bytes) {
        if (bytes.length < HEADER_BYTES || number(bytes, 0) != MAGIC) {
            throw wrong("the file of its class " + type + " is none; build it again");
        }
        int compiled = (number(bytes, 4) & 0xFFFF) - CLASS_VERSION_BASE;
        int here = Runtime.version().feature();
        if (compiled > here) {
            throw wrong(
                    "its class %s was compiled for Java %d, and here is Java %d; compile it with --release %d"
                            .formatted(type, compiled, here, here));
        }
    }

    private static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xFF) << 24
                | (bytes[at + 1] & 0xFF) << 16
                | (bytes[at + 2] & 0xFF) << 8
                | (bytes[at + 3] & 0xFF);
    }

    private void inspectPool(String type, ConstantPool pool) {
        for (PoolEntry entry : pool) {
            if (entry instanceof MemberRefEntry member) {
                String owner = member.owner().asInternalName();
                String called = member.name().stringValue();
                if (ENDS_PROCESS.getOrDefault(owner, Set.of()).contains(called)) {
                    throw wrong(
                            "its class %s calls %s.%s, which would end the process of a node; throw a JobFailedException instead"
                                    .formatted(
                                            type, owner.substring("java/lang/".length()), called));
                }
            } else if (entry instanceof ClassEntry named) {
                String needed = named.asInternalName().replaceFirst("^\\[+L?", "");
                if (needed.startsWith("org/starling/")) {
                    needs.putIfAbsent(needed.replace('/', '.').replace(";", ""), type);
                }
            }
        }
    }

    private Map<String, List<String>> providers(JarFile zip) throws IOException {
        Map<String, List<String>> providers = new TreeMap<>();
        for (String service : SERVICES) {
            JarEntry entry = zip.getJarEntry(SERVICES_FOLDER + service);
            if (entry == null) {
                continue;
            }
            List<String> named =
                    new String(read(zip, entry, MAX_TEXT_BYTES), StandardCharsets.UTF_8)
                            .lines()
                            .map(line -> line.replaceFirst("#.*", "").strip())
                            .filter(line -> !line.isEmpty())
                            .toList();
            if (!named.isEmpty()) {
                providers.put(service, named);
            }
        }
        return providers;
    }

    private InvalidInputException wrong(String what) {
        return new InvalidInputException(name + " can't be used: " + what);
    }
}
