package org.starling.compute.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.starling.compute.cluster.ClusterClient.Answer;
import org.starling.compute.script.JsonText;

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
        String asked = JsonText.write(Map.of("name", name, "bytes", bytes));
        return client.ask(PATH, ClusterClient.post(asked)).as(UploadView.class);
    }

    @Override
    public List<UploadView> list() {
        return client.get(PATH).list("uploads", UploadView.class);
    }

    @Override
    public Optional<UploadView> find(String id) {
        return client.get(PATH + "/" + id).found().map(UploadClient::view);
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
        return ClusterClient.record(UploadView.class, answer);
    }
}
