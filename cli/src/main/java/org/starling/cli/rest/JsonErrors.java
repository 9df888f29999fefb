package org.starling.cli.rest;

import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.starling.compute.script.JsonText;

/** Says in JSON what the server itself refuses, before a request has come to a route. Stateless. */
final class JsonErrors extends ErrorHandler {
    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        String sentence =
                switch (code) {
                    case HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431,
                            HttpStatus.URI_TOO_LONG_414 ->
                            "the request's headers have more than %d bytes"
                                    .formatted(RestEndpoint.MAX_HEADER_BYTES);
                    case HttpStatus.BAD_REQUEST_400 -> "this is no proper HTTP request: " + message;
                    default -> message == null ? HttpStatus.getMessage(code) : message;
                };
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        Content.Sink.write(response, true, JsonText.write(Map.of("error", sentence)), callback);
    }
}
