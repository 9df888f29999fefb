package org.starling.net.internal.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.NetworkInterface;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made of the wanted network devices. */
@Timeout(10)
class UcxDevicesTest {

    private static final UcxTls RC = UcxTls.of("rc", null);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mlx5_0:1       | eth0 | mlx5_0:1",
                "' eth0 , lo,'  |      | eth0,lo",
                "''             | eth0 | eth0",
                "''             | ' '  | all",
                "' '            |      | all",
                "all            | eth0 | all",
                "eth0,all       |      | all"
            })
    void asksTheEnvironmentOnlyWhenNothingIsSaid(String wanted, String environment, String value) {
        UcxDevices devices = UcxDevices.of(wanted, environment, RC, null);

        assertThat(devices.value()).isEqualTo(value);
        assertThat(devices).hasToString("UCX_NET_DEVICES=" + value);
    }

    @Test
    void bindsTcpToTheInterfaceOfTheNodeUnlessADeviceIsNamed() throws Exception {
        InetAddress local = InetAddress.getLoopbackAddress();
        String loopback = NetworkInterface.getByInetAddress(local).getName();

        assertThat(devices("tcp", "", local).names()).containsExactly(loopback);
        assertThat(devices("tcp,posix", "", local).names()).containsExactly(loopback);
        assertThat(devices("tcp", "eth7", local).names()).containsExactly("eth7");
        assertThat(devices("rc,tcp", "", local).names()).isEmpty();
        assertThat(devices("posix", "", local).names()).isEmpty();
        assertThat(devices("tcp", "", InetAddress.getByName("0.0.0.0")).names()).isEmpty();
    }

    private static UcxDevices devices(String tls, String wanted, InetAddress bound) {
        return UcxDevices.of(wanted, null, UcxTls.of(tls, null), bound);
    }
}
