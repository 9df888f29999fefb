package org.starling.compute.script;

import java.util.ArrayList;
import java.util.List;

/**
 * How a running job has come to where it is, superstep by superstep, as its master remembers it; a
 * long one's supersteps are put together. Nothing of it is kept: a new master begins anew.
 *
 * @param points in their order, at most {@link #MAX_POINTS}
 */
public record JobCourse(List<Point> points) {
    /** Most points that a master remembers of a job. */
    public static final int MAX_POINTS = 1024;

    /**
     * A superstep, or a few consecutive ones.
     *
     * @param task how many tasks had begun, this one included
     * @param name of the task
     * @param first number of the first superstep of the program
     * @param last number of the last one
     * @param active vertices that computed, in all of them together
     * @param messages that were sent in them
     * @param checkpoint whether there was a checkpoint behind one of them
     */
    public record Point(
            int task,
            String name,
            int first,
            int last,
            long active,
            long messages,
            boolean checkpoint) {
        /** This one and the next as one. */
        Point and(Point next) {
            return new Point(
                    task,
                    name,
                    first,
                    next.last,
                    active + next.active,
                    messages + next.messages,
                    checkpoint || next.checkpoint);
        }

        private boolean goesOnWith(Point next) {
            return task == next.task && last + 1 == next.first;
        }
    }

    /** Copies the list. */
    public JobCourse {
        points = List.copyOf(points);
    }

    /** Points as they come, put together when there are too many. Confined to one thread. */
    public static final class Log {
        private final ArrayList<Point> points = new ArrayList<>();
        private int stride = 1;

        /** Remembers a superstep. */
        public void add(Point next) {
            if (points.isEmpty() || !points.getLast().goesOnWith(next)) {
                stride = 1;
            } else if (span(points.getLast()) < stride) {
                points.add(points.removeLast().and(next));
                return;
            }
            points.add(next);
            if (points.size() > MAX_POINTS) {
                thin();
            }
        }

        /** There is a checkpoint behind the superstep that was the last. */
        public void checkpointed() {
            if (!points.isEmpty()) {
                Point last = points.removeLast();
                points.add(
                        new Point(
                                last.task,
                                last.name,
                                last.first,
                                last.last,
                                last.active,
                                last.messages,
                                true));
            }
        }

        /** What is remembered. */
        public JobCourse course() {
            return new JobCourse(points);
        }

        private static int span(Point point) {
            return point.last - point.first + 1;
        }

        private void thin() {
            ArrayList<Point> fewer = new ArrayList<>();
            for (Point point : points) {
                boolean joins =
                        !fewer.isEmpty()
                                && fewer.getLast().goesOnWith(point)
                                && span(fewer.getLast()) <= stride;
                fewer.add(joins ? fewer.removeLast().and(point) : point);
            }
            stride *= 2;
            points.clear();
            int dropped = Math.max(0, fewer.size() - MAX_POINTS / 2 - MAX_POINTS / 4);
            points.addAll(fewer.subList(dropped, fewer.size()));
        }
    }
}
