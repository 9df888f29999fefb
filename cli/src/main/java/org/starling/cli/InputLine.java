package org.starling.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.starling.compute.inputs.OtherInputs;
import org.starling.compute.inputs.WebHosts;
import org.starling.compute.objects.ObjectName;
import org.starling.compute.objects.ObjectPlace;

/**
 * What a command reads: a file, standard input ({@code -}), an address or an object.
 *
 * @param name as the command's task takes it
 * @param hosts web servers that may be asked for it; the one that the address names is one of them,
 *     and the folder that the object is in
 * @param files the file, if it is one
 */
record InputLine(String name, List<String> hosts, List<Path> files) {
    static InputLine of(String operand, CommandLine line, Terminal terminal) {
        List<String> hosts = new ArrayList<>(ScriptLine.allowedHosts(line));
        if (ObjectName.isName(operand)) {
            hosts.add(ObjectPlace.of(ObjectName.parse(operand), false).toString());
        } else if (OtherInputs.isAddress(operand)) {
            hosts.add(WebHosts.entryOf(OtherInputs.address(operand)));
        }
        if (OtherInputs.isName(operand)) {
            return new InputLine(operand, hosts, List.of());
        }
        Path file = terminal.file(operand);
        return new InputLine(file.toString(), hosts, List.of(file));
    }

    static Option allowUrlOption() {
        return ScriptLine.allowUrlOption("a web server that the address may lead on to");
    }
}
