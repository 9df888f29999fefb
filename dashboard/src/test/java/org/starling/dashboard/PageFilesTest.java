package org.starling.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class PageFilesTest {
    private static final Pattern IMPORT = Pattern.compile("from '\\./([^']+)'");
    private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"/page/([^\"]+)\"");
    private static final Pattern OTHER_HOST =
            Pattern.compile("https?://(?!www\\.w3\\.org/2000/svg)");

    private final PageFiles files = PageFiles.read();

    /** What others have made is as they made it, and listed with its licence. */
    private record Part(String file, String of, String version, String licence, String sha512) {}

    @Test
    void isSmallEnoughForASlowLine() {
        long bytes = files.all().stream().mapToLong(file -> file.bytes().length).sum();

        assertThat(bytes).isBetween(10_000L, (long) PageFiles.MAX_BYTES);
    }

    @Test
    void hasAllThatItsFilesNameAndNothingElse() {
        TreeSet<String> named = new TreeSet<>(List.of(PageFiles.START, "uPlot.LICENSE.txt"));
        for (PageFile file : files.all()) {
            if (isOurs(file)) {
                names(IMPORT, file).forEach(named::add);
                names(REFERENCE, file).forEach(named::add);
            }
        }

        assertThat(files.all()).extracting(PageFile::name).hasSameElementsAs(named);
    }

    /** The content policy would refuse them in any case. */
    @Test
    void asksNoOtherHostAndHasNoInlineScriptsOrStyles() {
        for (PageFile file : files.all()) {
            if (isOurs(file)) {
                assertThat(text(file)).as(file.name()).doesNotContainPattern(OTHER_HOST);
            }
        }
        assertThat(text(files.file(PageFiles.START).orElseThrow()))
                .doesNotContainPattern("<script(?![^>]* src=)")
                .doesNotContainPattern("<style|\\sstyle=|\\son[a-z]+=|javascript:");
    }

    /** A text of the cluster is never read as HTML. */
    @Test
    void makesNoElementsOfTexts() {
        for (PageFile file : files.all()) {
            if (isOurs(file)) {
                assertThat(text(file))
                        .as(file.name())
                        .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML")
                        .doesNotContain("document.write", "eval(", "new Function");
            }
        }
    }

    @Test
    void listsTheFilesOfOthersWithDigestAndLicence() {
        List<Part> parts = parts();

        assertThat(parts)
                .extracting(Part::file)
                .containsExactlyElementsOf(
                        files.all().stream()
                                .filter(file -> !isOurs(file))
                                .map(PageFile::name)
                                .toList());
        for (Part part : parts) {
            PageFile file = files.file(part.file()).orElseThrow();
            assertThat(sha512(file.bytes())).as(part.file()).isEqualTo(part.sha512());
            assertThat(part.version()).matches("\\d+\\.\\d+\\.\\d+");
            assertThat(part.licence()).isEqualTo("MIT");
        }
    }

    @Test
    void namesTypeAndTagOfEachFile() {
        PageFile start = files.file(PageFiles.START).orElseThrow();
        PageFile again = PageFiles.read().file(PageFiles.START).orElseThrow();

        assertThat(start.contentType()).isEqualTo("text/html; charset=utf-8");
        assertThat(start.tag()).isEqualTo(again.tag()).matches("\"[A-Za-z0-9_-]{16}\"");
        assertThat(files.all()).extracting(PageFile::tag).doesNotHaveDuplicates();
    }

    @Test
    void hasNoFileOfAnotherName() {
        assertThat(files.file("../parts.txt")).isEmpty();
        assertThat(files.file("")).isEmpty();
        assertThat(files.file("page.css/")).isEmpty();
    }

    private static boolean isOurs(PageFile file) {
        return !file.name().startsWith("uPlot");
    }

    private static List<String> names(Pattern pattern, PageFile file) {
        return pattern.matcher(text(file))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    private static String text(PageFile file) {
        return new String(file.bytes(), StandardCharsets.UTF_8);
    }

    private static List<Part> parts() {
        try (InputStream stream =
                Objects.requireNonNull(PageFiles.class.getResourceAsStream("parts.txt"))) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", -1))
                    .map(cells -> new Part(cells[0], cells[1], cells[2], cells[3], cells[4]))
                    .toList();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static String sha512(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(bytes));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
