package org.starling.net.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import org.starling.net.AddressBook;
import org.starling.net.ClusterSecret;

/**
 * How both ends of one connection prove that they know the cluster's secret, before the accepting
 * end says anything else:
 *
 * <pre>
 *   connecting end                       accepting end
 *   hello, nonce             ──────▶
 *                            ◀──────    nonce, proof
 *   proof                    ──────▶
 *                            ◀──────    hello, and so on
 * </pre>
 *
 * A proof signs which end speaks, the hello, both nonces and the node id of the accepting end; so
 * none is good for another connection, direction, cluster or node. Without a secret nothing of it
 * is on the wire but the hellos. Immutable.
 */
final class HandshakeProof {

    static final int NONCE_BYTES = 32;

    static final int BYTES = 32;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final byte[] CALLER = "caller".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ANSWERER = "answerer".getBytes(StandardCharsets.US_ASCII);

    private final ClusterSecret secret;
    private final byte[] hello;
    private final byte[] nonces;
    private final byte[] node;

    /**
     * For one connection.
     *
     * @param hello what the connecting end has said first
     * @param callerNonce of that end
     * @param answererNonce of the accepting end
     * @param answerer node id of the accepting end
     */
    HandshakeProof(
            ClusterSecret secret,
            byte[] hello,
            byte[] callerNonce,
            byte[] answererNonce,
            int answerer) {
        this(secret, hello, joined(callerNonce, answererNonce), answerer);
    }

    private HandshakeProof(ClusterSecret secret, byte[] hello, byte[] nonces, int answerer) {
        this.secret = secret;
        this.hello = hello;
        this.nonces = nonces;
        node = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(answerer).array();
    }

    static byte[] freshNonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return nonce;
    }

    /**
     * Refuses the accepting end unless it is the one that is wanted. If that was a guess, the book
     * is told whose proof it is: of all nodes that know the secret one alone has it.
     */
    void checkAnswerer(int wanted, byte[] found, AddressBook book) throws RefusedException {
        if (!MessageDigest.isEqual(ofAnswerer(), found) && book.isGuess(wanted)) {
            for (int node = 0; node <= HandshakeLayout.MAX_NODE_ID; node++) {
                if (MessageDigest.isEqual(
                        new HandshakeProof(secret, hello, nonces, node).ofAnswerer(), found)) {
                    book.answered(wanted, node);
                    throw new RefusedException(
                            "node " + node + " answers at the address of node " + wanted);
                }
            }
        }
        check(wanted, ofAnswerer(), found);
    }

    /** What the accepting end says. */
    byte[] ofAnswerer() {
        return secret.sign(ANSWERER, nonces, node, hello);
    }

    /** What the connecting end says. */
    byte[] ofCaller() {
        return secret.sign(CALLER, nonces, node, hello);
    }

    /** Refuses the other end unless it has said what it must. */
    static void check(int node, byte[] expected, byte[] found) throws RefusedException {
        if (!MessageDigest.isEqual(expected, found)) {
            throw new RefusedException(
                    "it calls itself node "
                            + node
                            + " and does not know the secret of this cluster: it is of another one, or is another node by now, or its keys are not this cluster's");
        }
    }

    static byte[] joined(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
    }
}
