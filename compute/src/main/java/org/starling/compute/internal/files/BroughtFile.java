package org.starling.compute.internal.files;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * Where a file lies that was brought to the cluster: {@code ROOT/.starling/uploads/ID/NAME} if it
 * was sent along, {@code ROOT/.starling/inputs/ID/NUMBER/NAME} if a master fetched it. Immutable.
 *
 * @param root a folder that scripts may use
 * @param own the folder of what was brought together: {@code …/ID}
 * @param file the file
 */
record BroughtFile(Path root, Path own, Path file) {
    private static final String HIDDEN = ".starling";
    private static final String UPLOADS = "uploads";
    private static final String INPUTS = "inputs";

    /** Below {@code .starling}: kind, ID, and name; a number before the name of fetched ones. */
    private static final int UPLOAD_PARTS = 3;

    private static final int INPUT_PARTS = 4;

    /** None if a file that was brought does not lie so. */
    static Optional<BroughtFile> of(Path file) {
        if (!file.isAbsolute() || !file.equals(file.normalize())) {
            return Optional.empty();
        }
        List<String> parts =
                StreamSupport.stream(file.spliterator(), false).map(Path::toString).toList();
        int hidden = parts.lastIndexOf(HIDDEN);
        if (hidden < 0 || hidden + 1 >= parts.size()) {
            return Optional.empty();
        }
        String kind = parts.get(hidden + 1);
        int below = parts.size() - hidden - 1;
        boolean fits =
                (kind.equals(UPLOADS) && below == UPLOAD_PARTS)
                        || (kind.equals(INPUTS) && below == INPUT_PARTS);
        boolean isHidden = parts.getLast().startsWith(".");
        if (!fits || isHidden) {
            return Optional.empty();
        }
        Path top = file.getRoot();
        Path root = hidden == 0 ? top : top.resolve(file.subpath(0, hidden));
        return Optional.of(new BroughtFile(root, top.resolve(file.subpath(0, hidden + 3)), file));
    }
}
