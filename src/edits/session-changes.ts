import { ENTRIES_PER_STEP, type Steps } from "../shared/steps.ts";
import type { Session } from "../store/read/read-session.ts";
import { type EditPatch, editHunks } from "./edit-diff.ts";
import { NEVER_SEEN } from "./file-state.ts";
import type { RanCommand } from "./file-watcher.ts";
import {
	clauses,
	commandName,
	type FollowedFiles,
	type FollowOptions,
	followFiles,
	type RebuiltFile,
	type StartText,
} from "./follow-files.ts";
import { putsBack } from "./git-resets.ts";
import { type EditedFile, EditGatherer, editedFile, type SessionEdit } from "./session-files.ts";
import { lastTouch, namesFile } from "./shell-changes.ts";

/** A part of a path of a session, by the ids of two of its entries. */
export interface ChangeSpan {
	/** What came after this entry. @default all from the beginning */
	readonly from?: string | undefined;
	/** The last entry. */
	readonly to: string;
}

/** As Git writes it. */
export type FileMode = "100644" | "100755";

/** What a session changed in a file. */
export interface ChangedFile extends EditedFile {
	/**
	 * How sure the texts are: "exact": both are known to the byte; "likely": both are known, and `why` says what may be wrong; "edits": only
	 * the edits are known.
	 */
	readonly answer: "exact" | "likely" | "edits";
	/** Why it is not exact, and what there is to know: clauses with a semicolon between them; "" for nothing. */
	readonly why: string;
	/** The text before the first of the edits. Undefined: it did not exist, or (answer "edits") it is not known. */
	readonly before?: string | undefined;
	/** The text after the last of them, or as it was seen later. Undefined: it did not exist, or (answer "edits") it is not known. */
	readonly after?: string | undefined;
	/** Whether a command that names the file ran before the session first saw it: without a commit, `before` is the text that it left. */
	readonly isSeenLate?: boolean;
	/** When the session first changed it, also before the span and on other branches, Unix ms; NaN if the file does not say. */
	readonly firstMs: number;
	/** Of the answer "edits", each of `edits` as a part of a patch (`editHunks`), else none. */
	readonly diffs: readonly EditPatch[];
	/** The absolute path that it had before the first of the edits, if that was another one. */
	readonly renamedFrom?: string;
	/** What is known of its modes before the first of the edits and after the last; both, if it is known that they differ. */
	readonly modes?: { readonly before?: FileMode; readonly after?: FileMode };
	/** The line ends of the file, if they are known though (answer "edits") its text is not. */
	readonly lineEnd?: "\r\n";
}

/** What a session changed in a span. */
export interface SessionChanges {
	/** The files, in the order in which they were first changed; their edits are those on the path, in order. */
	readonly files: readonly ChangedFile[];
	/** What ran meanwhile, on all branches, and may have changed more. */
	readonly commands: readonly RanCommand[];
	/** The files that were changed meanwhile only on branches that were left: these changes may still be on the disk. */
	readonly left: readonly EditedFile[];
	/** Number of edits whose file is not known. */
	readonly unplaced: number;
	/** What was taken for the texts before the session. */
	readonly starts?: FollowOptions["starts"];
}

export type ChangesOptions = Pick<FollowOptions, "home" | "starts" | "paths" | "others">;

/** What a session changed between two entries of a path, in steps. */
export function* sessionChanges(session: Session, span: ChangeSpan, options: ChangesOptions): Steps<SessionChanges> {
	const part = yield* partOf(session, span);
	const stops = new Set([span.to, ...(span.from === undefined ? [] : [span.from])]);
	const gatherer = new EditGatherer(session, options.home);
	const followed = yield* followFiles(session, { ...options, stops, gather: { gatherer, within: part.ids } });
	const { edits, unplaced } = gatherer;
	const isWanted = ({ path, entryId }: SessionEdit): boolean =>
		part.isMeanwhile(entryId) && (options.paths?.has(path) ?? true);
	const firstMs = new Map<string, number>();
	for (const { path, timeMs } of edits) if (!firstMs.has(path)) firstMs.set(path, timeMs);
	const [onPath, left] = [new Map<string, SessionEdit[]>(), new Map<string, SessionEdit[]>()];
	for (const edit of edits.filter(isWanted)) {
		const byPath = part.ids.has(edit.entryId) ? onPath : left;
		const ofFile = byPath.get(edit.path);
		if (ofFile === undefined) byPath.set(edit.path, [edit]);
		else ofFile.push(edit);
	}
	const resets = new Set(followed.commands.filter(({ text }) => putsBack(text)));
	const files: ChangedFile[] = [];
	for (const [path, ofFile] of onPath) {
		const file = { ...editedFile(path, ofFile), firstMs: firstMs.get(path) ?? Number.NaN };
		files.push(changeOf({ session, span, followed, resets, left: left.get(path) ?? [] }, file, options));
		yield;
	}
	return {
		files,
		commands: followed.commands.filter(({ entryId }) => part.isMeanwhile(entryId)),
		left: [...left].filter(([path]) => !onPath.has(path)).map(([path, ofFile]) => editedFile(path, ofFile)),
		unplaced,
	};
}

