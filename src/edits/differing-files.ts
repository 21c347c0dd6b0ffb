import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { closeSync, lstatSync, readlinkSync, readSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../shared/attempt.ts";
import type { TimeSlice } from "../shared/steps.ts";
import { openFile, readSmallFile } from "../store/files/open-file.ts";
import { type GitReason, isReason } from "./git-process.ts";
import type { TreeFile } from "./git-trees.ts";
import type { Repository } from "./repository.ts";
import type { FileMode } from "./session-changes.ts";

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

/** Compares files with those of HEAD: each is read and hashed here, since Git would run filters and write its index. */
export async function* differingFiles(
	repository: Repository,
	tree: ReadonlyMap<string, TreeFile>,
	names: Iterable<string>,
	slice: TimeSlice,
): AsyncGenerator<DifferingFile | GitReason> {
	let some: { name: string; file: TreeFile | undefined; mode: DiskMode }[] = [];
	const settle = async function* () {
		const blobs = await repository.blobs(some.flatMap(({ file }) => file?.id ?? []));
		if (isReason(blobs)) yield blobs;
		else for (const { name, file, mode } of some) yield* compared(repository.top, name, file, mode, blobs);
		some = [];
	};
	for (const name of names) {
		if (slice.shouldYield()) await slice.yieldToEventLoop();
		const file = tree.get(name);
		const path = join(repository.top, name);
		// A submodule is a repository of its own; a name that is no text cannot be asked for.
		if (file?.mode === "160000" || name.includes("\uFFFD")) continue;
		const mode = attempt(() => diskMode(path));
		if (mode === undefined) yield { reason: `${name} cannot be read` };
		else if (file === undefined ? mode !== "none" : mode !== file.mode || mode === "120000" || !hasHash(path, file.id))
			some.push({ name, file, mode });
		if (some.length >= MOST_AT_ONCE) yield* settle();
	}
	yield* settle();
}

type DiskMode = FileMode | "120000" | "none";

function diskMode(path: string): DiskMode {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	if (stats?.isSymbolicLink()) return "120000";
	return stats?.isFile() ? (stats.mode & 0o100 ? "100755" : "100644") : "none";
}

/** Whether a file has the content of an object; false also if it cannot be read. */
function hasHash(path: string, id: string): boolean {
	const buffer = Buffer.allocUnsafe(1 << 16);
	return (
		attempt(() => {
			const size = lstatSync(path).size;
			const hash = createHash(id.length === 64 ? "sha256" : "sha1").update(`blob ${size}\0`);
			const { fd: descriptor } = openFile(path);
			try {
				for (let count = readSync(descriptor, buffer); count > 0; count = readSync(descriptor, buffer))
					hash.update(buffer.subarray(0, count));
			} finally {
				closeSync(descriptor);
			}
			return hash.digest("hex") === id;
		}) ?? false
	);
}

const LFS = /^version https:\/\/git-lfs[\s\S]*^oid sha256:([0-9a-f]{64})$/m;

function* compared(
	top: string,
	name: string,
	file: TreeFile | undefined,
	mode: DiskMode,
	blobs: ReadonlyMap<string, Buffer>,
): Generator<DifferingFile | GitReason> {
	const path = join(top, name);
	const stored = file === undefined ? undefined : blobs.get(file.id);
	if (file !== undefined && stored === undefined)
		return yield { reason: `Git does not have the content of ${name} here` };
	const content =
		mode === "none"
			? undefined
			: attempt(() => (mode === "120000" ? Buffer.from(readlinkSync(path)) : readSmallFile(path)));
	if (mode !== "none" && content === undefined) return yield { reason: `${name} cannot be read` };
	if (stored !== undefined && content !== undefined && mode === file?.mode && stored.equals(content)) return;
	const isPlain = mode !== "120000" && file?.mode !== "120000";
	const oid = LFS.exec(stored?.toString("utf8", 0, 1024) ?? "")?.[1];
	if (content !== undefined && oid !== undefined && oid === createHash("sha256").update(content).digest("hex")) return;
	const isText =
		isPlain &&
		oid === undefined &&
		[stored, content].every((bytes) => bytes === undefined || (isUtf8(bytes) && !bytes.includes(0)));
	const oldText = stored?.toString("utf8");
	const newText = isText ? converted(content?.toString("utf8"), oldText) : content && "";
	const modes = {
		...(file?.mode === "100644" || file?.mode === "100755" ? { before: file.mode } : {}),
		...(mode === "100644" || mode === "100755" ? { after: mode } : {}),
	};
	if (isText && oldText === newText && modes.before === modes.after) return;
	yield { name, before: isText ? oldText : oldText && "", after: newText, modes, isText };
}

/** With the line feeds of HEAD, if all line ends of the disk have a carriage return more: Git puts them there. */
function converted(after: string | undefined, before: string | undefined): string | undefined {
	if (after === undefined || before === undefined || before.includes("\r\n")) return after;
	return /(?:^|[^\r])\n/.test(after) ? after : after.replaceAll("\r\n", "\n");
}
