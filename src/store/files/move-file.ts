import { randomBytes } from "node:crypto";
import { constants, lstatSync, readdirSync } from "node:fs";
import { copyFile, link, lstat, open, readlink, symlink, utimes } from "node:fs/promises";
import { attempt } from "../../shared/attempt.ts";
import { basename, dirname, join } from "../../shared/paths.ts";
import { isRunning } from "../../shared/system.ts";
import { isThere } from "./paths.ts";
import { cannot, errorCode } from "./store-error.ts";
import { renamePath, unlinkPath, unlinkPathSync } from "./while-busy.ts";

/** Error codes of file systems without hard links. */
export const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/**
 * Moves a file to an unused path, also to another file system; a symbolic link stays a link to the same target. An
 * interrupted move can be repeated. Rejects with the error of the file system, or with a `StoreError` for anything but a
 * file or a link; `from` is then where it was, and nothing is left at `to`.
 */
export async function moveFile(from: string, to: string): Promise<void> {
	const stats = await lstat(from);
	try {
		if (stats.isSymbolicLink()) await symlink(await readlink(from), to);
		else if (stats.isFile()) await linkOrCopy(from, to);
		else throw cannot("move the file", from, "not-a-file", "it is not a regular file");
	} catch (error) {
		if (errorCode(error) !== "EEXIST" || !(await isSame(from, to))) throw error;
	}
	// If there are no hard links, it was renamed, and `from` is gone already.
	await unlinkPath(from).catch(async (error: unknown) => {
		if (errorCode(error) === "ENOENT") return;
		// It cannot leave its old path, so it must not get a second one.
		await unlinkPath(to).catch(() => undefined);
		throw error;
	});
}

/** Unlike a rename, creating a link fails if the name is taken. */
async function linkOrCopy(from: string, to: string): Promise<void> {
	try {
		await link(from, to);
	} catch (error) {
		if (errorCode(error) === "EXDEV") await copy(from, to);
		else if (NO_LINKS.has(errorCode(error))) await renameTo(from, to);
		else throw error;
	}
}

/** Copies to a temporary name first, so that a killed process leaves no partial session behind. */
async function copy(from: string, to: string): Promise<void> {
	const temporary = temporaryName(to);
	try {
		const { atime, mtime } = await lstat(from);
		await copyFile(from, temporary, constants.COPYFILE_EXCL);
		await utimes(temporary, atime, mtime);
		const handle = await open(temporary);
		await handle.sync().finally(() => handle.close());
		await link(temporary, to).catch(async (error: unknown) => {
			if (!NO_LINKS.has(errorCode(error))) throw error;
			await renameTo(temporary, to);
		});
	} finally {
		await unlinkPath(temporary).catch((error: unknown) => {
			if (errorCode(error) !== "ENOENT") throw error;
		});
	}
}

async function renameTo(from: string, to: string): Promise<void> {
	if (await isThere(to)) throw Object.assign(new Error(`${to} exists`), { code: "EEXIST" });
	await renamePath(from, to);
}

/** Whether an interrupted move got as far as making the second name: both exist and are the same file or link. */
export async function isSame(from: string, to: string): Promise<boolean> {
	const [a, b] = [await lstat(from), await lstat(to)];
	if (a.isSymbolicLink() && b.isSymbolicLink()) return (await readlink(from)) === (await readlink(to));
	return a.dev === b.dev && a.ino === b.ino;
}

const TEMPORARY = /^\..+\.pi-grove-(\d+)-[0-9a-f]{8}\.tmp$/;

/** No write takes this long. The process id may also belong to another machine that shares the directory. */
const STALE_MS = 60 * 60 * 1000;

/** How much of the file's own name the temporary name contains: most systems allow 255 bytes. */
const NAME_CHARACTERS = 40;

/**
 * A name for a file while it is being written: in the same directory, hidden, with the process id, and not ending in
 * `.jsonl`, so that nothing takes it for a session.
 */
export function temporaryName(path: string, { pid = process.pid, id = randomBytes(4).toString("hex") } = {}): string {
	const name = [...basename(path)].slice(0, NAME_CHARACTERS).join("");
	return join(dirname(path), `.${name}.pi-grove-${pid}-${id}.tmp`);
}

/**
 * Removes temporary files that were left behind in a directory: their process is gone, and they are older than an
 * hour. Never throws: what cannot be removed is tried again with the next write.
 */
export function removeStaleTemporaries(dir: string): void {
	// The write that preceded this has succeeded; a remaining file is hidden and harmless.
	attempt(() => {
		for (const name of readdirSync(dir)) {
			const pid = TEMPORARY.exec(name)?.[1];
			if (pid === undefined || isRunning(Number(pid))) continue;
			const path = join(dir, name);
			const stats = lstatSync(path);
			if (stats.isFile() && Date.now() - stats.mtimeMs > STALE_MS) unlinkPathSync(path);
		}
	});
}
