package org.starling.net;

import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Believes everybody, and counts how often it is asked. */
final class Gullible extends X509ExtendedTrustManager {

    private final AtomicInteger asked = new AtomicInteger();

    int asked() {
        return asked.get();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
        asked.incrementAndGet();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
        asked.incrementAndGet();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
        asked.incrementAndGet();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
        asked.incrementAndGet();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
        asked.incrementAndGet();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
        asked.incrementAndGet();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
