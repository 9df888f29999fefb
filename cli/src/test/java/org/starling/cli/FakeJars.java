package org.starling.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.starling.compute.cluster.JarService;
import org.starling.compute.jars.JarContents;
import org.starling.compute.jars.JarInspection;
import org.starling.compute.jars.JarRules;
import org.starling.graph.InvalidInputException;

/** Jars that are looked into and then only noted. Guarded by itself. */
public final class FakeJars implements JarService {
    private final Map<String, JarView> jars = new TreeMap<>();
    private JarRules rules = JarRules.DEFAULT;
    private int asked;

    /** What it says of code of users. */
    public synchronized void setRules(JarRules others) {
        rules = others;
    }

    /** How often somebody has asked what is missing. */
    public synchronized int asked() {
        return asked;
    }

    @Override
    public synchronized List<String> missing(List<JarView> wanted) {
        asked++;
        rules.checkAllowed();
        wanted.forEach(jar -> rules.checkSize(jar.name(), jar.bytes()));
        return wanted.stream().map(JarView::digest).filter(d -> !jars.containsKey(d)).toList();
    }

    @Override
    public synchronized void bring(String digest, String name, Path file) {
        JarContents found = JarInspection.of(file, name, rules);
        if (!found.jar().digest().equals(digest)) {
            throw new InvalidInputException(name + " has another digest");
        }
        jars.put(digest, new JarView(digest, name, found.jar().bytes(), found.providerNames()));
    }

    @Override
    public synchronized List<JarView> list() {
        return List.copyOf(jars.values());
    }

    @Override
    public synchronized boolean remove(String digest) {
        return jars.remove(digest) != null;
    }
}
