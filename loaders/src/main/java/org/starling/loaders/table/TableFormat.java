package org.starling.loaders.table;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.starling.graph.InvalidInputException;
import org.starling.loaders.Packing;

/** The formats of files that tables are written to, with the names that scripts give them. */
public enum TableFormat {
    /** Fields with commas between them, below a header. */
    CSV("csv", true) {
        @Override
        public TableWriter begin(OutputStream out, List<TableColumn> columns) throws IOException {
            return new DelimitedWriter(out, columns, ',');
        }
    },
    /** Fields with tabs between them, below a header. */
    TSV("tsv", true) {
        @Override
        public TableWriter begin(OutputStream out, List<TableColumn> columns) throws IOException {
            return new DelimitedWriter(out, columns, '\t');
        }
    },
    /** A JSON object a line. */
    JSON_LINES("jsonl", true) {
        @Override
        public TableWriter begin(OutputStream out, List<TableColumn> columns) {
            return new JsonLinesWriter(out);
        }
    },
    /** Apache Parquet. */
    PARQUET("parquet", false) {
        @Override
        public TableWriter begin(OutputStream out, List<TableColumn> columns) throws IOException {
            return new ParquetWriter(out, columns);
        }
    },
    /** Files of Apache Arrow, also called Feather. */
    ARROW("arrow", false) {
        @Override
        public TableWriter begin(OutputStream out, List<TableColumn> columns) throws IOException {
            return new ArrowWriter(out, columns);
        }
    };

    private final String title;
    private final boolean isText;

    TableFormat(String title, boolean isText) {
        this.title = title;
        this.isText = isText;
    }

    /** The name in scripts, which is also how names of such files end. */
    public String title() {
        return title;
    }

    /** Whether people can read such files, and they can be packed from outside. */
    public boolean isText() {
        return isText;
    }

    /**
     * How names of parts end, without the point, of a result of that name: as it is packed.
     *
     * @throws InvalidInputException if the format can't be packed as the name says
     */
    public String ending(Path file) {
        requirePackable(file);
        return title + Packing.named(file).ending();
    }

    /** All names. */
    public static String[] titles() {
        return Arrays.stream(values()).map(TableFormat::title).toArray(String[]::new);
    }

    /**
     * The format of that name.
     *
     * @throws InvalidInputException if there is none
     */
    public static TableFormat named(String name) {
        for (TableFormat format : values()) {
            if (format.title.equals(name)) {
                return format;
            }
        }
        throw new InvalidInputException(
                "\"format\" must be one of %s, found \"%s\""
                        .formatted(String.join(", ", titles()), name));
    }

    /** The format that the ending of a file's name tells, whatever it is packed with. */
    public static Optional<TableFormat> ofName(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        String bare = name.substring(0, name.length() - Packing.named(file).ending().length());
        return Arrays.stream(values())
                .filter(format -> bare.endsWith("." + format.title))
                .findFirst();
    }

    /**
     * Throws if a file of that name would be packed, and such files can't be: they are packed
     * inside, or read in places.
     */
    void requirePackable(Path file) {
        Packing packing = Packing.named(file);
        if (!isText && packing != Packing.NONE) {
            throw new InvalidInputException(
                    "%s: a file of format %s is not packed from outside, since nothing would read it then (leave %s out of its name)"
                            .formatted(file.getFileName(), title, packing.ending()));
        }
    }

    /** Begins a table. */
    public abstract TableWriter begin(OutputStream out, List<TableColumn> columns)
            throws IOException;
}
