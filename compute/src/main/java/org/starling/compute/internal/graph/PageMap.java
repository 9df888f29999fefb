package org.starling.compute.internal.graph;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.starling.net.NativeMemory;

/**
 * Which pages of native memory are really there, as the operating system counts them: address space
 * is reserved in large regions, but memory is taken only where something was written.
 *
 * <p>Source: {@code pagemap} of this process, 8 bytes a page (proc(5)); a page in memory and one
 * that was swapped out are both taken. A page that was only ever read may count, too. Where the
 * system does not tell, all of a region counts as taken. Stateless; a look costs some 20 ns a page.
 */
public final class PageMap {
    private static final String FILE = "/proc/self/pagemap";
    private static final long PRESENT_OR_SWAPPED = 3L << 62;
    private static final int MAX_PAGES_AT_ONCE = 1 << 13;

    /** Hears of runs of pages that are there. */
    private interface RunListener {
        void pages(long address, long bytes);
    }

    private PageMap() {}

    /** Bytes of the pages of a region that are there; a region begins with a page. */
    public static long takenBytes(long address, long bytes) {
        return forEachRun(address, bytes, (_, _) -> {});
    }

    /**
     * Fills a region that nobody uses with zeros, without taking pages that are not there.
     *
     * @return bytes of the pages that are there
     */
    public static long clear(long address, long bytes) {
        return forEachRun(address, bytes, (from, run) -> NativeMemory.fill(from, run, (byte) 0));
    }

    private static long forEachRun(long address, long bytes, RunListener listener) {
        long pages = Math.ceilDiv(bytes, NativeMemory.PAGE_BYTES);
        long done = 0;
        long taken = 0;
        try (RandomAccessFile file = new RandomAccessFile(FILE, "r")) {
            file.seek(address / NativeMemory.PAGE_BYTES * Long.BYTES);
            byte[] entries = new byte[(int) Math.min(pages, MAX_PAGES_AT_ONCE) * Long.BYTES];
            while (done < pages) {
                int count = (int) Math.min(pages - done, MAX_PAGES_AT_ONCE);
                file.readFully(entries, 0, count * Long.BYTES);
                taken += tell(address + done * NativeMemory.PAGE_BYTES, entries, count, listener);
                done += count;
            }
        } catch (IOException untold) {
            long from = done * NativeMemory.PAGE_BYTES;
            long rest = pages * NativeMemory.PAGE_BYTES - from;
            listener.pages(address + from, rest);
            taken += rest;
        }
        return taken;
    }

    private static long tell(long address, byte[] entries, int count, RunListener listener) {
        ByteBuffer map = ByteBuffer.wrap(entries).order(ByteOrder.nativeOrder());
        long taken = 0;
        int page = 0;
        while (page < count) {
            int first = page;
            while (page < count && (map.getLong(page * Long.BYTES) & PRESENT_OR_SWAPPED) != 0) {
                page++;
            }
            if (page > first) {
                long bytes = (long) (page - first) * NativeMemory.PAGE_BYTES;
                listener.pages(address + (long) first * NativeMemory.PAGE_BYTES, bytes);
                taken += bytes;
            }
            page++;
        }
        return taken;
    }
}
