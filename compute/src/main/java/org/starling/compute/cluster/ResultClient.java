package org.starling.compute.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Results of a running cluster's jobs, asked over REST. Any thread. */
final class ResultClient implements ResultService {
    private static final int OK = 200;
    private static final int BLOCK_BYTES = 1 << 16;

    /** Times that the superpeers are asked for the rest of a result when connections break. */
    private static final int MAX_ROUNDS = 3;

    private final ClusterClient client;

    ResultClient(ClusterClient client) {
        this.client = client;
    }

    @Override
    public List<ResultView> list(long job) {
        return client.get(path(job)).list("results", ResultView.class);
    }

    /** What has come is not asked for again when another superpeer has to go on. */
    @Override
    public void read(long job, ResultView result, OutputStream out) throws IOException {
        Transfer transfer = new Transfer(job, result, out);
        String reason = "";
        for (int tries = 0; tries < MAX_ROUNDS * client.superpeers(); tries++) {
            @Nullable String broken = transfer.attempt(tries % client.superpeers());
            if (broken == null) {
                return;
            }
            reason = broken;
        }
        throw new ClusterException(
                "\"%s\" of job %d does not come: %s".formatted(result.file(), job, reason));
    }

    @Override
    public void remove(long job) {
        client.ask(path(job), HttpRequest.Builder::DELETE).good();
    }

    private static String path(long job) {
        return "/jobs/" + job + "/results";
    }

    /** A result on its way. */
    private final class Transfer {
        private final String path;
        private final long bytes;
        private final OutputStream out;
        private final byte[] block = new byte[BLOCK_BYTES];
        private long done;

        Transfer(long job, ResultView result, OutputStream out) {
            this.path =
                    ResultClient.path(job) + "/file?name=" + ClusterClient.encoded(result.file());
            this.bytes = result.bytes();
            this.out = out;
        }

        /** Asks one superpeer; why it did not end well, or null if it did. */
        @Nullable String attempt(int superpeer) throws IOException {
            HttpResponse<InputStream> answer;
            try {
                answer = client.open(superpeer, path);
            } catch (IOException unreachable) {
                return String.valueOf(unreachable.getMessage());
            }
            try (InputStream in = answer.body()) {
                if (answer.statusCode() != OK) {
                    return "a superpeer answered with status " + answer.statusCode();
                }
                return copy(in);
            }
        }

        private @Nullable String copy(InputStream in) throws IOException {
            long passed = 0;
            while (true) {
                int read;
                try {
                    read = in.read(block);
                } catch (IOException broken) {
                    return String.valueOf(broken.getMessage());
                }
                if (read < 0) {
                    return done == bytes ? null : "it has %d bytes of %d".formatted(passed, bytes);
                }
                int known = (int) Math.max(0, Math.min(read, done - passed));
                passed += read;
                if (passed > bytes) {
                    return "it has more than its %d bytes".formatted(bytes);
                }
                out.write(block, known, read - known);
                done = Math.max(done, passed);
            }
        }
    }
}
