package org.starling.chat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Scanner;
import org.starling.net.AddressBook;
import org.starling.net.Execution;
import org.starling.net.NetConfig;
import org.starling.net.NetException;
import org.starling.net.Network;
import org.starling.net.RecordMessage;
import org.starling.net.RecordMessage.TypeId;
import org.starling.net.Transports;

/** Two processes talk: {@code Chat 1 7101 7102} here, {@code Chat 2 7101 7102} there. */
public final class Chat {

    @TypeId(1)
    private record Line(String text) implements RecordMessage {}

    private Chat() {}

    /** Arguments: this node (1 or 2), the port of node 1, the port of node 2. */
    public static void main(String[] args) {
        int self = Integer.parseInt(args[0]);
        int other = 3 - self;
        InetAddress host = InetAddress.getLoopbackAddress();
        InetSocketAddress here = new InetSocketAddress(host, Integer.parseInt(args[self]));
        InetSocketAddress there = new InetSocketAddress(host, Integer.parseInt(args[other]));
        AddressBook book = node -> node == self ? here : there;
        try (Network network =
                        Network.open(self, Transports.ethernet(here, book), NetConfig.defaults());
                Scanner keyboard = new Scanner(System.in, StandardCharsets.UTF_8)) {
            network.handle(
                    RecordMessage.type(Line.class),
                    Execution.ORDERED,
                    (source, line) -> System.out.println(source + "> " + line.text()));
            System.out.println("node " + self + " is here; what you type goes to node " + other);
            while (keyboard.hasNextLine()) {
                say(network, other, keyboard.nextLine());
            }
        }
    }

    private static void say(Network network, int other, String text) {
        try {
            network.send(other, new Line(text));
        } catch (NetException e) {
            System.out.println(e.getMessage());
        }
    }
}
