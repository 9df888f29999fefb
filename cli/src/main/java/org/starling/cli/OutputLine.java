package org.starling.cli;

import java.nio.file.Path;
import java.util.List;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.objects.ObjectPlace;

/**
 * Where a command writes: a file, or an object.
 *
 * @param name as the command's task takes it
 * @param hosts the place that the object is in, if it is one
 * @param files the file, if it is one
 */
record OutputLine(String name, List<String> hosts, List<Path> files) {
    static OutputLine of(String operand, Terminal terminal) {
        if (ObjectName.isName(operand)) {
            ObjectPlace place = ObjectPlace.of(ObjectName.parse(operand), true);
            return new OutputLine(operand, List.of(place.toString()), List.of());
        }
        Path file = terminal.file(operand);
        return new OutputLine(file.toString(), List.of(), List.of(file));
    }
}
