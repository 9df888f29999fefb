package org.starling.net.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates are what they are meant to be, by the JDK's reading of them; and names. */
@Timeout(10)
class CertificateMakerTest {

    private static final Instant BEGIN = Instant.parse("2001-02-03T04:05:06Z");

    @ParameterizedTest
    @ValueSource(
            strings = {"2049-12-31T23:59:59Z", "2050-01-01T00:00:00Z", "9999-12-31T23:59:59Z"})
    void saysWhatItWasToldAndIsSigned(Instant end) throws Exception {
        CertificateMaker maker = new CertificateMaker("flock", BEGIN, end);
        KeyPair keys = CertificateMaker.freshKeys();

        X509Certificate authority = read(maker.authority());
        X509Certificate made =
                read(maker.sign("peer", keys.getPublic(), List.of("a.b", "node-7.starling"), end));

        authority.verify(authority.getPublicKey());
        made.verify(authority.getPublicKey());
        assertThat(made.getPublicKey()).isEqualTo(keys.getPublic());
        assertThat(made.getVersion()).isEqualTo(3);
        assertThat(made.getSubjectX500Principal().getName()).isEqualTo("CN=peer");
        assertThat(made.getIssuerX500Principal()).isEqualTo(authority.getSubjectX500Principal());
        assertThat(made.getNotBefore()).isEqualTo(Date.from(BEGIN));
        assertThat(made.getNotAfter()).isEqualTo(Date.from(end));
        assertThat(made.getSerialNumber()).isPositive().isNotEqualTo(authority.getSerialNumber());
        assertThat(NodeNames.names(made)).containsExactly("a.b", "node-7.starling");
        assertThat(authority.getBasicConstraints()).isZero();
        assertThat(made.getBasicConstraints()).isEqualTo(-1);
        assertThat(authority.getKeyUsage())
                .containsExactly(false, false, false, false, false, true, false, false, false);
        assertThat(made.getKeyUsage()[0]).isTrue();
        assertThat(made.getKeyUsage()[5]).isFalse();
    }

    @Test
    void holdsManyNamesOrNone() throws Exception {
        CertificateMaker maker = new CertificateMaker("flock", BEGIN, Instant.now());
        List<String> many = Collections.nCopies(5_000, "node-65535.starling");

        byte[] large =
                maker.sign("large", CertificateMaker.freshKeys().getPublic(), many, BEGIN);
        byte[] small =
                maker.sign("small", CertificateMaker.freshKeys().getPublic(), List.of(), BEGIN);

        assertThat(large.length).isGreaterThan(1 << 16);
        assertThat(NodeNames.names(read(large))).isEqualTo(many);
        assertThat(NodeNames.names(read(small))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "node-7.starling, 7, true",
        "NODE-7.Starling, 7, true",
        "node-7.starling, 77, false",
        "node-7.starling, 0, false",
        "node-07.starling, 7, true",
        "node-7.starling.example.org, 7, false",
        "node--7.starling, -7, false",
        "node-123456.starling, 123456, false",
        "nodes-3-9.starling, 3, true",
        "nodes-3-9.starling, 9, true",
        "nodes-3-9.starling, 2, false",
        "nodes-3-9.starling, 10, false",
        "nodes-9-3.starling, 5, false",
        "nodes-3.starling, 3, false",
        "*.starling, 3, false",
    })
    void coversTheNodesOfItsNamesAndNoOthers(String name, int node, boolean isCovered)
            throws Exception {
        CertificateMaker maker = new CertificateMaker("flock", BEGIN, BEGIN);
        byte[] made =
                maker.sign(
                        "x",
                        CertificateMaker.freshKeys().getPublic(),
                        List.of("www.example.org", name),
                        BEGIN);

        assertThat(NodeNames.covers(read(made), node)).isEqualTo(isCovered);
    }

    @Test
    void writesNamesThatCover() {
        assertThat(NodeNames.of(7, 7)).isEqualTo("node-7.starling");
        assertThat(NodeNames.of(3, 65_535)).isEqualTo("nodes-3-65535.starling");
    }

    private static X509Certificate read(byte[] encoded) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(encoded));
    }
}
