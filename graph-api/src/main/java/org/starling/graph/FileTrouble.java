package org.starling.graph;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** What went wrong with a file, for people: without the names of classes. Stateless. */
public final class FileTrouble {
    private FileTrouble() {}

    /** Says why, with the file's name where that is known. */
    public static String reason(IOException trouble) {
        return switch (trouble) {
            case NoSuchFileException e -> e.getFile() + " is not there";
            case AccessDeniedException e -> "no right to use " + e.getFile();
            case FileAlreadyExistsException e -> e.getFile() + " is in the way";
            case NotDirectoryException e -> e.getFile() + " is no folder";
            case FileSystemLoopException e -> e.getFile() + " leads back to itself";
            case FileSystemException e when e.getReason() != null ->
                    e.getFile() == null ? e.getReason() : e.getFile() + ": " + e.getReason();
            case EOFException e -> "the data ends too early";
            case CharacterCodingException e -> "it is no text in UTF-8";
            default ->
                    trouble.getMessage() == null
                            ? "the system gives no reason (" + trouble.getClass().getName() + ")"
                            : trouble.getMessage();
        };
    }

    /**
     * Says that a file can't be used, and why.
     *
     * @param deed what was meant to be done with it: {@code read}, {@code written}…
     */
    public static InvalidInputException refusal(Path file, String deed, IOException trouble) {
        return new InvalidInputException(
                "%s can't be %s: %s".formatted(file, deed, reason(trouble)), trouble);
    }
}
