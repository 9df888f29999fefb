package org.starling.compute.objects;

import java.util.Optional;
import org.starling.graph.InvalidInputException;

/**
 * What an object store refuses, in a sentence with what to do; nothing of it comes from the
 * server's own sentences, which may show whose keys they were. Stateless.
 */
public final class ObjectRefusal {
    private static final String ASKED_TOO_OFTEN = "SlowDown";

    private ObjectRefusal() {}

    /** What was meant to be done. */
    public enum Deed {
        /** The bytes of an object. */
        READ("read", "s3:GetObject"),
        /** The keys of a folder. */
        LIST("listed", "s3:ListBucket"),
        /** An object made or replaced. */
        WRITE("written", "s3:PutObject");

        private final String done;
        private final String right;

        Deed(String done, String right) {
            this.done = done;
            this.right = right;
        }
    }

    /** Whether the same question may be answered a little later. */
    public static boolean isPassing(int status, String body) {
        String code = ObjectAnswer.errorCode(body).orElse("");
        return status >= 500
                || status == 429
                || code.equals(ASKED_TOO_OFTEN)
                || code.equals("RequestTimeout");
    }

    /**
     * The sentence.
     *
     * @param region that the answer's header names; empty if it names none
     * @param body the answer's, empty if it has none
     */
    public static InvalidInputException of(
            ObjectName name,
            Deed deed,
            int status,
            Optional<String> region,
            String body,
            ObjectAccount account) {
        String code = ObjectAnswer.errorCode(body).orElse("");
        Optional<String> other =
                region.or(() -> ObjectAnswer.errorRegion(body))
                        .filter(found -> !found.equals(account.region()))
                        .filter(found -> found.matches("[A-Za-z0-9-]{1,64}"));
        boolean isElsewhere =
                status == 301
                        || status == 307
                        || code.equals("AuthorizationHeaderMalformed")
                        || (status == 400 && other.isPresent());
        String why =
                isElsewhere
                        ? elsewhere(name, other, account)
                        : switch (status) {
                            case 401, 403 -> forbidden(code, deed, account);
                            case 404 -> missing(code, name, deed, account);
                            case 412 -> "the object was changed while it was read; try again";
                            case 416 ->
                                    "the object has become shorter while it was read; try again";
                            default ->
                                    isPassing(status, body)
                                            ? "the object store is busy or has failed, also when it was asked again; try again later"
                                            : "the object store refuses that"
                                                    + (code.isEmpty() ? "" : " (" + code + ")");
                        };
        return new InvalidInputException(
                "%s can't be %s: %s (status %d)".formatted(name, deed.done, why, status));
    }

    private static String elsewhere(
            ObjectName name, Optional<String> other, ObjectAccount account) {
        return other.map(region ->
                        "bucket %s is in region %s, and was asked for in %s; set AWS_REGION=%s in this node's environment"
                                .formatted(name.bucket(), region, account.region(), region))
                .orElse(
                        "bucket %s is not at %s; set AWS_REGION to its region in this node's environment, or AWS_ENDPOINT_URL to its server"
                                .formatted(name.bucket(), account.place()));
    }

    private static String forbidden(String code, Deed deed, ObjectAccount account) {
        if (account.keys() == null) {
            return "this node has no keys, and not everybody may do that; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in its environment, or AWS_SHARED_CREDENTIALS_FILE";
        }
        return switch (code) {
            case "InvalidAccessKeyId", "SignatureDoesNotMatch" ->
                    "%s does not know this node's keys; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in its environment, or the file of keys"
                            .formatted(account.place());
            case "ExpiredToken", "InvalidToken", "TokenRefreshRequired" ->
                    "this node's keys are not valid any more; give it new ones with their AWS_SESSION_TOKEN";
            case "RequestTimeTooSkewed", "RequestExpired" -> "this node's clock is wrong; set it";
            default ->
                    "this node's keys may not do that; give them the right %s, or name another bucket"
                            .formatted(deed.right);
        };
    }

    private static String missing(String code, ObjectName name, Deed deed, ObjectAccount account) {
        if (code.equals("NoSuchBucket") || deed != Deed.READ) {
            return "there is no bucket %s at %s; check its name"
                    .formatted(name.bucket(), account.place());
        }
        return "there is no such object; check the key, or end it in / for all objects of a folder";
    }
}
