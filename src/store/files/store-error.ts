import { messageOf } from "../../shared/attempt.ts";
/** A failed operation on a session file: what failed, why, what to do, and last the path, which a narrow screen may cut. */
export class StoreError extends Error {
	readonly path: string;
	/** The system's code ("ENOSPC", …) or one of ours ("not-a-session", "no-entry", …). */
	readonly code: string;
	/** Why it failed and what to do, without the attempted operation and the path, for callers that name these in other words. */
	readonly reason: string;

	constructor(path: string, code: string, message: string, cause?: unknown, reason = message) {
		super(message, cause === undefined ? undefined : { cause });
		this.name = "StoreError";
		this.path = path;
		this.code = code;
		this.reason = reason;
	}
}

/** The error "Cannot <what>: <why>. Path: <path>". */
export function cannot(what: string, path: string, code: string, why: string, cause?: unknown): StoreError {
	return new StoreError(path, code, `Cannot ${what}: ${why}. Path: ${path}`, cause, why);
}

const EXPLAINED: Readonly<Record<string, string>> = {
	EACCES: "permission was denied; check the owner and the mode of the file and of its directory",
	EPERM: "the system does not permit it; check the owner, the mode and the attributes of the file",
	EROFS: "the file system is mounted read-only",
	ENOSPC: "the disk is full; make room and try again",
	EDQUOT: "the disk quota is used up; make room and try again",
	EFBIG: "the file would exceed the permitted file size; see `ulimit -f`",
	ENOENT: "it does not exist; it may have been moved or deleted meanwhile",
	EISDIR: "it is a directory, not a file",
	ENOTDIR: "a part of the path is not a directory",
	EEXIST: "a file of that name already exists",
	ELOOP: "its symbolic links lead in a circle",
	EMFILE: "too many files are open; see `ulimit -n`",
	ENFILE: "too many files are open on this machine",
	ENAMETOOLONG: "the name is too long for the file system",
	EIO: "the disk reported an error; check the disk",
};

/** The system's code of an error, or "" if it has none. */
export function errorCode(error: unknown): string {
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/**
 * Whether something went wrong with a file, which may happen to any of them at any time: it is gone, locked, replaced, or the disk fails.
 * Anything else is a bug.
 */
export function isFileError(error: unknown): error is Error & NodeJS.ErrnoException {
	return error instanceof StoreError || (error instanceof Error && "syscall" in error);
}

/** Why a file operation failed, in plain words, and what to do about it. */
export function explain(error: unknown): string {
	if (error instanceof StoreError) return error.reason;
	const code = errorCode(error);
	const plain = EXPLAINED[code];
	if (plain !== undefined) return `${plain} (${code})`;
	return messageOf(error);
}

/** Wraps a failure: "Cannot <what>: <why>. Path: <path>". */
export function storeError(path: string, what: string, error: unknown): StoreError {
	if (error instanceof StoreError) return error;
	return cannot(what, path, errorCode(error) || "failed", explain(error), error);
}