interface Part {
	/** The entries on the path behind `from`, up to `to`. */
	readonly ids: ReadonlySet<string>;
	/** Whether an entry of any branch was written between the two. */
	readonly isMeanwhile: (entryId: string) => boolean;
}

/** The ids of the entries on the path behind `from`, up to `to`. */
export function* idsOfSpan({ tree: { table } }: Session, { from, to }: ChangeSpan): Steps<ReadonlySet<string>> {
	const ids = new Set<string>();
	for (const { id } of table.pathUp(to)) {
		if (ids.size % ENTRIES_PER_STEP === 0) yield;
		if (id === from) break;
		ids.add(id);
	}
	return ids;
}

function* partOf(session: Session, span: ChangeSpan): Steps<Part> {
	const { from, to } = span;
	const { table } = session.tree;
	const ids = yield* idsOfSpan(session, span);
	const start = from === undefined ? -1 : (table.indexOf(from) ?? -1);
	const end = table.indexOf(to) ?? -1;
	const isMeanwhile = (entryId: string): boolean => {
		const index = table.indexOf(entryId) ?? -1;
		return index > start && index <= end;
	};
	return { ids, isMeanwhile };
}

interface Followed {
	readonly session: Session;
	readonly span: ChangeSpan;
	readonly followed: FollowedFiles;
	/** The commands with which Git may have put files back. */
	readonly resets: ReadonlySet<RanCommand>;
	/** What branches that were left changed in the file meanwhile. */
	readonly left: readonly SessionEdit[];
}

function changeOf(
	{ session, span, followed, resets, left }: Followed,
	file: EditedFile & Pick<ChangedFile, "firstMs">,
	{ home, starts }: ChangesOptions,
): ChangedFile {
	const { path, edits } = file;
	const [before, after] = followed.around(path);
	const indexOf = (id = ""): number => session.tree.table.indexOf(id) ?? -1;
	const { first, isSeenLate } = firstOf({ session, span, followed, resets, left }, file, before, starts?.get(path));
	const end = followed.at(path, span.to);
	const last = end.answer === "exact" ? end : after;
	const isReset = (command: RanCommand): boolean =>
		resets.has(command) && indexOf(command.entryId) > indexOf(edits.at(-1)?.entryId);
	const reset = end.commands.findLast(isReset);
	const putBack = reset && `later, ${commandName(reset.text)} may have put it back`;
	const later = putBack ?? (isKnown(end) || !isKnown(last) ? "" : `later, ${end.why}`);
	const answer = (kind: ChangedFile["answer"], whys: readonly string[]): ChangedFile => {
		const isLater = last === after && left.some(({ entryId }) => indexOf(entryId) > indexOf(edits.at(-1)?.entryId));
		const all = new Set([...whys, leftNote(left, kind, isLater), later]);
		const why = clauses(...all);
		if (kind !== "edits") return { ...file, answer: kind, why, ...texts, isSeenLate, diffs: [] };
		return { ...file, answer: kind, why, diffs: edits.map((edit) => editHunks(edit, session, home)) };
	};
	const texts = { before: first.texts[0], after: last.texts[0] };
	if (!isKnown(last)) return answer("edits", [last.why]);
	if (isKnown(first)) {
		const isExact = first.answer === "exact" && last.answer === "exact" && reset === undefined;
		const areTwo = first.base !== undefined && first.why !== "" && last.why !== "" && first.why !== last.why;
		return answer(
			isExact ? "exact" : "likely",
			areTwo ? [`at first, ${first.why}`, `in the end, ${last.why}`] : [first.why, last.why],
		);
	}
	// What was written over something is no new file.
	if (edits[0]?.tool === "edit" || first.why !== NEVER_SEEN.why) return answer("edits", [first.why]);
	return answer("likely", ["whether it existed before the session wrote it is not known", last.why]);
}

