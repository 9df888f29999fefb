package org.starling.compute.cluster;

import java.io.FileNotFoundException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.starling.compute.cluster.ClusterClient.Answer;
import org.starling.compute.jars.UserJar;
import org.starling.compute.script.JsonText;
import org.starling.graph.FileTrouble;

/** The jars of a running cluster, asked over REST. Any thread. */
final class JarClient implements JarService {
    /** What jars travel as; no web page can declare it without being asked first. */
    static final String MEDIA_TYPE = "application/java-archive";

    private static final String PATH = "/jars";

    /** A jar of the largest size over a slow line, and its writing to all copies. */
    private static final Duration BRING_TIMEOUT = Duration.ofMinutes(5);

    private final ClusterClient client;

    JarClient(ClusterClient client) {
        this.client = client;
    }

    @Override
    public List<String> missing(List<JarView> jars) {
        String question = JsonText.write(Map.of("jars", jars.stream().map(JarView::tree).toList()));
        return client.ask(PATH + "/missing", ClusterClient.post(question))
                .as(Missing.class)
                .missing();
    }

    private record Missing(List<String> missing) {}

    @Override
    public void bring(String digest, String name, Path file) {
        String path = PATH + "/" + digest + "?name=" + ClusterClient.encoded(name);
        client.ask(
                        path,
                        builder ->
                                put(builder, file)
                                        .header("Content-Type", MEDIA_TYPE)
                                        .expectContinue(true) // or a refusal may go unread
                                        .timeout(BRING_TIMEOUT))
                .good();
    }

    private static HttpRequest.Builder put(HttpRequest.Builder builder, Path file) {
        try {
            return builder.PUT(BodyPublishers.ofFile(file));
        } catch (FileNotFoundException gone) {
            throw FileTrouble.refusal(file, "read", gone);
        }
    }

    @Override
    public List<JarView> list() {
        return client.get(PATH).list("jars", JarView.class);
    }

    @Override
    public boolean remove(String digest) {
        Answer answer =
                client.ask(PATH + "/" + UserJar.checkDigest(digest), HttpRequest.Builder::DELETE);
        return answer.found().isPresent();
    }
}
