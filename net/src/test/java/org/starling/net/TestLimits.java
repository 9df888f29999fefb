package org.starling.net;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import org.starling.net.internal.Limits;
import org.starling.net.internal.Messenger;

/** How test nodes are opened: what users choose, and bounds that are soon reached. Immutable. */
public record TestLimits(NetConfig config, Limits limits) {

    public static TestLimits defaults() {
        return new TestLimits(NetConfig.defaults(), Limits.DEFAULTS);
    }

    /** Opens a network so. */
    Network open(int nodeId, Transport transport) {
        return Network.open(nodeId, transport, config, limits);
    }

    /** The inside of a network that is not open. */
    public Messenger messenger(int nodeId, Transport transport) {
        return new Messenger(nodeId, transport, config, limits);
    }

    public TestLimits withMaxMessageBytes(int value) {
        return with("maxMessageBytes", value);
    }

    public TestLimits withRingBytes(int value) {
        return with("ringBytes", value);
    }

    public TestLimits withIncomingBufferBytes(int value) {
        return with("incomingBufferBytes", value);
    }

    public TestLimits withWindowBytes(int value) {
        return with("windowBytes", value);
    }

    public TestLimits withWorkers(int workers, int maxWorkers) {
        return with("workers", workers).with("maxWorkers", maxWorkers);
    }

    public TestLimits withConnectTimeout(Duration value) {
        return with("connectTimeout", value);
    }

    TestLimits withSendTimeout(Duration value) {
        return with("sendTimeout", value);
    }

    TestLimits withMaxPendingRequests(int value) {
        return with("maxPendingRequests", value);
    }

    public TestLimits withMaxConnections(int value) {
        return with("maxConnections", value);
    }

    private TestLimits with(String name, Object value) {
        RecordComponent[] components = Limits.class.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        try {
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                boolean isChanged = components[i].getName().equals(name);
                values[i] = isChanged ? value : components[i].getAccessor().invoke(limits);
            }
            return new TestLimits(
                    config, Limits.class.getDeclaredConstructor(types).newInstance(values));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name + " of " + Arrays.toString(components), e);
        }
    }
}
