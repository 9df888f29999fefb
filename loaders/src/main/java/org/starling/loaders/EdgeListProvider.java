package org.starling.loaders;

/**
 * Edge source {@code edgelist}: SNAP, TSV, CSV and their kin. A line is {@code source separator
 * target [separator weight] [anything more]}; lines that begin with {@code #} or {@code %} and
 * empty ones are skipped. Ids are sparse, 0 to 2⁶⁴ − 1; weights are finite and not negative.
 *
 * <p>A first line of data {@code source,target,weight:float,since:int} is a header: each column
 * behind the ids has a type ({@code boolean}, {@code int}, {@code long}, {@code float}, {@code
 * double}; {@code float[3]} for vectors, whose elements have blanks between them) and is a property
 * of the edges; {@code weight} is their weight. Then every line has as many fields as the header. A
 * file of vertices has such a header, too, that begins with {@code id}.
 *
 * <p>With {@code ids} {@code text} ids are texts: fields of any UTF-8, in quotation marks if the
 * separator, a quotation mark (written twice) or blanks at their ends belong to them, or if they
 * begin the first line of data with {@code #} or {@code %}: behind that line there are no comments,
 * as ids may begin so. Without it they are numbers.
 *
 * <p>A header may also have its columns in any order, under any names: the parameters {@code
 * source}, {@code target} and {@code weight} say which are which (otherwise they have these names),
 * {@code columns} says types, as texts {@code name:type}; {@code int?} allows empty fields, which
 * stand for 0, false or an empty text, {@code none} leaves a column out. Types that nobody says
 * follow from the first lines. {@code header} says whether there is one at all.
 *
 * <p>Several files are one list: the first one's header may stand in all of them. With {@code
 * badLines} {@code skip} lines that make no sense are passed over and counted.
 *
 * <p>Parameters: {@code file} (absolute path), or {@code files} (several); {@code vertices} (file
 * of vertices, if there is one, or several), {@code ids} ({@code number} or {@code text}), {@code
 * separator} (otherwise taken from the first line of data), {@code weighted} (otherwise true if the
 * first line of data has a number in its third field), {@code partBytes} (size of parts, 4 MiB),
 * {@code weight} ({@code none} leaves weights out).
 */
public final class EdgeListProvider extends FormatProvider {
    public EdgeListProvider() {
        super(FileFormat.EDGE_LIST);
    }
}
