package org.starling.net.internal.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made of the wanted transports. */
@Timeout(10)
class UcxTlsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "posix          | tcp  | posix,self",
                "tcp            |      | tcp,self",
                "self           |      | self",
                "' posix , tcp' |      | posix,tcp,self",
                "''             | tcp  | tcp,self",
                "''             | ' '  | rc,ud,self",
                "' '            |      | rc,ud,self",
                "^tcp           |      | ^tcp"
            })
    void addsSelfAndAsksTheEnvironmentOnlyWhenNothingIsSaid(
            String wanted, String environment, String value) {
        UcxTls tls = UcxTls.of(wanted, environment);

        assertThat(tls.value()).isEqualTo(value);
        assertThat(tls).hasToString("UCX_TLS=" + value);
    }

    @Test
    void demandsEachTransportThatIsNamed() {
        assertThat(UcxTls.of("rc,posix", null).demanded()).containsExactly("rc", "posix");
        assertThat(UcxTls.of("self", null).demanded()).isEmpty();
        assertThat(UcxTls.of("^tcp", null).demanded()).isEmpty();
    }

    @Test
    void knowsSharedMemory() {
        assertThat(UcxTls.of("posix", null).sharesMemory()).isTrue();
        assertThat(UcxTls.of("rc,sm", null).sharesMemory()).isTrue();
        assertThat(UcxTls.of("rc,ud", null).sharesMemory()).isFalse();
    }
}
