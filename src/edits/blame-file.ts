import { listAll } from "../catalog/list-all.ts";
import type { ListOptions } from "../catalog/model/session-roots.ts";
import type { BlameAnswer, BlamedLine, KnownEdit } from "./blame.ts";
import { blameLines } from "./blame-lines.ts";
import { type BlamedFile, blamedFile, type FoundEdits, findFileEdits } from "./blamed-file.ts";

export interface AnsweredLine {
	readonly line: BlamedLine;
	readonly answer: BlameAnswer;
}

/** Who wrote the lines that were asked about. `isPartial`: some sessions could not be read, so that nothing is exact. */
export function answersFor(
	{ lines, committedMs, addedBy, from, to }: BlamedFile,
	{ edits }: FoundEdits,
	isPartial: boolean,
): readonly AnsweredLine[] {
	const answers = blameLines({ lines, committedMs, addedBy, edits, isPartial, now: Date.now() }, from, to);
	return answers.flatMap((answer, index) => {
		const line = lines[from - 1 + index];
		return line === undefined ? [] : [{ line, answer }];
	});
}

/** An edit that wrote, or may have written, a line. */
export type BlamedEdit = Pick<KnownEdit, "session" | "entryId" | "timeMs" | "tool" | "path">;

/** Who wrote a line of a file, and the commit that Git names for it. */
export interface LineAuthor extends BlamedLine, Pick<BlameAnswer, "answer" | "why"> {
	/** One of each session, the likeliest first; one if the answer is exact, none if it is unknown. */
	readonly edits: readonly BlamedEdit[];
}

export interface BlameOptions extends ListOptions {
	/** The first and the last line, from 1; `from` alone is one line. @default all lines */
	readonly from?: number;
	readonly to?: number;
}

/**
 * Finds the session that wrote each line of a file, as `pi-grove blame` does: among all sessions of this machine, archived ones and runs
 * included. Rejects with a `BlameError` if the file cannot be read, is not a text or has no such lines, and with a `RipgrepError` if
 * ripgrep cannot be used.
 */
export async function blameFile(
	file: string,
	{ from, to, ...options }: BlameOptions = {},
): Promise<readonly LineAuthor[]> {
	const span = from === undefined && to === undefined ? undefined : { from: from ?? 1, to: to ?? from ?? 1 };
	const blamed = await blamedFile(file, span);
	let hasProblems = false;
	const onProblems: ListOptions["onProblems"] = (problems) => {
		hasProblems = problems.length > 0;
		options.onProblems?.(problems);
	};
	const fileEdits = await findFileEdits(blamed, await listAll({ ...options, archived: true, onProblems }));
	return answersFor(blamed, fileEdits, hasProblems || fileEdits.unread.length > 0).map(({ line, answer }) => {
		const edits = answer.edits.map(({ session, entryId, timeMs, tool, path }) => ({
			session,
			entryId,
			timeMs,
			tool,
			path,
		}));
		return { ...line, answer: answer.answer, why: answer.why, edits };
	});
}
