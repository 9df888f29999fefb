package org.starling.cli;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.starling.compute.cluster.LogLine;
import org.starling.compute.cluster.LogSource;

/**
 * The last {@value #KEPT_LINES} lines that this process has logged, with at most {@value
 * #KEPT_CHARACTERS} characters together. Any thread.
 */
public final class RecentLog implements LogSource {
    static final int KEPT_LINES = 2000;
    static final int KEPT_CHARACTERS = 1 << 18;

    /** The rest of a longer line is left out. */
    static final int LONGEST = 2000;

    private static final Pattern CONTROL = Pattern.compile("\\p{Cc}+");

    private final class Keeper extends AbstractAppender {
        private Keeper() {
            super("recent", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            Throwable cause = event.getThrown();
            String message = event.getMessage().getFormattedMessage();
            keep(
                    new LogLine(
                            Instant.ofEpochMilli(event.getTimeMillis()).toString(),
                            level(event.getLevel()),
                            simple(event.getLoggerName()),
                            cut(cause == null ? message : message + " (" + cause + ")")));
        }
    }

    /** Guarded by itself. */
    private final Deque<LogLine> lines = new ArrayDeque<>();

    /** Guarded by the lines. */
    private int characters;

    private boolean hasBegun;

    /** Without lines. */
    public RecentLog() {}

    @Override
    public synchronized void begin() {
        // Where something else keeps the log there is nothing to add to.
        if (!hasBegun && LogManager.getContext(false) instanceof LoggerContext context) {
            Keeper keeper = new Keeper();
            keeper.start();
            context.getConfiguration().getRootLogger().addAppender(keeper, null, null);
            context.updateLoggers();
        }
        hasBegun = true;
    }

    @Override
    public List<LogLine> last(int count, LogLine.Level least) {
        List<LogLine> found = new ArrayList<>();
        synchronized (lines) {
            Iterator<LogLine> newest = lines.descendingIterator();
            while (newest.hasNext() && found.size() < count) {
                LogLine line = newest.next();
                if (line.level().isAtLeast(least)) {
                    found.add(line);
                }
            }
        }
        Collections.reverse(found);
        return found;
    }

    void keep(LogLine line) {
        synchronized (lines) {
            lines.addLast(line);
            characters += line.message().length();
            while (lines.size() > KEPT_LINES || characters > KEPT_CHARACTERS) {
                characters -= lines.removeFirst().message().length();
            }
        }
    }

    /** One line, which does nothing to a terminal but be read. */
    static String cut(String message) {
        String start = message.length() <= LONGEST ? message : message.substring(0, LONGEST) + " …";
        return CONTROL.matcher(start).replaceAll(" ");
    }

    private static String simple(String logger) {
        return logger.substring(logger.lastIndexOf('.') + 1);
    }

    private static LogLine.Level level(Level level) {
        if (level.isMoreSpecificThan(Level.ERROR)) {
            return LogLine.Level.ERROR;
        }
        if (level.isMoreSpecificThan(Level.WARN)) {
            return LogLine.Level.WARN;
        }
        return level.isMoreSpecificThan(Level.INFO) ? LogLine.Level.INFO : LogLine.Level.DEBUG;
    }
}
