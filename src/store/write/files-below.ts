import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, readdir, realpath, rmdir, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, isUnder, join, relative, resolve } from "../../shared/paths.ts";
import { errorCode, explain, StoreError } from "../files/store-error.ts";
import { removePath } from "../files/while-busy.ts";
import { MAKES_REPOSITORY, namesOfRepositories, whyRefused } from "./foreign-names.ts";

/** A file to write, under a name that somebody else chose. */
export interface FileToWrite {
	/** Relative to the directory. */
	readonly name: string;
	/** Null: it is removed, if it is there. Of a link: where it leads to, from its directory, if that is in the directory. */
	readonly text: string | null;
	readonly isLink?: boolean | undefined;
	/** Undefined: as it is there. */
	readonly isExecutable?: boolean | undefined;
}

export interface WrittenFiles {
	/** The files that were written, or removed: `markOf` by real name. */
	readonly files: Map<string, string>;
	/** What was not written, with the reason. */
	readonly unwritten: Map<string, string>;
}

/**
 * Writes files below a root, a real path, and removes some; nothing outside of it, wherever links lead. `inside`: a directory that is made in
 * it. What only its name is to blame for is left out; rejects if the disk fails, with a part of them written.
 */
export async function writeBelow(root: string, files: readonly FileToWrite[], inside: string): Promise<WrittenFiles> {
	const marks = new Map<string, string>();
	const unwritten = new Map<string, string>();
	const orLeaveOut = async (name: string, work: () => Promise<unknown>): Promise<void> => {
		await work().catch((error) => {
			if (!OF_NAME.has(errorCode(error))) throw new Error(`${name}: ${explain(error)}`, { cause: error });
			unwritten.set(name, explain(error));
		});
	};
	const targets = new Map<string, FileToWrite>();
	for (const file of files) await orLeaveOut(file.name, async () => targets.set(await targetIn(root, file), file));
	const presentNames = [inside];
	for (const directory of new Set([...targets.keys()].flatMap((target) => directoriesAbove(target, root))))
		for (const name of await readdir(directory).catch(ifMissing([])))
			presentNames.push(relative(root, join(directory, name)));
	const writtenFiles = [...targets].filter(([, { text }]) => text !== null);
	const names = writtenFiles.map(([target]) => relative(root, target));
	const refusedNames = namesOfRepositories(names, presentNames);
	const byKind = Map.groupBy(writtenFiles, ([, { isLink = false }]) => isLink);
	// What is removed may make room for what is written.
	for (const [target, file] of [
		...[...targets].filter(([, { text }]) => text === null),
		...(byKind.get(false) ?? []),
		...(byKind.get(true) ?? []),
	]) {
		const name = relative(root, target);
		if (file.text !== null && refusedNames.has(name)) unwritten.set(file.name, MAKES_REPOSITORY);
		else
			await orLeaveOut(file.name, async () =>
				marks.set(name, file.isLink ? await link(root, file) : await put(target, file)),
			);
	}
	if (inside !== "")
		await orLeaveOut(inside, async () => mkdir(await targetIn(root, { name: inside, text: "" }), DEEP));
	return { files: marks, unwritten };
}

const DEEP = { recursive: true } as const;
/** What the system says of a name that cannot be used, whatever the disk is like; "refused": we. */
const OF_NAME = new Set("refused ENOTDIR EISDIR EEXIST ELOOP ENAMETOOLONG EINVAL EILSEQ ERR_FS_EISDIR".split(" "));

/** For what need not be there: rejects if something else than that is the matter. */
function ifMissing<Value>(value: Value): (error: unknown) => Value {
	return (error) => {
		if (!["ENOENT", "ENOTDIR"].includes(errorCode(error))) throw error;
		return value;
	};
}

function directoriesAbove(path: string, root: string): readonly string[] {
	return isUnder(path, root) ? [dirname(path), ...directoriesAbove(dirname(path), root)] : [];
}

/** Where a file is below a root, given the links that are there. Rejects if that is outside, or Git's own. */
export async function targetIn(
	root: string,
	{ name, text, isLink }: Pick<FileToWrite, "name" | "text" | "isLink">,
): Promise<string> {
	const refuse = (reason: string): never => {
		throw new StoreError(name, "refused", reason);
	};
	const reason = whyRefused(name);
	if (reason !== undefined) refuse(reason);
	const path = join(root, name);
	// A link that is made or removed is not followed.
	let at = text === null || isLink ? dirname(path) : path;
	while ((await lstat(at).catch(ifMissing(undefined))) === undefined) at = dirname(at);
	const realPath = await realpath(at).catch(ifMissing(""));
	if (realPath === "") refuse("a link there leads nowhere");
	if (realPath !== root && whyRefused(relative(root, realPath)) !== undefined)
		refuse("a link there leads out of the directory");
	return join(realPath, relative(at, path));
}

/** Makes a link, where links that were made before it lead; resolves to its mark. */
async function link(root: string, file: FileToWrite): Promise<string> {
	const path = await targetIn(root, file);
	const end = await targetIn(root, { name: relative(root, resolve(dirname(path), file.text ?? "")), text: "" });
	// By real names, so that it cannot lead elsewhere on its way.
	const target = relative(dirname(path), end);
	await mkdir(dirname(path), DEEP);
	await symlink(target, path);
	return markOf(target);
}

/** Writes or removes a file; resolves to its mark. */
async function put(target: string, { text, isExecutable }: FileToWrite): Promise<string> {
	if (text === null) {
		await removePath(target, { force: true });
		return NO_FILE;
	}
	await mkdir(dirname(target), DEEP);
	// Only an empty directory makes room.
	await rmdir(target).catch(() => undefined);
	await writeFile(target, text);
	const { mode } = await stat(target);
	if (isExecutable !== undefined) await chmod(target, isExecutable ? mode | ((mode >> 2) & 0o111) : mode & ~0o111);
	return markOf(text, (await stat(target)).mode);
}

/** The mark of a file that is not there. */
export const NO_FILE = "";

/** What a file is, to know it again: the checksum of its content, and before it, if a mode is known, whether it is executable. */
export function markOf(content: string | Uint8Array, mode?: number): string {
	const checksum = createHash("sha256").update(content).digest("hex").slice(0, 32);
	return mode === undefined ? checksum : `${(mode & 0o111) === 0 ? "-" : "x"}${checksum}`;
}
