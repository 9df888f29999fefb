package org.starling.compute.cluster;

import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.starling.compute.access.AccessRole;
import org.starling.compute.access.TokenService;
import org.starling.compute.script.JsonText;

/** The tokens of a running cluster, asked over REST. Any thread. */
final class TokenClient implements TokenService {
    private static final String PATH = "/tokens";

    private final ClusterClient client;

    TokenClient(ClusterClient client) {
        this.client = client;
    }

    @Override
    public void create(String name, AccessRole role, String digest, @Nullable Duration lifetime) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", name);
        tree.put("role", role.text());
        tree.put("digest", digest);
        if (lifetime != null) {
            tree.put("lifetimeSeconds", lifetime.toSeconds());
        }
        client.ask(PATH, ClusterClient.post(JsonText.write(tree))).good();
    }

    @Override
    public List<TokenView> list() {
        return client.get(PATH).list("tokens", TokenView.class);
    }

    @Override
    public boolean revoke(String name) {
        String path = PATH + "/" + ClusterClient.encoded(name);
        return client.ask(path, HttpRequest.Builder::DELETE).found().isPresent();
    }
}
