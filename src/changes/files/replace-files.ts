import { existsSync, lstatSync, statSync } from "node:fs";
import { mkdir, open, readdir, rmdir } from "node:fs/promises";
import { hostname } from "node:os";
import { isStillRunning, processMark } from "../../catalog/live/processes.ts";
import { keptContent } from "../../edits/kept-contents.ts";
import { noteReplaced } from "../../edits/replaced-files.ts";
import { attempt } from "../../shared/attempt.ts";
import { isObject } from "../../shared/json.ts";
import { dirname, isUnder, join } from "../../shared/paths.ts";
import { trashFile } from "../../store/actions/trash.ts";
import { temporaryName } from "../../store/files/move-file.ts";
import { readSmallFile } from "../../store/files/open-file.ts";
import { explain } from "../../store/files/store-error.ts";
import { removePath, renamePath } from "../../store/files/while-busy.ts";
import { fieldsOf, listOf } from "../../store/format/fields.ts";
import { markOf, NO_FILE, targetIn } from "../../store/write/files-below.ts";
import { replaceText } from "../../store/write/text-file.ts";

/** What becomes of a file, by marks (`markOf` with a mode; `NO_FILE` for none), whose contents are kept. */
export interface FileReplacement {
	/** Relative to the root. */
	readonly name: string;
	readonly before: string;
	readonly after: string;
	/** The permissions that the file had, or gets back, if it is not there in between. */
	readonly modeBefore?: number | undefined;
	readonly modeAfter?: number | undefined;
}

/** Files of a directory that are replaced together, whole or not at all. */
export interface FileReplacements {
	/** Names the note of them while they are being replaced. */
	readonly id: string;
	/** A real path. */
	readonly root: string;
	readonly files: readonly FileReplacement[];
	/** The process that replaces them. @default this one */
	readonly pid?: number;
}

/**
 * Replaces all files. Rejects if one is not as it was before, or cannot be written; all are as they were then. If the process is killed,
 * `sweepReplacements` of the next run puts back what was replaced.
 */
export async function replaceFiles(plan: FileReplacements, stateDir: string): Promise<void> {
	const note = join(stateDir, NOTES, `${plan.id}.json`);
	const { pid } = process;
	for (const file of plan.files) requireMark(plan.root, file.name, file.before);
	await replaceText(note, [JSON.stringify({ ...plan, pid, mark: processMark(pid), host: hostname() })]);
	try {
		for (const { name, after, modeAfter } of plan.files) {
			const path = await pathIn(plan, name);
			await writeTemporary(path, after, modeAfter, plan, stateDir).catch((error) => failAt(name, error));
		}
		for (const { name, before, after } of plan.files) {
			const path = await pathIn(plan, name);
			requireMark(plan.root, name, before);
			await putOne(path, after, plan).catch((error) => failAt(name, error));
		}
	} catch (error) {
		// If that fails, the note stays for the next run.
		await putBack(plan, stateDir);
		await removePath(note, { force: true });
		throw error;
	}
	await removeEmptyDirectories(plan);
	noteReplaced(stateDir, plan);
	await removePath(note, { force: true });
}

/** The real path of a file. Rejects if links lead out of the root, or to Git's own. */
function pathIn({ root }: FileReplacements, name: string): Promise<string> {
	return targetIn(root, { name, text: null });
}

function failAt(name: string, error: unknown): never {
	throw new Error(`${name}: ${explain(error)}`, { cause: error });
}

async function putOne(path: string, after: string, plan: FileReplacements): Promise<void> {
	if (after !== NO_FILE) await renamePath(temporaryOf(path, plan), path);
	else if (existsSync(path)) await trashFile(path);
}

/**
 * Writes what will be at a path beside it. Of a file that is there, the permissions stay, but for whether it can be executed; else it gets
 * those that it had.
 */
