import { hunksBetween, type PatchHunk } from "./patch-hunks.ts";
import { inverted, placeHunks, type RefusedHunk } from "./place-hunks.ts";
import type { ChangedFile, FileMode } from "./session-changes.ts";

/** A file on the disk. */
export interface FileContent {
	readonly text: string;
	readonly isExecutable: boolean;
}

/** What is at a path: a file, nothing, or what cannot be changed, and why. */
export type FileHere = FileContent | undefined | { readonly why: string };

/** Whether a change of a session is taken back, or put where it is not. */
export type Direction = "revert" | "apply";

export const NEW_CHANGED_SINCE = "it was new, and something else changed it since";

/** What becomes of one path. */
interface PutFile {
	/** Absolute. */
	readonly path: string;
	/** Undefined: there is no file. */
	readonly from: FileContent | undefined;
	readonly to: FileContent | undefined;
}

/** What becomes of a file that a session changed. */
export interface PutChange {
	readonly file: ChangedFile;
	/** None if nothing is to be done; two for a file that is moved. */
	readonly puts: readonly PutFile[];
	/** Hunks of the change, as `diff` shows it, that are left out. */
	readonly refused: readonly RefusedHunk[];
	/** Why nothing of it can be done; "" if something can, or need not. */
	readonly why: string;
	/** Hunks of the change, as `diff` shows it, that are as they would be; "all" for the whole file. */
	readonly present: readonly PatchHunk[] | "all";
	/** How many hunks of it are meant, if not all of the file is. */
	readonly part?: number;
}

export interface PutOptions {
	readonly direction: Direction;
	/** What is at an absolute path. */
	readonly read: (path: string) => Promise<FileHere>;
	/** Which hunks of a file are wanted, as `diff` shows them; undefined: all of the file. @default all of each file */
	readonly wants?: ((file: ChangedFile) => ((hunk: PatchHunk) => boolean) | undefined) | undefined;
	/** Merges the text of a change into another one, with marks where they do not meet (apply). */
	readonly merge?: ((base: string, here: string, change: string) => Promise<string>) | undefined;
}

/** What taking back, or putting in place, what a session changed in some files would do. Changes nothing. */
export async function putChanges(files: readonly ChangedFile[], options: PutOptions): Promise<readonly PutChange[]> {
	const changes: PutChange[] = [];
	// One after the other: an error names the file, and a thousand files are not open at once.
	for (const file of files) changes.push(await putChange(file, options));
	return changes;
}

/** One side of a change: where the file is then, and its text, as far as it is known. */
interface Side {
	readonly path: string;
	readonly text: string | undefined;
	readonly mode: FileMode | undefined;
}

