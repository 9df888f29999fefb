package org.starling.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.starling.compute.cluster.ResultService;

/** Results that a test has put there, of whatever job. Guarded by itself. */
public final class FakeResults implements ResultService {
    private final Map<String, byte[]> files = new TreeMap<>();
    private int readable = Integer.MAX_VALUE;

    /** One more. */
    public synchronized void put(String file, byte[] bytes) {
        files.put(file, bytes.clone());
    }

    /** Reading breaks off after so many bytes of each. */
    public synchronized void breakAfter(int bytes) {
        readable = bytes;
    }

    @Override
    public synchronized List<ResultView> list(long job) {
        return files.entrySet().stream()
                .map(file -> new ResultView(file.getKey(), file.getValue().length))
                .toList();
    }

    @Override
    public synchronized void read(long job, ResultView result, OutputStream out)
            throws IOException {
        byte[] bytes = Objects.requireNonNull(files.get(result.file()));
        out.write(bytes, 0, Math.min(bytes.length, readable));
        if (readable < bytes.length) {
            throw new org.starling.compute.cluster.ClusterException("a piece is lost");
        }
    }

    @Override
    public synchronized void remove(long job) {
        files.clear();
    }
}
