package org.starling.compute.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.starling.compute.objects.ObjectRefusal.Deed;

class ObjectAnswerTest {
    private static final ObjectName NAME = ObjectName.parse("s3://data/a.csv");
    private static final ObjectAccount ACCOUNT =
            new ObjectAccount(
                    new ObjectKeys("its-account", "its-secret", "its-token"), "us-east-1", null);

    @TempDir private Path folder;

    @Test
    void readsAPageWithEscapedKeys() throws XMLStreamException {
        ObjectPage page =
                ObjectAnswer.page(
                        """
                        <?xml version="1.0" encoding="UTF-8"?>
                        <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
                          <IsTruncated>true</IsTruncated><EncodingType>url</EncodingType>
                          <NextContinuationToken>more/1=</NextContinuationToken>
                          <Contents><Key>a/b+c%2B%C3%BC.csv</Key><Owner><Key>x</Key></Owner><Size>7</Size></Contents>
                          <CommonPrefixes><Prefix>a/d/</Prefix></CommonPrefixes>
                        </ListBucketResult>\
                        """);

        assertThat(page.objects()).containsExactly(new ObjectPage.Listed("a/b c+ü.csv", 7));
        assertThat(page.next()).isEqualTo("more/1=");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "<html></html>",
                "<ListBucketResult>",
                "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
                "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents></ListBucketResult>",
                "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key><Size>x</Size></Contents></ListBucketResult>"
            })
    void refusesWhatIsNoPage(String xml) {
        assertThatThrownBy(() -> ObjectAnswer.page(xml)).isInstanceOf(XMLStreamException.class);
    }

    @Test
    void readsNothingFromOutsideAndExpandsNothing() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "NoSuchKey");
        String outside =
                "<!DOCTYPE Error [<!ENTITY e SYSTEM \"%s\">]><Error><Code>&e;</Code></Error>"
                        .formatted(secret.toUri());
        String inside =
                "<!DOCTYPE Error [<!ENTITY e \"NoSuchKey\">]><Error><Code>&e;</Code></Error>";

        assertThat(ObjectAnswer.errorCode(outside)).isEmpty();
        assertThat(ObjectAnswer.errorCode(inside)).isEmpty();
        assertThat(ObjectAnswer.errorCode("<Error><Code>NoSuchKey</Code></Error>"))
                .contains("NoSuchKey");
    }

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    403 | AccessDenied                 | give them the right s3:GetObject
                    403 | InvalidAccessKeyId           | does not know this node's keys
                    403 | SignatureDoesNotMatch        | does not know this node's keys
                    400 | ExpiredToken                 | (ExpiredToken)
                    403 | ExpiredToken                 | are not valid any more
                    403 | RequestTimeTooSkewed         | clock is wrong
                    404 | NoSuchKey                    | there is no such object
                    404 | NoSuchBucket                 | there is no bucket data
                    301 | PermanentRedirect            | set AWS_REGION=eu-west-1
                    400 | AuthorizationHeaderMalformed | set AWS_REGION=eu-west-1
                    412 | PreconditionFailed           | was changed
                    503 | SlowDown                     | try again later
                    409 | OperationAborted             | (OperationAborted)
                    """,
            delimiter = '|')
    void saysWhatIsRefusedWithoutTheServersSentence(int status, String code, String words) {
        String body =
                "<Error><Code>%s</Code><Message>its-account its-secret</Message><AWSAccessKeyId>its-account</AWSAccessKeyId><Region>%s</Region></Error>"
                        .formatted(code, words.contains("REGION") ? "eu-west-1" : "us-east-1");

        String told =
                ObjectRefusal.of(NAME, Deed.READ, status, Optional.empty(), body, ACCOUNT)
                        .getMessage();

        assertThat(told)
                .startsWith("s3://data/a.csv can't be read: ")
                .contains(words, "status " + status)
                .doesNotContain("its-account", "its-secret", "its-token");
    }

    @Test
    void saysThatANodeHasNoKeys() {
        ObjectAccount nobody = new ObjectAccount(null, "us-east-1", null);

        assertThat(ObjectRefusal.of(NAME, Deed.WRITE, 403, Optional.empty(), "", nobody))
                .hasMessageContaining("can't be written: this node has no keys")
                .hasMessageContaining("AWS_ACCESS_KEY_ID");
    }
}
