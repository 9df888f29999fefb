package org.starling.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs that were compiled against this room go on working: what {@code graph-api/api.txt} notes is
 * still there. With {@code -Dstarling.api.accept} the file is written anew.
 */
final class ApiTest {
    private static final Path NOTED = Path.of("api.txt");
    private static final Path CLASSES = classes();

    /** What authors of jobs implement; everything else is implemented by the engine alone. */
    private static final Set<String> IMPLEMENTED =
            Set.of(
                    Task.class.getName(),
                    Program.class.getName(),
                    VertexProgram.class.getName(),
                    ShardProgram.class.getName(),
                    TeamProgram.class.getName(),
                    ProgramFactory.class.getName(),
                    ProgramProvider.class.getName(),
                    EdgeSource.class.getName(),
                    EdgeSourceProvider.class.getName(),
                    IntCombiner.class.getName(),
                    LongCombiner.class.getName(),
                    FloatCombiner.class.getName(),
                    DoubleCombiner.class.getName());

    private static final String REMEDY =
            "Jobs that were compiled against graph-api would break. Keep what was there beside what is new. If the break is meant,"
                    + " raise ApiVersion.MAJOR and note the new state: mvn -pl graph-api test -Dtest=ApiTest -Dstarling.api.accept";

    @TempDir Path folder;

    @Test
    void keepsWhatJobsWereCompiledAgainst() throws IOException {
        SortedSet<String> now = ApiText.of(CLASSES);
        if (System.getProperty("starling.api.accept") != null) {
            Files.write(NOTED, now);
        }

        SortedSet<String> noted = new TreeSet<>(Files.readAllLines(NOTED));

        assertThat(noted).hasSizeGreaterThan(300);
        assertThat(ApiText.breaks(noted, now, IMPLEMENTED)).as(REMEDY).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    public void a() {}              | public void b() {}               | method
                    public void a() {}              | public void a(int x) {}          | method
                    public int a() { return 1; }    | public long a() { return 1; }    | method
                    public void a() {}              | public static void a() {}        | method
                    public void a() {}              | private void a() {}              | method
                    protected int a;                | protected final int a = 1;       | field
                    public static final int A = 1;  | public static final int A = 2;   | field
                    public record R(int a) {}       | public record R(int a, int b) {} | record
                    public interface I {}           | interface I {}                   | class
                    public enum E {A, B}            | public enum E {A}                | field
                    public static class C {}        | public static final class C {}   | class
                    """)
    void isBrokenByWhatIsGone(String older, String newer, String kind) throws IOException {
        List<String> breaks =
                ApiText.breaks(compiled("older", older), compiled("newer", newer), Set.of());

        assertThat(breaks).anyMatch(line -> line.startsWith("gone or changed: " + kind + " "));
    }

    @Test
    void isNotBrokenByWhatIsNew() throws IOException {
        SortedSet<String> older = compiled("older", "public void a() {}");
        SortedSet<String> newer =
                compiled("newer", "public void a() {} public void b() {} private int c;");

        assertThat(ApiText.breaks(older, newer, Set.of())).isEmpty();
        assertThat(newer).contains("method public void X.b()").noneMatch(l -> l.contains("X.c"));
    }

    @Test
    void isBrokenByAMethodThatAuthorsWouldHaveToAdd() throws IOException {
        SortedSet<String> older = compiled("older", "public interface I { void a(); }");
        String both = "public interface I { void a(); void b(); }";
        String withBody = "public interface I { void a(); default void b() {} }";

        assertThat(ApiText.breaks(older, compiled("both", both), Set.of("X$I")))
                .singleElement()
                .asString()
                .contains("those who implement it lack: method public abstract void X$I.b()");
        assertThat(ApiText.breaks(older, compiled("both", both), Set.of())).isEmpty();
        assertThat(ApiText.breaks(older, compiled("body", withBody), Set.of("X$I"))).isEmpty();
    }

    /** The lines of class X with these members. */
    private SortedSet<String> compiled(String version, String members) throws IOException {
        Path to = Files.createDirectories(folder.resolve(version));
        Path source = Files.writeString(to.resolve("X.java"), "public class X { " + members + " }");
        int result =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", to.toString(), source.toString());
        assertThat(result).isZero();
        return ApiText.of(to);
    }

    private static Path classes() {
        try {
            return Path.of(
                    ApiVersion.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
