import { dirname } from "node:path";
import { listAll } from "../catalog/list-all.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import type { ListOptions } from "../catalog/model/session-roots.ts";
import { runToEnd } from "../shared/steps.ts";
import type { BlameAnswer, BlamedLine, LineEdit } from "./blame.ts";
import { blameLines } from "./blame-lines.ts";
import { type BlamedFile, blamedFile, type FoundEdits, findFileEdits } from "./blamed-file.ts";
import { sessionFinder, withClaims } from "./claimed-answer.ts";
import { readClaims } from "./commit-claims.ts";

export interface AnsweredLine {
	readonly line: BlamedLine;
	readonly answer: BlameAnswer;
}

/** Who wrote the lines that were asked about. `isPartial`: some sessions could not be read, so that no edit proves anything. */
export async function answersFor(
	{ lines, committedMs, addedBy, from, to, path }: BlamedFile,
	{ edits }: FoundEdits,
	rows: readonly SessionRow[],
	isPartial: boolean,
): Promise<readonly AnsweredLine[]> {
	const askedLines = lines.slice(from - 1, to);
	const facts = { lines, committedMs, addedBy, edits, isPartial, now: Date.now() };
	const numbers = askedLines.map(({ number }) => number);
	const answers = runToEnd(blameLines(facts, numbers));
	const hashes = new Set(askedLines.flatMap(({ commit }) => commit?.hash ?? []));
	const claims = await readClaims(dirname(path), [...hashes]);
	const sessionOf = sessionFinder(rows);
	return askedLines.flatMap((line, index) => {
		const answer = answers[index];
		const claim = claims.get(line.commit?.hash ?? "");
		return answer === undefined ? [] : [{ line, answer: withClaims(answer, line, claim, { edits, sessionOf, path }) }];
	});
}

/** Who wrote a line of a file, and the commit that Git names for it. */
export interface LineAuthor extends BlamedLine, BlameAnswer {}

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
	const rows = await listAll({ ...options, archived: true, onProblems });
	const fileEdits = await findFileEdits(blamed, rows);
	const answered = await answersFor(blamed, fileEdits, rows, hasProblems || fileEdits.unread.length > 0);
	return answered.map(({ line, answer }) => {
		const edits = answer.edits.map(({ session, entryId, timeMs, tool, path, isHere }): LineEdit => {
			return { session, entryId, timeMs, tool, path, isHere };
		});
		return { ...line, ...answer, edits };
	});
}