async function writeTemporary(
	path: string,
	mark: string,
	modeThen: number | undefined,
	plan: FileReplacements,
	stateDir: string,
): Promise<void> {
	if (mark === NO_FILE) return;
	const text = await keptContent(stateDir, mark);
	await mkdir(dirname(path), { recursive: true });
	const mode = modeAt(path) ?? modeThen;
	const temporary = temporaryOf(path, plan);
	await removePath(temporary, { force: true });
	const file = await open(temporary, "wx", mode ?? 0o666);
	try {
		await file.writeFile(text);
		if (mode !== undefined) await file.chmod(mode);
		const { mode: madeMode } = await file.stat();
		const isExecutable = mark.startsWith("x");
		await file.chmod((isExecutable ? madeMode | ((madeMode >> 2) & 0o111) : madeMode & ~0o111) & 0o777);
		await file.sync();
	} finally {
		await file.close();
	}
}

/** The same for each run, so that what a killed one has left is found. */
function temporaryOf(path: string, { id, pid = process.pid }: FileReplacements): string {
	return temporaryName(path, { pid, id: id.slice(0, 8) });
}

async function removeTemporaries(plan: FileReplacements): Promise<void> {
	for (const { name } of plan.files) {
		const path = await pathIn(plan, name).catch(() => undefined);
		if (path !== undefined) await removePath(temporaryOf(path, plan), { force: true });
	}
}

/** Throws if a file is not what it is taken for. */
function requireMark(root: string, name: string, mark: string): void {
	if (markAt(join(root, name)) !== mark) throw new Error(`${name} has been changed meanwhile; nothing was done`);
}

/** What is at a path: the mark of a file, `NO_FILE`, or "?" for what is no file. */
export function markAt(path: string): string {
	const stats = attempt(() => lstatSync(path));
	if (stats === undefined) return NO_FILE;
	const content = stats.isFile() ? attempt(() => readSmallFile(path)) : undefined;
	return content === undefined ? "?" : markOf(content, stats.mode);
}

/** The permissions of a file; undefined if there is none. */
export function modeAt(path: string): number | undefined {
	return attempt(() => statSync(path).mode & 0o777);
}

/** Puts back each file that was replaced already. */
export async function putBack(plan: FileReplacements, stateDir: string): Promise<void> {
	for (const { name, before, after, modeBefore } of plan.files.toReversed()) {
		if (before === after || markAt(join(plan.root, name)) !== after) continue;
		const path = await pathIn(plan, name);
		await writeTemporary(path, before, modeBefore, plan, stateDir);
		await putOne(path, before, plan);
	}
	await removeTemporaries(plan);
}

/** Removes the directories that have become empty, as Git does. */
async function removeEmptyDirectories({ root, files }: FileReplacements): Promise<void> {
	for (const { name, after } of files) {
		let directory = dirname(join(root, name));
		while (after === NO_FILE && isUnder(directory, root) && (await removeEmpty(directory)))
			directory = dirname(directory);
	}
}

async function removeEmpty(directory: string): Promise<boolean> {
	return rmdir(directory).then(
		() => true,
		() => false,
	);
}

/** The directory of the notes, in that of the journal. */
const NOTES = "replacing";

/** Puts back what killed runs on this machine have replaced of their files. Never rejects: the next run tries again. */
export async function sweepReplacements(stateDir: string): Promise<void> {
	const directory = join(stateDir, NOTES);
	for (const name of await readdir(directory).catch(() => [])) {
		const path = join(directory, name);
		const note = attempt((): unknown => JSON.parse(readSmallFile(path).toString("utf8")));
		if (!isObject(note) || note.host !== hostname()) continue;
		const { id, root, pid, mark, files } = note;
		if (typeof pid !== "number" || typeof id !== "string" || typeof root !== "string") continue;
		if (isStillRunning({ pid, mark: String(mark) })) continue;
		await putBack({ id, root, pid, files: listOf(files).flatMap(replacementOf) }, stateDir)
			.then(() => removePath(path, { force: true }))
			.catch(() => undefined);
	}
}

function replacementOf(value: unknown): readonly FileReplacement[] {
	const { name, before, after, modeBefore } = fieldsOf(value);
	if (typeof name !== "string" || typeof before !== "string" || typeof after !== "string") return [];
	return [{ name, before, after, ...(typeof modeBefore === "number" && { modeBefore }) }];
}
