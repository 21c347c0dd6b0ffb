import { homedir } from "node:os";
import { lastBelieved, type SessionRow } from "../../catalog/model/row.ts";
import { periodOf } from "../../catalog/query/dates.ts";
import { markdownPieces } from "../../conversation/render/markdown-pieces.ts";
import { renderMarkdown } from "../../conversation/render/render-markdown.ts";
import { loadRenderers } from "../../conversation/render/renderers.ts";
import {
	type Counted,
	type SessionWork,
	type StandupSession,
	standupMarkdown,
	workIn,
} from "../../conversation/share/standup.ts";
import { standupFamilies } from "../../conversation/share/standup-families.ts";
import { messageOf } from "../../shared/attempt.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { isDirectoryTyped } from "../../store/files/paths.ts";
import { isUnreadable } from "../../store/format/diagnostic.ts";
import { readSession } from "../../store/read/read-session.ts";
import { outputColumns } from "../../terminal/terminal.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { describeSessions } from "../find/session-json.ts";
import { Sessions } from "../find/sessions.ts";
import { EXIT, note, printJsonList, printLines, printProblems, printText, withProgressNote } from "../print/output.ts";

export async function standup(args: Arguments): Promise<number> {
	const { since = "yesterday", cwd, json } = args;
	// The date has been checked (`arguments.ts`).
	const time = { from: periodOf(since, Date.now())?.from ?? 0, to: lastBelieved(Date.now()) };
	const sessions = Sessions.of(args);
	const all = await sessions.list();
	let text = "Reading …";
	let digests: readonly StandupSession[] = [];
	const failures: string[] = [];
	const readAll = async (): Promise<void> => {
		const byPath = new Map(all.map((row) => [row.path, row]));
		// Work that a fork has copied counts in the older session, where it was done.
		const rows = all
			.filter((row) => isRelevant(row) && row.modified.getTime() >= time.from)
			.sort((one, other) => one.created.getTime() - other.created.getTime());
		const counted: Counted = new Set();
		const works: SessionWork[] = [];
		const home = homedir();
		const slice = new TimeSlice();
		for (const [index, row] of rows.entries()) {
			text = `Reading: ${formatCount(index)} of ${formatCounted(rows.length, "session")} …`;
			try {
				const session = await readSession(row.path);
				const work = workIn(row, session, time, { home, counted });
				if (work !== undefined) works.push(work);
			} catch (error) {
				failures.push(messageOf(error));
			}
			if (slice.shouldYield()) await slice.yieldToEventLoop();
		}
		// A run belongs to the project of the session that started it, even if it has a worktree of its own.
		const isAsked = cwd === undefined ? undefined : isDirectoryTyped(cwd);
		digests = standupFamilies(works, (path) => byPath.get(path)).filter(
			({ row }) => isAsked === undefined || (row.cwd !== "" && isAsked(row.cwd)),
		);
	};
	await withProgressNote(readAll(), () => text);
	await (json ? printDigestsJson(digests, args) : printDigest(standupMarkdown(digests, time, homedir())));
	printProblems(sessions.problems);
	for (const failure of failures) note(failure);
	return failures.length > 0 ? EXIT.failed : EXIT.ok;
}

/** Prints Markdown: as it is for a file or another program, on a terminal as it reads. */
async function printDigest(text: string): Promise<void> {
	const columns = outputColumns();
	if (columns === undefined) return printText(text);
	const renderers = await loadRenderers();
	for (const piece of markdownPieces(text)) await printLines(renderMarkdown(piece, columns, renderers));
}

async function printDigestsJson(digests: readonly StandupSession[], args: Arguments): Promise<void> {
	const describe = await describeSessions(
		digests.map(({ row }) => row),
		args,
	);
	return printJsonList(digests, ({ row, sum, ending = null, runs, ...rest }) => {
		return { ...describe(row), ...rest, ending, sum: { ...sum, runs, files: [...sum.files.keys()] } };
	});
}

/** Whether the session has messages, or cannot be read, which is to be reported. */
function isRelevant({ messageCount, diagnostics }: SessionRow): boolean {
	return messageCount > 0 || isUnreadable(diagnostics);
}
