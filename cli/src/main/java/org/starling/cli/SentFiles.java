package org.starling.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.starling.compute.cluster.ClusterException;
import org.starling.compute.cluster.UploadService;
import org.starling.compute.cluster.UploadService.UploadView;
import org.starling.graph.FileTrouble;
import org.starling.graph.InvalidInputException;

/**
 * Files from here that a script reads on a cluster: brought there piece by piece before the job is
 * submitted, and removed when it has ended. Used by one thread.
 */
final class SentFiles {
    static final String SEND = "send";

    private static final int PIECE_BYTES = 8 << 20;

    /** A piece that fails so often in a row is given up. */
    private static final int MAX_TRIES = 5;

    private static final int TENTHS = 10;

    private final List<Path> files;
    private final Terminal terminal;
    private final List<String> ids = new ArrayList<>();

    private SentFiles(List<Path> files, Terminal terminal) {
        this.files = files;
        this.terminal = terminal;
    }

    static Option option() {
        return Command.valued(
                SEND,
                "FILE,…",
                "files here that the script names and the cluster does not have: they are sent there, and are gone with the job");
    }

    /**
     * The files that a command line names.
     *
     * @throws InvalidInputException if one can't be read
     */
    static SentFiles of(CommandLine line, Terminal terminal) {
        List<Path> files = new ArrayList<>();
        for (String name : line.getOptionValue(SEND, "").split(",", -1)) {
            if (name.isEmpty()) {
                continue;
            }
            Path file = terminal.file(name).toAbsolutePath().normalize();
            if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
                throw new InvalidInputException(
                        "--send: there is no file %s that can be read".formatted(file));
            }
            files.add(file);
        }
        if (line.hasOption(SEND) && files.isEmpty()) {
            throw new UsageException("--send needs the names of files, with commas between them");
        }
        return new SentFiles(files, terminal);
    }

    /**
     * Brings all to the cluster.
     *
     * @return by their paths here, what the cluster calls them
     */
    Map<String, String> bring(UploadService uploads) {
        Map<String, String> sent = new LinkedHashMap<>();
        for (Path file : files) {
            sent.put(file.toString(), bring(file, uploads));
        }
        return sent;
    }

    /** Removes what was brought; what can't be removed goes by itself after a day. */
    void remove(UploadService uploads) {
        for (String id : ids) {
            try {
                boolean _ = uploads.remove(id);
            } catch (ClusterException down) {
                terminal.err()
                        .printf(
                                "starling: what was sent along stays there for a day: %s%n",
                                down.getMessage());
            }
        }
        ids.clear();
    }

    private String bring(Path file, UploadService uploads) {
        String name = String.valueOf(file.getFileName());
        try (InputStream in = Files.newInputStream(file)) {
            long bytes = Files.size(file);
            UploadView view = uploads.begin(name, bytes);
            ids.add(view.id());
            while (view.received() < bytes) {
                byte[] piece = in.readNBytes((int) Math.min(PIECE_BYTES, bytes - view.received()));
                if (piece.length == 0) {
                    throw new InvalidInputException(
                            "--send: %s has become shorter while it was sent".formatted(file));
                }
                UploadView next = bring(piece, view, uploads);
                if (next.received() * TENTHS / bytes > view.received() * TENTHS / bytes) {
                    terminal.err()
                            .printf(
                                    "%s: %s of %s sent%n",
                                    name,
                                    ByteSize.mebibytes(next.received()),
                                    ByteSize.mebibytes(bytes));
                }
                view = next;
            }
            return view.file();
        } catch (IOException unreadable) {
            throw FileTrouble.refusal(file, "sent", unreadable);
        }
    }

    /** An answer may be lost though the piece has come, or a part of it: then the rest is sent. */
    private static UploadView bring(byte[] piece, UploadView before, UploadService uploads)
            throws IOException {
        long end = before.received() + piece.length;
        UploadView now = before;
        for (int tries = 1; now.received() < end; tries++) {
            int done = (int) (now.received() - before.received());
            try {
                now =
                        there(
                                uploads.append(
                                        now.id(),
                                        now.received(),
                                        new ByteArrayInputStream(
                                                piece, done, piece.length - done)));
            } catch (ClusterException | UploadService.OutOfStepException failed) {
                if (tries == MAX_TRIES) {
                    throw failed;
                }
                now = there(uploads.find(now.id()));
            }
        }
        return now;
    }

    private static UploadView there(Optional<UploadView> view) {
        return view.orElseThrow(() ->
                new ClusterException(
                        "somebody has removed a file while it was sent; submit again"));
    }
}
