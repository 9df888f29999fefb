package org.starling.dashboard;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** A file of the page. Immutable. */
public final class PageFile {
    private static final int TAG_BYTES = 12;

    private final String name;
    private final String contentType;
    private final byte[] bytes;
    private final String tag;

    PageFile(String name, byte[] bytes) {
        this.name = name;
        this.contentType = typeOf(name);
        this.bytes = bytes.clone();
        this.tag = tagOf(bytes);
    }

    /** Its name, without a folder. */
    public String name() {
        return name;
    }

    /** For the header {@code Content-Type}. */
    public String contentType() {
        return contentType;
    }

    /** A copy of its content. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** For the header {@code ETag}: another content has another one. */
    public String tag() {
        return tag;
    }

    private static String typeOf(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html; charset=utf-8";
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "txt" -> "text/plain; charset=utf-8";
            default -> throw new IllegalArgumentException("the page has no file like " + name);
        };
    }

    private static String tagOf(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            byte[] start = Arrays.copyOf(digest, TAG_BYTES);
            return "\"" + Base64.getUrlEncoder().encodeToString(start) + "\"";
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }
}
