import { type Branches, readBranches } from "../../../catalog/branches/read-branches.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Answer, BlamedLine, KnownEdit } from "../../../edits/blame.ts";
import { blameLines } from "../../../edits/blame-lines.ts";
import { runToEnd } from "../../../shared/steps.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import type { Given } from "../../arguments/arguments.ts";
import { listRows } from "../../find/listed-rows.ts";
import { EXIT, failWith, note, printJsonList, printProblems, remarkToPerson } from "../../print/output.ts";
import { printListing } from "../../print/table.ts";
import { blamedFile, type FoundEdits, findFileEdits } from "./blamed-file.ts";
import { answerJson, answerLines, lineTable, tableLines } from "./format-blame.ts";
import { NOT_SEEN, noteUnread } from "./read-edits.ts";

/** A line, and who wrote it. */
export interface AnsweredLine {
	readonly line: BlamedLine;
	readonly answer: Answer;
}

/** Facts about the sessions in the answers. */
export interface BlameContext {
	readonly rows: ReadonlyMap<string, SessionRow>;
	/** Edits on the active path of their session; all others are on an abandoned branch. */
	readonly active: ReadonlySet<KnownEdit>;
}

/** Prints which session wrote the lines of a file; returns the exit code. */
export async function blame(given: Given): Promise<number> {
	const [word = ""] = given.words;
	const file = await blamedFile(word);
	if ("mistake" in file) return failWith(file);
	const { rows, problems } = await listRows(given);
	const found = await findFileEdits(file, rows);
	if (found === undefined) return EXIT.failed;
	const isPartial = problems.length > 0 || found.unread.length > 0;
	const { lines, committedMs, addedBy, from, to } = file;
	const answers = blameLines({ lines, committedMs, addedBy, edits: found.edits, isPartial, now: Date.now() }, from, to);
	const answered = answers.flatMap((answer, index): AnsweredLine[] => {
		const line = lines[from - 1 + index];
		return line === undefined ? [] : [{ line, answer }];
	});
	const named = new Set(answered.flatMap(({ answer }) => answer.edits));
	const active = activeEdits(named, found.resultAt);
	const context = { rows: new Map(rows.map((row) => [row.path, row])), active };
	await print(answered, context, given, file.isSpan);
	printProblems(problems);
	noteUnread(found);
	if (file.noCommits !== undefined) note(`no commit is known: ${file.noCommits}`);
	if (!given.json) remarkToPerson(sumLine(answers, found));
	return answers.some(({ answer }) => answer !== "unknown") ? EXIT.ok : EXIT.nothing;
}

function print(
	answered: readonly AnsweredLine[],
	context: BlameContext,
	{ json, header }: Given,
	isSpan: boolean,
): Promise<void> {
	if (json) return printJsonList(answered, (one) => answerJson(one, context));
	return printListing(answered, lineTable(context), header, (columns) =>
		isSpan && answered.length === 1
			? answered.flatMap((one) => answerLines(one, context))
			: tableLines(answered, context, columns),
	);
}

function sumLine(answers: readonly Answer[], { edits }: FoundEdits): string {
	const counts = (["exact", "candidates", "unknown"] as const).map((answer) => {
		const count = answers.filter((one) => one.answer === answer).length;
		return count === 0 ? "" : `${formatCount(count)} ${answer}`;
	});
	const answered = counts.filter((count) => count !== "").join(", ");
	const sessions = new Set(edits.map(({ session }) => session)).size;
	const known = `${formatCounted(edits.length, "edit")} of this file in ${formatCounted(sessions, "session")}`;
	return `${formatCounted(answers.length, "line")}: ${answered}; ${known}; ${NOT_SEEN}`;
}

/** The edits that are on the active path of their session; `resultAt`: byte offsets of their lines. */
function activeEdits(
	edits: Iterable<KnownEdit>,
	resultAt: ReadonlyMap<KnownEdit, number | undefined>,
): ReadonlySet<KnownEdit> {
	const bySession = new Map<string, Branches>();
	const isActive = (edit: KnownEdit): boolean => {
		const at = resultAt.get(edit);
		// Sessions of version 1 have no branches.
		if (at === undefined) return true;
		const branches = bySession.get(edit.session) ?? runToEnd(readBranches(edit.session, []));
		bySession.set(edit.session, branches);
		return !branches.abandoned.some(([from, to]) => from <= at && at < to);
	};
	return new Set([...edits].filter(isActive));
}
