import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { lstatSync, readlinkSync } from "node:fs";
import { attempt } from "../shared/attempt.ts";
import { join } from "../shared/paths.ts";
import type { TimeSlice } from "../shared/steps.ts";
import { readSmallFile } from "../store/files/open-file.ts";
import { type GitReason, isReason } from "./git-process.ts";
import type { TreeFile } from "./git-trees.ts";
import type { Repository } from "./repository.ts";
import type { FileMode } from "./session-changes.ts";
import { LFS } from "./text-at.ts";

/** A file that is not on the disk as HEAD has it. */
export interface DifferingFile {
	/** Relative to the top of the repository, with "/". */
	readonly name: string;
	/** Undefined where there is none; both are "" for what is no text. Line ends that Git may have converted are those of HEAD. */
	readonly before: string | undefined;
	readonly after: string | undefined;
	readonly modes: { readonly before?: FileMode; readonly after?: FileMode };
	readonly isText: boolean;
}

/** Files that are read before their contents in HEAD are asked for. */
const MOST_AT_ONCE = 200;

/** Larger files are said not to be readable: they are read whole. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Compares files with those of HEAD: each is read and hashed here, since Git would run filters and write its index. */
export async function* differingFiles(
	repository: Repository,
	tree: ReadonlyMap<string, TreeFile>,
	names: Iterable<string>,
	slice: TimeSlice,
): AsyncGenerator<DifferingFile | GitReason> {
	let some: string[] = [];
	const settle = async function* () {
		const blobs = await repository.blobs(some.flatMap((name) => tree.get(name)?.id ?? []));
		if (isReason(blobs)) yield blobs;
		else
			for (const name of some) {
				const result = compared(repository.top, name, tree.get(name), blobs);
				if (result !== undefined) yield result;
			}
		some = [];
	};
	for (const name of names) {
		if (slice.shouldYield()) await slice.yieldToEventLoop();
		const file = tree.get(name);
		// A submodule is a repository of its own; a name that is no text cannot be asked for.
		if (file?.mode === "160000" || name.includes("\uFFFD")) continue;
		const disk = attempt(() => diskFile(join(repository.top, name)));
		const isSame = disk?.mode === file?.mode && (file === undefined || idOf(disk?.content, file.id) === file.id);
		if (disk === undefined || !isSame) some.push(name);
		if (some.length >= MOST_AT_ONCE) yield* settle();
	}
	yield* settle();
}

/** What is on the disk; nothing where there is no file. Throws if it cannot be read. */
function diskFile(path: string): { readonly mode?: FileMode | "120000"; readonly content?: Buffer } {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	if (stats?.isSymbolicLink()) return { mode: "120000", content: Buffer.from(readlinkSync(path)) };
	return stats?.isFile()
		? { mode: stats.mode & 0o100 ? "100755" : "100644", content: readSmallFile(path, MOST_BYTES) }
		: {};
}

/** The name of the object that has a content, by the algorithm of another name. */
function idOf(content: Buffer | undefined, { length }: string): string {
	if (content === undefined) return "";
	const hash = createHash(length === 64 ? "sha256" : "sha1");
	return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

function compared(
	top: string,
	name: string,
	file: TreeFile | undefined,
	blobs: ReadonlyMap<string, Buffer>,
): DifferingFile | GitReason | undefined {
	const disk = attempt(() => diskFile(join(top, name)));
	if (disk === undefined) return { reason: `${name} cannot be read` };
	const { mode, content } = disk;
	const stored = file && blobs.get(file.id);
	if (file !== undefined && stored === undefined) return { reason: `Git does not have the content of ${name} here` };
	const oid = LFS.exec(stored?.toString("utf8", 0, 1024) ?? "")?.[1];
	if (content && oid !== undefined && oid === createHash("sha256").update(content).digest("hex")) return undefined;
	const isText =
		mode !== "120000" &&
		file?.mode !== "120000" &&
		oid === undefined &&
		[stored, content].every((bytes) => bytes === undefined || (isUtf8(bytes) && !bytes.includes(0)));
	const oldText = stored && (isText ? stored.toString("utf8") : "");
	const newText = content && (isText ? converted(content.toString("utf8"), oldText) : "");
	const modes = {
		...(file?.mode === "100644" || file?.mode === "100755" ? { before: file.mode } : {}),
		...(mode === "100644" || mode === "100755" ? { after: mode } : {}),
	};
	const isSame = isText && oldText === newText && modes.before === modes.after;
	return isSame ? undefined : { name, before: oldText, after: newText, modes, isText };
}

/** With the line feeds of HEAD, if all line ends of the disk have a carriage return more: Git puts them there. */
function converted(after: string, before: string | undefined): string {
	const isPlain = before === undefined || before.includes("\r\n") || /(?:^|[^\r])\n/.test(after);
	return isPlain ? after : after.replaceAll("\r\n", "\n");
}
