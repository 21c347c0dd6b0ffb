import type { Stats } from "node:fs";
import { lstat, mkdir } from "node:fs/promises";
import { isObject } from "../../shared/json.ts";
import { dirname, isAbsolute, resolve } from "../../shared/paths.ts";
import { moveFile } from "../files/move-file.ts";
import { isThere } from "../files/paths.ts";
import { cannot, errorCode, explain, type StoreError, storeError } from "../files/store-error.ts";
import { unlinkPath } from "../files/while-busy.ts";
import { requireSessionName, sizeBehind } from "./move-session.ts";
import { isSameFile, prepareToFind, readTrashNote, type TrashedFile } from "./trash-places.ts";

const TRASHING = "move the session to the trash";
const RESTORING = "restore the session from the trash";

/** What is needed to restore a session from the trash. */
export interface TrashReceipt {
	/** Where the file was. Absolute. */
	readonly path: string;
	/** In bytes, when it was moved to the trash; of a link, its own size. */
	readonly size: number;
	/** Absent if it was not found in the trash. */
	readonly trashed?: TrashedFile | undefined;
}

/**
 * Moves a session file to the system's trash; of a link, only the link. Nothing is ever deleted: if the trash does not take
 * the file, it stays, and this rejects with a `StoreError` that says why. `shownFile`: the size in bytes that the confirmation
 * showed (of a link, that of its target, 0 if there is none); if it has changed, this rejects with the code "changed" and the
 * file stays.
 */
export async function trashSession(path: string, shownFile?: { readonly size: number }): Promise<TrashReceipt> {
	const absolute = resolve(path);
	requireSessionName(absolute, TRASHING);
	const stats = await statsOf(absolute);
	if (!stats.isFile() && !stats.isSymbolicLink()) throw notTrashed(absolute, "it is not a regular file");
	if (shownFile !== undefined) await requireSize(absolute, shownFile.size);
	const { size } = stats;
	const find = await prepareToFind(absolute, size);
	const reported = await putInTrash(absolute, TRASHING);
	return { path: absolute, size, trashed: pathIn(reported) ?? (await find()) };
}

/** Moves a file other than a session to the system's trash, under the same promise. */
export async function trashFile(path: string): Promise<void> {
	await putInTrash(path, "move the file to the trash");
}

/** Resolves to what the trash says of it. */
async function putInTrash(path: string, what: string): Promise<unknown> {
	let reported: unknown;
	try {
		reported = await withoutRelativeDataHome(async () => {
			// Loaded when needed: most runs never trash anything, and it would be a large part of the start-up time.
			const { default: trash } = await import("trash");
			return trash(path, { glob: false });
		});
	} catch (error) {
		throw notTrashed(path, `${explain(error)}${elsewhere(error, path)}`, error, what);
	}
	if (await exists(path)) throw notTrashed(path, "the system's trash did not take it", undefined, what);
	return reported;
}

/**
 * Moves a session back to where it was, or to another path; a link stays a link. Never replaces a file. Returns its path.
 * Rejects with a `StoreError` if it is no longer in the trash, if another file now has its path, and for a receipt
 * of anything but a session file; then nothing has changed.
 */
export async function restoreSession({ path: from, size, trashed }: TrashReceipt, path = from): Promise<string> {
	requireSessionName(path, RESTORING);
	if (trashed === undefined) throw notReported(path);
	try {
		if (await isBack(path, size, trashed.path)) {
			await removeNote(trashed);
			return path;
		}
		if (!(await exists(trashed.path))) throw notRestored(path, "ENOENT", "it is no longer in the trash");
		await checkFile(trashed, { path: from, size });
		await mkdir(dirname(path), { recursive: true });
		await moveFile(trashed.path, path);
		await removeNote(trashed);
		return path;
	} catch (error) {
		throw storeError(path, RESTORING, error);
	}
}

/** Whether the file is still in the trash; false if the system does not report it. */
export async function isInTrash({ trashed }: TrashReceipt): Promise<boolean> {
	return trashed !== undefined && (await exists(trashed.path));
}

/** A killed restore may have moved the file and left only the note. */
async function isBack(path: string, size: number, trashed: string): Promise<boolean> {
	return (await exists(path)) && !(await exists(trashed)) && (await statsOf(path)).size >= size;
}

async function removeNote({ info }: TrashedFile): Promise<void> {
	if (info === undefined) return;
	try {
		await unlinkPath(info);
	} catch (error) {
		if (errorCode(error) !== "ENOENT") throw error;
	}
}

export function notReported(path: string): StoreError {
	return notRestored(path, "no-place", "the file was not found in the system's trash; restore it there");
}

function notRestored(path: string, code: string, why: string): StoreError {
	return cannot(RESTORING, path, code, why);
}

/** The trash package would use a relative XDG_DATA_HOME, which the specification says to ignore. */
async function withoutRelativeDataHome<Result>(work: () => Promise<Result>): Promise<Result> {
	const { XDG_DATA_HOME: chosen } = process.env;
	if (chosen === undefined || chosen === "" || isAbsolute(chosen)) return work();
	delete process.env.XDG_DATA_HOME;
	try {
		return await work();
	} finally {
		process.env.XDG_DATA_HOME = chosen;
	}
}

async function requireSize(path: string, expected: number): Promise<void> {
	const size = await sizeBehind(path).catch((error: unknown) => {
		throw storeError(path, TRASHING, error);
	});
	if (size === expected) return;
	const reason = `it had ${expected} bytes when you were asked and has ${size} now, so something was written to it meanwhile; check it again; nothing was deleted`;
	throw cannot(TRASHING, path, "changed", reason);
}

async function statsOf(path: string): Promise<Stats> {
	try {
		return await lstat(path);
	} catch (error) {
		throw storeError(path, TRASHING, error);
	}
}

async function exists(path: string): Promise<boolean> {
	try {
		return await isThere(path);
	} catch (error) {
		throw storeError(path, "check whether the trash took the session", error);
	}
}

/** The path that an error names, if it is not the session itself: most likely the trash. */
function elsewhere(error: unknown, path: string): string {
	const other = error instanceof Error && "path" in error ? error.path : undefined;
	return typeof other === "string" && other !== path ? `: ${other}` : "";
}

function notTrashed(path: string, why: string, cause?: unknown, what = TRASHING): StoreError {
	return cannot(what, path, "not-trashed", `${why}. The file is still there; nothing was deleted`, cause);
}

/** `trash` is typed to resolve to nothing; on Linux it resolves to where each file went. */
function pathIn(reported: unknown): TrashReceipt["trashed"] {
	const first: unknown = Array.isArray(reported) ? reported[0] : undefined;
	return isObject(first) && typeof first.path === "string" && typeof first.info === "string"
		? { path: first.path, info: first.info }
		: undefined;
}

/** Makes sure that it is this file: the trash may have been emptied and used again. */
async function checkFile({ path: at, info }: TrashedFile, { path, size }: TrashReceipt): Promise<void> {
	const isIt =
		info === undefined ? (await lstat(at)).size === size : isSameFile((await readTrashNote(info)).path, path);
	if (!isIt) throw notRestored(path, "changed", "what the trash has there is another file");
}
