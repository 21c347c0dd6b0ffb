import { homedir } from "node:os";
import { readStandup } from "../../app/world/effects/read-standup.ts";
import { periodOf } from "../../catalog/query/dates.ts";
import { markdownPieces } from "../../conversation/render/markdown-pieces.ts";
import { renderMarkdown } from "../../conversation/render/render-markdown.ts";
import { loadRenderers } from "../../conversation/render/renderers.ts";
import { type StandupSession, standupMarkdown } from "../../conversation/share/standup.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { findRealProjects, isDirectoryTyped } from "../../store/files/paths.ts";
import { outputColumns } from "../../terminal/terminal.ts";
import { formatCount, formatCounted, formatDay } from "../../ui/text/format.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { describeSessions } from "../find/session-json.ts";
import { Sessions } from "../find/sessions.ts";
import { EXIT, note, printJsonList, printLines, printProblems, printText, withProgressNote } from "../print/output.ts";

export async function standup(args: Arguments): Promise<number> {
	const { since = "yesterday", cwd, json } = args;
	// The date has been checked (`arguments.ts`).
	const from = periodOf(since, Date.now())?.from ?? 0;
	const sessions = Sessions.of(args);
	const all = await sessions.list();
	let text = "Reading …";
	const onProgress = (read: number, total: number): void => {
		text = `Reading: ${formatCount(read)} of ${formatCounted(total, "session")} …`;
	};
	await findRealProjects(all.map(({ cwd: each }) => each));
	const reading = readStandup(all, { from }, { home: homedir(), slice: new TimeSlice(), onProgress });
	const { sessions: done, failures } = await withProgressNote(reading, () => text);
	// A run belongs to the project of the session that started it, even if it has a worktree of its own.
	const isAsked = cwd === undefined ? undefined : isDirectoryTyped(cwd);
	const digests = done.filter(({ row }) => isAsked === undefined || (row.cwd !== "" && isAsked(row.cwd)));
	await (json
		? printDigestsJson(digests, args)
		: printDigest(standupMarkdown(digests, `Since ${formatDay(from)}`, homedir())));
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