async function putChange(file: ChangedFile, options: PutOptions): Promise<PutChange> {
	const { direction, read } = options;
	const oldSide: Side = { path: file.renamedFrom ?? file.path, text: file.before, mode: file.modes?.before };
	const newSide: Side = { path: file.path, text: file.after, mode: file.modes?.after };
	const [source, target] = direction === "revert" ? [newSide, oldSide] : [oldSide, newSide];
	const refuse = (why: string): PutChange => ({ file, puts: [], refused: [], why, present: [] });
	const isThere: PutChange = { file, puts: [], refused: [], why: "", present: "all" };
	const isWanted = options.wants?.(file);
	const hunks = (): readonly PatchHunk[] => hunksBetween(file.before ?? "", file.after ?? "");
	const allHunks = isWanted && hunks();
	const wantedHunks = isWanted && allHunks?.filter(isWanted);
	if (wantedHunks?.length === 0) return { ...isThere, present: [] };
	// Of a part, what became of the file beside its lines stays.
	const isPart = wantedHunks !== undefined && wantedHunks.length !== allHunks?.length;
	const here = await read(source.path);
	if (here !== undefined && "why" in here) return refuse(here.why);
	const isMoved = source.path !== target.path && !isPart;
	const other = isMoved ? await read(target.path) : undefined;
	if (other !== undefined && "why" in other) return refuse(other.why);
	if (isMoved && here === undefined && other?.text === target.text) return isThere;
	if (other !== undefined) return refuse(`there is a file at ${target.path} by now`);
	const puts = (to: FileContent | undefined): readonly PutFile[] => {
		if (!isMoved) return [{ path: source.path, from: here, to }];
		return [
			{ path: target.path, from: undefined, to },
			...(here === undefined ? [] : [{ path: source.path, from: here, to: undefined }]),
		];
	};
	if (file.answer === "edits") {
		const isNew = here === undefined && direction === "apply" && file.diffs[0]?.of === "file";
		if (here === undefined && !isNew) return refuse("it is not there any more");
		const { text, refused, isUnknown } = putEdits(file, here?.text, options);
		if (isUnknown) return refuse("one of its edits wrote all of it, and what that replaced is not known");
		if (text === here?.text) return { ...(refused.length === 0 ? isThere : refuse(refusalReasons(refused))), refused };
		return { file, puts: puts({ isExecutable: false, ...here, text }), refused, why: "", present: [] };
	}
	if (here === undefined) {
		if (target.text === undefined) return isThere;
		if (source.text !== undefined) return refuse("it is not there any more");
		const created = { text: target.text, isExecutable: target.mode === "100755" };
		return { file, puts: puts(created), refused: [], why: "", present: [] };
	}
	const isExecutable = isPart ? here.isExecutable : modeAfter(here, source, target);
	const isWhole = here.text === source.text && !isPart;
	if (target.text === undefined) {
		if (isWhole) return { file, puts: puts(undefined), refused: [], why: "", present: [] };
		return refuse(NEW_CHANGED_SINCE);
	}
	if (here.text === target.text && !isMoved && isExecutable === here.isExecutable) return isThere;
	if (source.text === undefined) return refuse("there is another file by now");
	const placed = isWhole
		? { text: target.text, refused: [], present: [] }
		: placeHunks(here.text, turned(wantedHunks ?? hunks(), direction), source.text);
	const text =
		placed.refused.length > 0 && options.merge !== undefined && !isPart
			? await options.merge(source.text, here.text, target.text)
			: undefined;
	const refused = text === undefined ? asShown(placed.refused, direction) : [];
	const present = turned(placed.present, direction);
	const part = isPart ? { part: wantedHunks.length } : {};
	const to = { text: text ?? placed.text, isExecutable };
	if (to.text === here.text && to.isExecutable === here.isExecutable && !isMoved)
		return { ...(refused.length === 0 ? isThere : { ...refuse(refusalReasons(refused)), present }), refused };
	return { file, puts: puts(to), refused, why: "", present, ...part };
}

function modeAfter(here: FileContent, source: Side, target: Side): boolean {
	const isKnown = source.mode !== undefined && target.mode !== undefined && source.mode !== target.mode;
	return isKnown && here.isExecutable === (source.mode === "100755") ? target.mode === "100755" : here.isExecutable;
}

function turned(hunks: readonly PatchHunk[], direction: Direction): readonly PatchHunk[] {
	return direction === "revert" ? hunks.map(inverted) : hunks;
}

/** Refused hunks as `diff` shows them. */
function asShown(refused: readonly RefusedHunk[], direction: Direction): readonly RefusedHunk[] {
	return direction === "revert" ? refused.map(({ hunk, why }) => ({ hunk: inverted(hunk), why })) : refused;
}

export function refusalReasons(refused: readonly RefusedHunk[]): string {
	return [...new Set(refused.map(({ why }) => why))].join("; ");
}

/** Puts or takes back one edit after the other, where only the edits of a file are known. */
function putEdits(
	file: ChangedFile,
	here: string | undefined,
	{ direction }: PutOptions,
): {
	readonly text: string;
	readonly refused: readonly RefusedHunk[];
	readonly isUnknown: boolean;
} {
	let text = here ?? "";
	const refused: RefusedHunk[] = [];
	for (const diff of direction === "revert" ? file.diffs.toReversed() : file.diffs) {
		if (diff.of === "file" && here !== undefined) return { text, refused: [], isUnknown: true };
		if (diff.of === "file") {
			text = diff.text;
			continue;
		}
		const hunks = diff.of === "hunks" ? diff.hunks : askedHunks(diff.lines);
		const placed = placeHunks(text, turned(hunks, direction), undefined);
		text = placed.text;
		refused.push(...asShown(placed.refused, direction));
	}
	return { text, refused, isUnknown: false };
}

/** The replacements of an edit whose place is not known, as hunks without a place. */
function askedHunks(lines: Extract<ChangedFile["diffs"][number], { of: "texts" }>["lines"]): readonly PatchHunk[] {
	const hunks: PatchHunk[] = [];
	let part: PatchHunk["lines"][number][] = [];
	const end = (): void => {
		if (part.length > 0) hunks.push({ old: 1, now: 1, lines: part });
		part = [];
	};
	for (const { kind, text } of lines) {
		if (kind === "gap" || kind === "note") end();
		else part.push({ kind, text: `${text}\n` });
	}
	end();
	return hunks;
}
