package org.starling.cli.plot;

import java.util.List;
import java.util.Locale;

/**
 * Panels below one another as an SVG document, light or dark as whoever looks at it prefers. It
 * holds no script, no link and no address; the only fonts are those of whoever looks. Stateless.
 */
public final class Picture {
    private static final double WIDTH = 760;
    private static final double MARGIN = 16;
    private static final double HEADING = 44;
    private static final double PANEL = 300;

    private static final String STYLE =
            """
            svg { --ground: #ffffff; --ink: #1b1f24; --faint: #d6dade; --soft: #57606a;
                  --a: #0b62b8; --b: #b3460b; font-family: system-ui, sans-serif; font-size: 12px }
            @media (prefers-color-scheme: dark) {
              svg { --ground: #14171a; --ink: #e9ecef; --faint: #343a40; --soft: #a6adb4;
                    --a: #6cb2ff; --b: #ffa266 }
            }
            .ground { fill: var(--ground) } text { fill: var(--ink) } .soft { fill: var(--soft) }
            .heading { font-size: 18px; font-weight: 600 } .title { font-size: 14px; font-weight: 600 }
            .grid { stroke: var(--faint); stroke-width: 1 } .axis { stroke: var(--soft); stroke-width: 1 }
            .line { fill: none; stroke-width: 2; stroke-linejoin: round }
            .line.s0, .bar.s0 { stroke: var(--a) } .line.s1, .bar.s1 { stroke: var(--b) }
            .line.s1 { stroke-dasharray: 6 3 }
            .dot.s0, .bar.s0 { fill: var(--a) } .dot.s1, .bar.s1 { fill: var(--b) }
            .key { stroke-width: 8 } .end { text-anchor: end } .middle { text-anchor: middle }
            """;

    private Picture() {}

    /**
     * The document.
     *
     * @param title what all of it is
     * @param panels at least one
     */
    public static String of(String title, List<Panel> panels) {
        double height = HEADING + panels.size() * PANEL + MARGIN;
        SvgText svg = new SvgText();
        svg.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "viewBox",
                "0 0 %s %s".formatted(SvgText.number(WIDTH), SvgText.number(height)),
                "width",
                WIDTH,
                "height",
                height,
                "role",
                "group",
                "aria-labelledby",
                "title desc");
        svg.leaf("title", title, "id", "title");
        svg.leaf(
                "desc",
                String.format(
                        Locale.ROOT,
                        "%d %s, one below the other.",
                        panels.size(),
                        panels.size() == 1 ? "chart" : "charts"),
                "id",
                "desc");
        svg.leaf("style", STYLE);
        svg.empty("rect", "class", "ground", "width", WIDTH, "height", height);
        svg.leaf(
                "text",
                Drawing.shortened(title),
                "class",
                "heading",
                "x",
                MARGIN,
                "y",
                MARGIN + 16);
        for (int i = 0; i < panels.size(); i++) {
            new Drawing(panels.get(i), i, HEADING + i * PANEL, WIDTH, PANEL).into(svg);
        }
        return svg.close().document();
    }
}
