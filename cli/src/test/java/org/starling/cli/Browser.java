package org.starling.cli;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real browser without a screen, at the page of a cluster. Confined to a test's thread. */
public final class Browser implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Path PICTURES = Path.of("target", "screenshots");

    /** It has no protocol of this browser's very release, and needs none; kept, so it stays so. */
    private static final Logger QUIET = Logger.getLogger("org.openqa.selenium");

    static {
        QUIET.setLevel(Level.SEVERE);
    }

    /** How it shows the page. */
    public enum Look {
        /** A window on a desk, light. */
        DESK,
        /** The same at night. */
        NIGHT,
        /** As wide as a phone. */
        PHONE;

        private List<String> arguments() {
            return switch (this) {
                case DESK -> List.of("--window-size=1200,900");
                case NIGHT ->
                        List.of(
                                "--window-size=1200,900",
                                "--blink-settings=preferredColorScheme=0");
                case PHONE -> List.of("--window-size=500,900");
            };
        }
    }

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts one; where there is none the test is skipped, and says so. */
    public static Browser start(Look look) {
        Optional<Path> binary =
                ToolOnPath.find("chromium").or(() -> ToolOnPath.find("google-chrome"));
        Optional<Path> control = ToolOnPath.find("chromedriver");
        assumeTrue(
                binary.isPresent() && control.isPresent(),
                "there is no browser: install chromium and chromium-driver");
        ChromeOptions options = new ChromeOptions();
        options.setBinary(binary.orElseThrow().toFile());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu");
        options.addArguments("--disable-dev-shm-usage");
        options.addArguments(look.arguments());
        options.setAcceptInsecureCerts(true); // those of a test's own authority
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService service =
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(control.orElseThrow().toFile())
                        .usingAnyFreePort()
                        .withSilent(true)
                        .build();
        return new Browser(new ChromeDriver(service, options));
    }

    /** Opens an address. */
    public void open(String url) {
        driver.get(url);
    }

    /** Where it is. */
    public String url() {
        return Objects.requireNonNull(driver.getCurrentUrl());
    }

    /** Runs a script within the page and gives what it returns, as a text. */
    public String run(String script, Object... arguments) {
        return String.valueOf(driver.executeScript(script, arguments));
    }

    /** Shows a view, and waits for its heading. */
    public void go(String hash, String heading) {
        run("location.hash = arguments[0]", hash);
        await("document.querySelector('#main h1')?.textContent.startsWith(arguments[0])", heading);
    }

    /** Types a token and sends it. */
    public void logIn(String token) {
        await("!!document.getElementById('token')");
        run("document.getElementById('token').value = arguments[0];", token);
        run("document.querySelector('form.login button').click()");
    }

    /** All that can be read. */
    public String text() {
        return run("return document.body.innerText");
    }

    /** Waits until an expression of the page holds. */
    public void await(String expression, Object... arguments) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        String last = "";
        while (System.nanoTime() < end) {
            try {
                last = run("return !!(" + expression + ")", arguments);
                if (last.equals("true")) {
                    return;
                }
            } catch (WebDriverException between) {
                last = String.valueOf(between.getMessage()); // one page went, the other comes
            }
            LockSupport.parkNanos(50_000_000);
        }
        picture("waited-in-vain");
        throw new AssertionError(
                "waited in vain for %s (%s) at %s; the page says:%n%s"
                        .formatted(expression, last, url(), text()));
    }

    /** Waits until a text can be read. */
    public void awaitText(String text) {
        await("document.body.innerText.includes(arguments[0])", text);
    }

    /** What the page and the browser complained about, but for answers that say "no". */
    public List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        driver.manage()
                .logs()
                .get(LogType.BROWSER)
                .forEach(entry -> {
                    if (!entry.getMessage().contains("Failed to load resource")) {
                        complaints.add(entry.getMessage());
                    }
                });
        return complaints;
    }

    /** Keeps a picture of what is seen, under {@code target/screenshots}. */
    public void picture(String name) {
        try {
            Files.createDirectories(PICTURES);
            Files.write(PICTURES.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException full) {
            throw new AssertionError(full);
        }
    }

    @Override
    public void close() {
        driver.quit();
    }
}
