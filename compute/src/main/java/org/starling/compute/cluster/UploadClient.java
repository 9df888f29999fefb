package org.starling.compute.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.starling.compute.cluster.ClusterClient.Answer;
import org.starling.compute.script.JsonText;
import org.starling.compute.script.RecordJson;

/** Files that are brought to a running cluster over REST. Any thread. */
final class UploadClient implements UploadService {
    private static final String PATH = "/uploads";

    /** What pieces travel as; no web page can declare it without being asked first. */
    private static final String MEDIA_TYPE = "application/octet-stream";

    /** A piece of the largest size over a slow line. */
    private static final Duration PIECE_TIMEOUT = Duration.ofMinutes(5);

    private static final int CONFLICT = 409;

    private final ClusterClient client;

    UploadClient(ClusterClient client) {
        this.client = client;
    }

    @Override
    public UploadView begin(String name, long bytes) {
        Map<String, @Nullable Object> asked = new LinkedHashMap<>();
        asked.put("name", name);
        asked.put("bytes", bytes);
        return view(
                client.ask(
                                PATH,
                                builder ->
                                        builder.header("Content-Type", "application/json")
                                                .POST(
                                                        BodyPublishers.ofString(
                                                                JsonText.write(asked))))
                        .good());
    }

    @Override
    public List<UploadView> list() {
        return ClusterClient.read(
                client.ask(PATH, HttpRequest.Builder::GET).good(),
                tree -> RecordJson.PLAIN.list(UploadView.class, tree.get("uploads")));
    }

    @Override
    public Optional<UploadView> find(String id) {
        return client.ask(PATH + "/" + id, HttpRequest.Builder::GET)
                .found()
                .map(UploadClient::view);
    }

    @Override
    public Optional<UploadView> append(String id, long offset, InputStream piece)
            throws IOException {
        byte[] bytes = piece.readNBytes(MAX_PIECE_BYTES + 1);
        Answer answer =
                client.ask(
                        PATH + "/" + id + "?offset=" + offset,
                        builder ->
                                builder.header("Content-Type", MEDIA_TYPE)
                                        .timeout(PIECE_TIMEOUT)
                                        .PUT(BodyPublishers.ofByteArray(bytes)));
        if (answer.status() == CONFLICT) {
            throw new OutOfStepException(answer.error());
        }
        return answer.found().map(UploadClient::view);
    }

    @Override
    public boolean remove(String id) {
        return client.ask(PATH + "/" + id, HttpRequest.Builder::DELETE).found().isPresent();
    }

    private static UploadView view(Map<?, ?> answer) {
        return ClusterClient.read(answer, tree -> RecordJson.PLAIN.of(UploadView.class, tree));
    }
}
