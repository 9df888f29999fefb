package org.starling.net.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Finds the handles through which fields are changed that several threads change. */
final class Fields {

    private Fields() {}

    /** A field of whoever looks it up, which is there. */
    static VarHandle handle(MethodHandles.Lookup owner, String name, Class<?> type) {
        return handle(owner, owner.lookupClass(), name, type);
    }

    /** The same of another class. */
    static VarHandle handle(
            MethodHandles.Lookup lookup, Class<?> owner, String name, Class<?> type) {
        try {
            return lookup.findVarHandle(owner, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
