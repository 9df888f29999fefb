package org.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.starling.cli.rest.RestEndpoint;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.AuditLog;
import org.starling.compute.access.SessionSeal;
import org.starling.compute.cluster.AccessToken;
import org.starling.compute.cluster.ApiAccess;
import org.starling.compute.cluster.ApiEndpoint;
import org.starling.compute.cluster.ClusterProcess;
import org.starling.compute.cluster.EndpointTls;
import org.starling.compute.cluster.JobView;
import org.starling.compute.cluster.SuperpeerTokens;
import org.starling.compute.script.JsonText;
import org.starling.net.KeyAuthority;
import org.starling.net.TlsOptions;

/** The page as people see it. Pictures are kept under {@code target/screenshots}. */
@Tag("thorough")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class PageInBrowserTest {
    private static final String LIVE = "document.getElementById('state').textContent === 'Live'";

    /** Long enough to lose somebody while it runs. */
    private static final String LONG_JOB =
            """
            {"name": "long", "tasks": [
              {"task": "graph.generate", "graph": "g", "generator": "kronecker", "scale": 10},
              {"task": "graph.pagerank", "graph": "g", "iterations": 100000}]}
            """;

    private static final String TOUR =
            """
            {"name": "tour", "tasks": [
              {"task": "graph.generate", "graph": "sky", "generator": "kronecker", "scale": 10, "keep": true},
              {"task": "graph.bfs", "as": "search", "graph": "sky", "source": 1},
              {"task": "graph.pagerank", "as": "ranks", "graph": "sky", "top": 3},
              {"task": "graph.publish", "graph": "sky", "state": "pagerank", "as": "rank"},
              {"task": "graph.kcore", "graph": "sky"},
              {"task": "graph.publish", "graph": "sky", "state": "core", "as": "core"}]}
            """;

    @TempDir Path folder;

    @Test
    void letsInWhoeverHasATokenAndShowsWhatItsRoleMay() throws Exception {
        AccessToken owner = AccessToken.fresh();
        AccessToken reader = AccessToken.fresh();
        SuperpeerTokens gate = FakeTokens.of(owner);
        gate.create("ann", AccessRole.READ, reader.digest(), null);
        FakeService service = new FakeService();
        service.keep("web", 9);
        int port = freePort();
        ApiAccess access =
                FakeTokens.access(gate, new AuditLog(folder, InstantSource.system()), null);
        try (Browser browser = Browser.start(Browser.Look.DESK);
                ApiEndpoint.Open _ =
                        new RestEndpoint()
                                .open(
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), port),
                                        service,
                                        access,
                                        new FakeMonitor())) {
            browser.open("http://127.0.0.1:%d/".formatted(port));
            browser.logIn(AccessToken.fresh().text());
            browser.awaitText("The cluster does not know this token");
            browser.picture("log-in");

            browser.logIn(reader.text());
            browser.awaitText("ann (read)");
            browser.await(LIVE);
            browser.awaitText("127.0.0.1:7420");
            assertThat(browser.text()).doesNotContain("Drain");
            browser.go("#/script", "Script");
            assertThat(browser.text()).contains("takes a token of the role submit");
            isForAll(browser);
            browser.go("#/logs", "Logs");
            assertThat(browser.text()).contains("takes a token of the role operate");
            assertThat(browser.run("return document.getElementById('nav-logs').hidden"))
                    .as("what it may not do is not offered")
                    .isEqualTo("true");
            assertThat(browser.run("return document.cookie")).as("out of reach").isEmpty();

            browser.run("document.getElementById('logout').click()");
            browser.logIn(owner.text());
            browser.awaitText("owner (admin)");
            completes(browser);
            saysWhyAJobFailedAndWhatItsWordsMean(browser, service);
            browser.go("#/graphs/web/4", "Graph web");
            browser.awaitText("Vertex 4 has 4 neighbours");
            browser.awaitText("rank: from 0 to 0.375");
            browser.await("document.querySelectorAll('#histogram rect').length === 40");
            isForAll(browser);
            browser.go("#/cluster", "Cluster");
            browser.awaitText("all is back, after 1.5 s");
            browser.awaitText("1 zone without a copy");
            isForAll(browser);
            readsLogs(browser);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** In the list and in its own view, and by which title its tab is found. */
    private static void saysWhyAJobFailedAndWhatItsWordsMean(Browser browser, FakeService service) {
        long id = service.queue("wrong ".repeat(30));
        service.end(
                id,
                JobView.Status.FAILED,
                """
                {"script": "wrong", "status": "failed", "seconds": 0.0123, "ended": "2026-01-02T03:04:05Z", "peers": 3,
                 "tasks": [{"task": "graph.load", "seconds": 0.01, "result": {"vertices": 12345, "top": [[7, 0.123456789]]}}],
                 "error": "$.tasks[1] (graph.bfs): graph \\"h\\" has no vertex 999"}
                """);
        browser.go("#/jobs", "Jobs");
        browser.awaitText("has no vertex 999");
        browser.awaitText("12.3 ms");
        browser.awaitText("2026-01-02 03:04:05");
        assertThat(
                        browser.run(
                                "const s = document.querySelector('.jobs'); return s.scrollWidth <= s.clientWidth"))
                .as("a long name pushes no column out")
                .isEqualTo("true");
        isForAll(browser);
        browser.go("#/jobs/" + id, "Job " + id);
        browser.await("!document.getElementById('job-error').hidden");
        browser.awaitText("failed here (tasks[1])");
        browser.awaitText("vertices 12,345");
        browser.awaitText("top 7: 0.123457");
        assertThat(browser.run("return document.title"))
                .isEqualTo("Job " + id + " failed · Starling");
        browser.run("document.querySelector('.words summary').click()");
        browser.awaitText("a round of a program");
        isForAll(browser);
        browser.run("document.querySelector('.skip').click()");
        assertThat(browser.run("return document.activeElement.id + location.hash"))
                .as("to the content, not to another view")
                .isEqualTo("main#/jobs/" + id);
        browser.go("#/jobs/999", "Job 999");
        browser.awaitText("There is no such job.");
    }

    /** By keys and words: the newest line first, those with some words, another node's. */
    private static void readsLogs(Browser browser) {
        browser.go("#/logs", "Logs");
        browser.await("document.querySelectorAll('.log tbody tr').length === 2");
        assertThat(browser.run("return document.querySelector('.log tbody tr').textContent"))
                .contains("two");
        isForAll(browser);
        browser.run(
                """
                const words = document.getElementById('log-words');
                words.value = 'ONE';
                words.dispatchEvent(new Event('input'));
                """);
        browser.await("document.querySelectorAll('.log tbody tr').length === 1");
        browser.awaitText("1 line of the last 2 have these words.");
        browser.run(
                """
                const nodes = document.getElementById('log-node');
                nodes.value = '3';
                nodes.dispatchEvent(new Event('change'));
                """);
        browser.await("location.hash === '#/logs/3'");
        browser.await("document.getElementById('log-node').value === '3'");
        browser.await("document.querySelectorAll('.log tbody tr').length === 2");
    }

    /** What a screen reader needs to know of a view is there. */
    private static void isForAll(Browser browser) {
        assertThat(
                        browser.run(
                                """
                                const wrong = [];
                                for (const field of document.querySelectorAll('main input, main select, main textarea'))
                                  if (!field.labels.length && !field.ariaLabel) wrong.push('no label: ' + field.id);
                                for (const one of document.querySelectorAll('button, a'))
                                  if (!one.textContent.trim() && !one.getAttribute('aria-label')) wrong.push('no name: ' + one.outerHTML);
                                for (const one of document.querySelectorAll('canvas, .plot, main svg'))
                                  if (!one.closest('[aria-label]')) wrong.push('no words: ' + one.outerHTML.slice(0, 80));
                                for (const name of ['header', 'nav', 'main', 'footer', 'main h1'])
                                  if (document.querySelectorAll(name).length !== 1) wrong.push('not one ' + name);
                                if (new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size !== document.querySelectorAll('[id]').length) wrong.push('an id twice');
                                return wrong.join('; ');
                                """))
                .isEmpty();
    }

    /** Names of tasks and arguments, by keys alone. */
    private static void completes(Browser browser) {
        browser.go("#/script", "Script");
        browser.run(
                """
                const text = document.getElementById('script-text');
                text.value = '{"tasks": [{"task": "test.ob"}]}';
                text.focus();
                text.selectionStart = text.selectionEnd = text.value.indexOf('.ob') + 3;
                text.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', ctrlKey: true}));
                """);
        browser.await("!document.getElementById('options').hidden");
        browser.run(
                "document.getElementById('script-text').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))");
        assertThat(browser.run("return document.getElementById('script-text').value"))
                .isEqualTo("{\"tasks\": [{\"task\": \"test.obey\"}]}");
    }

    @Test
    @Tag("slow")
    void followsAJobToItsEndAndLooksAtItsGraph() throws Exception {
        try (Browser browser = Browser.start(Browser.Look.DESK);
                RealCluster cluster = RealCluster.start(folder, 1, 3)) {
            browser.open(door(cluster, 0));
            browser.logIn(token().text());
            browser.await(LIVE);
            browser.awaitText("1 superpeer, 3 peers");
            browser.picture("cluster");

            submit(browser, "{\"tasks\": [{\"task\": \"graph.bsf\", \"graph\": \"g\"}]}", "check");
            browser.awaitText("did you mean \"graph.bfs\"?");
            submit(browser, TOUR, "check");
            browser.awaitText("The script is right: 6 tasks at most.");
            browser.picture("script");
            submit(browser, TOUR, "submit");
            browser.await("location.hash.startsWith('#/jobs/')");
            browser.await("document.getElementById('job-status').textContent === 'succeeded'");
            browser.awaitText("Programs that ran");
            browser.awaitText("tour: succeeded in");
            browser.await("document.querySelectorAll('.plot canvas').length === 2");
            browser.await("document.querySelectorAll('canvas.heat').length === 1");
            assertThat(browser.run("return document.querySelector('.plot').ariaLabel"))
                    .startsWith("Frontier: vertices that compute, by superstep: ")
                    .contains("most 1,024")
                    .contains("marked: graph.bfs at superstep 0, graph.pagerank at superstep ");
            browser.awaitText("Most often the slowest of all: shard ");
            browser.await(
                    "/20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d/.test(document.querySelector('.cards').innerText)");
            assertThat(browser.text().lines()).doesNotContain("null", "undefined", "NaN");
            browser.picture("job");

            browser.go("#/jobs", "Jobs");
            browser.awaitText("succeeded");
            browser.picture("jobs");
            browser.go("#/graphs", "Graphs");
            browser.awaitText("sky");
            browser.go("#/graphs/sky/1", "Graph sky");
            browser.awaitText("Vertex 1 has ");
            browser.await("document.querySelectorAll('svg.near a').length > 0");
            browser.awaitText("rank");
            browser.picture("graph");
            drawsAColumnAndItsGroups(browser);
            browser.go("#/logs", "Logs");
            browser.await(
                    "document.getElementById('log-node').selectedOptions[0]?.text.includes('leads jobs')");
            browser.await("document.querySelectorAll('.log tbody tr').length > 3");
            browser.picture("logs");
            looksAtAGraphWhoseIdsAreTexts(browser, cluster);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    private static void drawsAColumnAndItsGroups(Browser browser) {
        browser.await("document.querySelectorAll('#histogram rect').length === 40");
        browser.run(
                """
                const scale = document.getElementById('scale');
                scale.value = 'log';
                scale.dispatchEvent(new Event('change'));
                document.getElementById('column-head').scrollIntoView();
                """);
        browser.awaitText("rank: from ");
        browser.await("document.getElementById('column-said').textContent !== 'Counting …'");
        browser.picture("column");
        browser.run(
                """
                document.getElementById('group-limit').value = '12';
                document.getElementById('group-count').click();
                document.getElementById('group-head').scrollIntoView();
                """);
        browser.awaitText("has counted the 12 largest of ");
        browser.await("document.querySelectorAll('#quotient circle').length === 13");
        browser.run("document.getElementById('group-head').scrollIntoView()");
        browser.picture("groups");
        assertThat(
                        browser.run(
                                """
                                return [...document.querySelectorAll('#quotient')].every(f => {
                                  const circles = [...f.querySelectorAll('circle')];
                                  return circles.every(c => c.cx.baseVal.value > 0 && c.cx.baseVal.value < 460);
                                })
                                """))
                .as("all circles are within the picture")
                .isEqualTo("true");
    }

    private void looksAtAGraphWhoseIdsAreTexts(Browser browser, RealCluster cluster)
            throws Exception {
        String one = "a/b?c=1&d #%2F é";
        Files.writeString(
                folder.resolve("knows.csv"),
                "source,target\n%s,Ada Lovelace\nAda Lovelace,../..\n".formatted(one));
        cluster.awaitEnd(
                cluster.submit(
                        """
                        {"name": "people", "tasks": [
                          {"task": "graph.load", "graph": "people", "file": "knows.csv", "ids": "text", "keep": true}]}
                        """),
                JobView.Status.SUCCEEDED);
        browser.go("#/graphs/people", "Graph people");
        String show = "document.getElementById('vertex').value = arguments[0];";
        browser.run(show + "document.querySelector('main form button').click()", one);
        browser.awaitText("Vertex %s has ".formatted(one));
        browser.run(
                "[...document.querySelectorAll('td a, th a')].find(a => a.textContent === 'Ada Lovelace').click()");
        browser.awaitText("Vertex Ada Lovelace has ");
        assertThat(browser.url()).endsWith("#/graphs/people/Ada%20Lovelace");
        browser.run(
                "document.getElementById('from').value = arguments[0]; document.getElementById('to').value = '../..'; document.querySelectorAll('main form')[1].requestSubmit()",
                one);
        browser.awaitText("2 edges: %s → Ada Lovelace → ../..".formatted(one));
        browser.run(show + "document.querySelector('main form button').click()", "nobody");
        browser.awaitText("has no vertex \"nobody\"");
    }

    @Test
    @Tag("slow")
    void tellsOfAPeerThatWasLostUnderAJob() throws Exception {
        try (Browser browser = Browser.start(Browser.Look.DESK);
                RealCluster cluster = RealCluster.start(folder, 1, 4)) {
            long job =
                    cluster.submit(
                            LONG_JOB.replace("100000", "200")
                                    .replace("\"scale\": 10", "\"scale\": 8"));
            browser.open(door(cluster, 0) + "#/jobs/" + job);
            browser.logIn(token().text());
            browser.await("document.getElementById('job-does').textContent.includes('superstep')");

            kill(cluster.slave());

            browser.await("document.getElementById('job-status').textContent === 'succeeded'");
            browser.awaitText("What was lost, and made up for");
            browser.awaitText("as far as this page has seen them");
            browser.await(
                    "document.querySelector('[data-label=\"missed in superstep\"]').textContent === 'none' || / node \\d+ lost at superstep \\d+/.test(document.querySelector('.plot').ariaLabel)");
            browser.picture("loss");
            browser.run(
                    "[...document.querySelectorAll('h3')].find(h => h.textContent === 'Recoveries').scrollIntoView()");
            browser.picture("recovery");
            browser.go("#/cluster", "Cluster");
            browser.awaitText("1 superpeer, 3 peers");
            // of so small a graph not every slave has a part
            browser.await("/all is back, after |it owned nothing/.test(document.body.innerText)");
            browser.run("document.body.scrollIntoView(false)");
            browser.picture("recoveries");
        }
    }

    @Test
    @Tag("slow")
    void cancelsAJobThatRunsAndReadsWellOnAPhoneAndAtNight() throws Exception {
        try (Browser phone = Browser.start(Browser.Look.PHONE);
                Browser night = Browser.start(Browser.Look.NIGHT);
                RealCluster cluster = RealCluster.start(folder, 1, 2)) {
            long job = cluster.submit(LONG_JOB);
            for (Browser browser : List.of(phone, night)) {
                browser.open(door(cluster, 0) + "#/jobs/" + job);
                browser.logIn(token().text());
                browser.awaitText("superstep");
                browser.await("document.querySelectorAll('.plot canvas').length === 2");
            }
            phone.picture("job-on-a-phone");
            night.picture("job-at-night");
            for (String hash : List.of("#/cluster", "#/jobs", "#/script", "#/graphs", "#/logs")) {
                phone.run("location.hash = arguments[0]", hash);
                phone.await("!!document.querySelector('#main h1')");
                assertThat(phone.run("return document.documentElement.scrollWidth <= innerWidth"))
                        .as("nothing sticks out of %s", hash)
                        .isEqualTo("true");
            }
            phone.go("#/cluster", "Cluster");
            phone.awaitText("127.0.0.1:");
            phone.picture("cluster-on-a-phone");
            assertThat(night.run("return getComputedStyle(document.body).backgroundColor"))
                    .isEqualTo("rgb(20, 24, 27)");

            String cancel = "document.querySelector('#main button.danger')";
            night.run(cancel + ".click()");
            night.await(cancel + ".textContent.startsWith('Really')");
            night.run(cancel + ".click()");
            night.await("document.getElementById('job-status').textContent === 'cancelled'");
            cluster.awaitEnd(job, JobView.Status.CANCELLED);
        }
    }

    /** Within TLS the session and a draft go along; what a link brings changes neither. */
    @Test
    void goesOnWithItsSessionWithinTlsAndTakesNoneFromALink() throws Exception {
        AccessToken owner = AccessToken.fresh();
        TlsOptions files =
                KeyAuthority.make(folder, InstantSource.system())
                        .issue(
                                Files.createDirectory(folder.resolve("keys")),
                                "node",
                                List.of("127.0.0.1"),
                                Duration.ofDays(1));
        URI first = URI.create("https://127.0.0.1:" + freePort());
        URI second = URI.create("https://127.0.0.1:" + freePort());
        ApiAccess access =
                new ApiAccess(
                        FakeTokens.of(owner),
                        new AuditLog(folder, InstantSource.system()),
                        new EndpointTls(files, false),
                        SessionSeal.fresh(),
                        List.of(first, second));
        try (Browser browser = Browser.start(Browser.Look.DESK);
                ApiEndpoint.Open _ = open(second, access)) {
            try (ApiEndpoint.Open _ = open(first, access)) {
                browser.open(first + "/#/script");
                browser.logIn(owner.text());
                browser.await(LIVE);
                write(browser, "a draft");
            }

            browser.await("location.href.startsWith(arguments[0])", second.toString());
            browser.await(LIVE);
            browser.awaitText("which has not answered");
            assertThat(browser.url()).isEqualTo(second + "/#/script");
            assertThat(draft(browser)).isEqualTo("a draft");
            String ticket = browser.run(MOVE_OF_THIS_PAGE);
            browser.run("localStorage.removeItem('starling.draft')");

            browser.open("about:blank");
            browser.open(second + "/" + ticket);
            browser.await(LIVE);
            assertThat(draft(browser)).as("of one who is logged in").isEqualTo("null");
            browser.run("document.getElementById('logout').click()");
            browser.await("!!document.getElementById('token')");
            browser.open("about:blank");
            browser.open(second + "/" + ticket.replace("ticket", "billet"));
            browser.awaitText("nowhere:1 has not answered. Log in here to go on.");
            assertThat(draft(browser)).as("without a ticket").isEqualTo("null");
            browser.open("about:blank");
            browser.open(second + "/" + ticket);
            browser.await(LIVE);
            assertThat(draft(browser)).as("with a good ticket").isEqualTo("planted");
        }
    }

    /** A link as another page might make it, with a ticket and key that are good. */
    private static final String MOVE_OF_THIS_PAGE =
            """
            const key = localStorage.getItem('starling.key');
            return fetch('/api/v1/session', {headers: {'X-Starling-Page': key}}).then(answer => answer.json()).then(who =>
              '#move=' + encodeURIComponent(JSON.stringify({ticket: who.ticket, key, draft: 'planted', route: '#/jobs', from: 'nowhere:1'})));
            """;

    /** Any user of the machine may have taken the port of a superpeer that is gone. */
    @Test
    void tellsWhoeverListensWithoutTlsTheViewAlone() throws Exception {
        AccessToken owner = AccessToken.fresh();
        HttpServer stranger =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        stranger.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                });
        URI first = URI.create("http://127.0.0.1:" + freePort());
        URI second = URI.create("http://127.0.0.1:" + stranger.getAddress().getPort());
        ApiAccess access =
                new ApiAccess(
                        FakeTokens.of(owner),
                        new AuditLog(folder, InstantSource.system()),
                        null,
                        SessionSeal.fresh(),
                        List.of(first, second));
        try (Browser browser = Browser.start(Browser.Look.DESK)) {
            try (ApiEndpoint.Open _ = open(first, access)) {
                browser.open(first + "/#/script");
                browser.logIn(owner.text());
                browser.await(LIVE);
                write(browser, "a draft");
            }
            stranger.start();

            browser.await("location.href.startsWith(arguments[0])", second.toString());
            assertThat(URLDecoder.decode(browser.url(), StandardCharsets.UTF_8))
                    .isEqualTo(
                            "%s/#move={\"route\":\"#/script\",\"from\":\"%s\"}"
                                    .formatted(second, first.getAuthority()));
        } finally {
            stranger.stop(0);
        }
    }

    /** And shows what it knew; when somebody answers again it goes on. */
    @Test
    void saysOfWhenItIsWhatItShowsWhileNobodyAnswers() throws Exception {
        AccessToken owner = AccessToken.fresh();
        ApiAccess access = FakeTokens.access(owner, folder);
        URI door = URI.create("http://127.0.0.1:" + freePort());
        try (Browser browser = Browser.start(Browser.Look.DESK)) {
            try (ApiEndpoint.Open _ = open(door, access)) {
                browser.open(door.toString());
                browser.logIn(owner.text());
                browser.await(LIVE);
                browser.awaitText("127.0.0.1:7420");
            }

            browser.await(
                    "/^No superpeer answers. What is shown was so at 20[-0-9]+ [:0-9]+ UTC. Trying again …$/.test(document.getElementById('state').textContent)");
            assertThat(browser.text()).contains("127.0.0.1:7420");
            try (ApiEndpoint.Open _ = open(door, access)) {
                browser.await(LIVE);
            }
        }
    }

    private static ApiEndpoint.Open open(URI door, ApiAccess access) {
        return new RestEndpoint()
                .open(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), door.getPort()),
                        new FakeService(),
                        access,
                        new FakeMonitor());
    }

    private static void write(Browser browser, String script) {
        browser.await("!!document.getElementById('script-text')");
        browser.run(
                "const t = document.getElementById('script-text'); t.value = arguments[0]; t.dispatchEvent(new InputEvent('input'))",
                script);
    }

    private static String draft(Browser browser) {
        return browser.run("return localStorage.getItem('starling.draft')");
    }

    /** With kill -9, while a job is watched; without TLS the token is asked for again. */
    @Test
    @Tag("slow")
    void goesOnWithAnotherSuperpeerWhenItsOwnIsKilled() throws Exception {
        try (Browser browser = Browser.start(Browser.Look.DESK);
                RealCluster cluster = RealCluster.start(folder, 3, 2)) {
            long job = cluster.submit(LONG_JOB);
            String first = door(cluster, 1);
            browser.open(first + "#/script");
            browser.logIn(token().text());
            write(browser, "{\"a draft\": 1}");
            browser.go("#/jobs/" + job, "Job " + job);
            browser.await(LIVE);
            browser.await("document.getElementById('job-does').textContent.includes('superstep')");

            kill(process(cluster, 1));

            browser.await("!location.href.startsWith(arguments[0])", first);
            browser.awaitText("has not answered. Log in here to go on.");
            assertThat(browser.run("return localStorage.length")).isEqualTo("0");
            browser.logIn(token().text());
            browser.await(LIVE);
            browser.await("document.getElementById('job-does').textContent.includes('superstep')");
            assertThat(browser.text()).contains("which has not answered");
            assertThat(browser.url()).endsWith("/#/jobs/" + job);
            assertThat(browser.run("return history.length + location.href"))
                    .doesNotContain("move=");
            browser.picture("after-a-kill");
            cluster.client().cancel(job);
            browser.await("document.getElementById('job-status').textContent === 'cancelled'");
        }
    }

    /**
     * Ten thousand supersteps of 64 shards: the page draws as much as it has pixels for, and no
     * peak is lost. How long a picture takes is written beside the others.
     */
    @Test
    @Tag("slow")
    void drawsTenThousandSuperstepsOf64Shards() throws Exception {
        int port = freePort();
        AccessToken owner = AccessToken.fresh();
        try (Browser browser = Browser.start(Browser.Look.DESK);
                ApiEndpoint.Open _ =
                        new RestEndpoint()
                                .open(
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), port),
                                        new FakeService(),
                                        FakeTokens.access(owner, folder),
                                        new FakeMonitor())) {
            browser.open("http://127.0.0.1:%d/".formatted(port));
            browser.await("!!document.getElementById('token')");
            browser.run(BIG);
            browser.await("window.figures");

            Object figures = JsonText.parse(browser.run("return JSON.stringify(window.figures)"));
            browser.picture("ten-thousand-supersteps");
            Files.writeString(
                    Path.of("target", "screenshots", "ten-thousand-supersteps.json"),
                    JsonText.write(figures));
            assertThat(figures)
                    .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                    .containsEntry("peak", 1000000L)
                    .containsEntry("painted", true)
                    .containsEntry("frames", 60L)
                    .hasEntrySatisfying(
                            "points", points -> assertThat((Long) points).isBetween(500L, 2001L));
            assertThat(browser.complaints()).isEmpty();
        }
    }

    private static final String BIG =
            """
            (async () => {
              const {HeatMap} = await import('/page/heat.js');
              const {LineChart, thin} = await import('/page/charts.js');
              const columns = 10000, rows = 64, values = new Float32Array(columns * rows);
              for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++)
                values[r * columns + c] = (1 + Math.sin(c / 300 + r / 5)) * ((c * 31 + r * 17) % 97) / 97;
              const map = new HeatMap('Time of each shard'), chart = new LineChart({title: 'Messages', x: 'superstep', unit: 'messages'});
              const main = document.getElementById('main');
              main.replaceChildren(map.element, chart.element);
              const xs = Array.from({length: columns}, (_, i) => i), ys = xs.map(i => 1000 + (i * 7919) % 977);
              ys[7777] = 1000000;
              const times = [];
              for (let frame = 0; frame < 60; frame++) {
                const began = performance.now();
                values[frame] += 1;
                map.set(values, columns, rows, (c, r) => `${c} ${r}`);
                map.draw();
                chart.set(xs, ys);
                chart.draw();
                times.push(performance.now() - began);
                await new Promise(requestAnimationFrame);
              }
              times.sort((a, b) => a - b);
              const pixels = map.canvas.getContext('2d').getImageData(0, 0, map.canvas.width, map.canvas.height).data;
              window.figures = {frames: times.length, medianMillis: times[30], mostMillis: times[59],
                points: thin(xs, ys)[0].length, peak: Math.max(...thin(xs, ys)[1]), painted: pixels.some(p => p > 0)};
            })();
            """;

    private static void submit(Browser browser, String script, String button) {
        browser.go("#/script", "Script");
        browser.run(
                "document.getElementById('script-text').value = arguments[0]; document.getElementById(arguments[1]).click()",
                script,
                button);
    }

    private AccessToken token() {
        return AccessToken.read(folder.resolve("cluster").resolve("token"));
    }

    /** A real cluster's REST ports are as far above the others. */
    private static String door(RealCluster cluster, int superpeer) {
        return "http://127.0.0.1:%d/".formatted(process(cluster, superpeer).port() + 90);
    }

    private static ClusterProcess process(RealCluster cluster, int superpeer) {
        return cluster.processes().processes().stream()
                .filter(one -> one.name().equals("superpeer-" + superpeer))
                .findFirst()
                .orElseThrow();
    }

    private static void kill(ClusterProcess process) {
        ProcessHandle handle = ProcessHandle.of(process.pid()).orElseThrow();
        assertThat(handle.destroyForcibly()).isTrue();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