interface FirstText {
	/** The file before the span changed it. */
	readonly first: RebuiltFile;
	/** Whether a command of the span that names the file ran before the session first saw it. */
	readonly isSeenLate: boolean;
}

/** What a file was before a span: as of its beginning if that is known, else before the first of its edits. `commit`: the text before it. */
function firstOf(
	{ session, span, followed, resets, left }: Followed,
	{ path, edits }: EditedFile,
	before: RebuiltFile,
	commit: StartText | undefined,
): FirstText {
	// What a branch that was left did to it before is no change of this path.
	const firstSight = left.length === 0 ? followed.firstSight(path) : undefined;
	const start = span.from === undefined ? firstSight : followed.at(path, span.from);
	// What a command did to it before the first edit is a change of the session, too, if both texts are certain.
	if (span.from === undefined || start === undefined || start.answer === "exact") {
		const seenFirst = start?.answer === "exact" ? start : before;
		const command = seenFirst === firstSight ? seenFirst.commands.at(-1) : undefined;
		const first = (command && fromCommit(seenFirst, command, commit)) ?? seenFirst;
		return { first, isSeenLate: command !== undefined };
	}
	const indexOf = (id = ""): number => session.tree.table.indexOf(id) ?? -1;
	const [from, to] = [indexOf(span.from), indexOf(edits[0]?.entryId)];
	const between = followed.commands.filter(({ entryId, changes }) => {
		const index = indexOf(entryId);
		return index > from && index < to && lastTouch(changes, path) !== undefined;
	});
	const names = ({ changes }: RanCommand): boolean => namesFile(changes, path);
	const named = between.findLast(names);
	if (!isKnown(start)) {
		if (named === undefined || !isKnown(before)) return { first: before, isSeenLate: false };
		const why = `${commandName(named.text)} ran before its first edit, and what it changed is left out`;
		return { first: unsure(before, why), isSeenLate: left.length === 0 && start.why === NEVER_SEEN.why };
	}
	const isSame =
		before.texts.length > 0 ? start.texts.includes(before.texts[0] ?? "") : before.isAbsent && start.isAbsent;
	// What was uncertain at the beginning was so because of a command that had run before.
	if (isSame || (between.length === 0 && left.length === 0)) return { first: before, isSeenLate: false };
	const isStart = named !== undefined || between.some((command) => resets.has(command)) || !start.commands.some(names);
	if (left.length === 0 && (isStart || !isKnown(before)))
		return { first: unsure(start, CHANGED_SINCE), isSeenLate: false };
	return { first: isKnown(before) ? unsure(before, "") : before, isSeenLate: false };
}

const CHANGED_SINCE = "something else changed it before its first edit";

/** The same text, with a reason why it may be another one. */
function unsure(file: RebuiltFile, why: string): RebuiltFile {
	return { ...file, answer: "candidates", why: clauses(file.why, why) };
}

/** The file before a command that ran before the session first saw it, as the commit has it; undefined if that says nothing else. */
function fromCommit(sight: RebuiltFile, { text }: RanCommand, commit: StartText | undefined): RebuiltFile | undefined {
	if (commit === undefined || commit.isBinary || commit.text === sight.texts[0]) return undefined;
	const why = `${commandName(text)} ran before the session saw it; ${commit.why}`;
	const isAbsent = commit.text === undefined;
	return { ...sight, answer: "candidates", texts: commit.text === undefined ? [] : [commit.text], isAbsent, why };
}

function isKnown({ texts, isAbsent }: RebuiltFile): boolean {
	return texts.length > 0 || isAbsent;
}

/** What branches that were left changed is on the disk, unless it was put back. */
function leftNote(left: readonly SessionEdit[], kind: ChangedFile["answer"], isLater: boolean): string {
	if (left.length === 0) return "";
	const turns = [...new Set(left.map(({ turn }) => turn))];
	const where = `${turns.length === 1 ? "turn" : "turns"} ${turns.join(", ")}`;
	const remained = isLater ? "what it changed after the last edit is left out" : "what remained of that is included";
	const rest = kind === "edits" ? "its edits are left out" : remained;
	return `a branch that was left (${where}) also changed it, and ${rest}`;
}
