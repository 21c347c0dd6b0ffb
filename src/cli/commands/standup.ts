import { homedir } from "node:os";
import { listAll, list as listProject } from "../../catalog/list-all.ts";
import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { periodOf } from "../../catalog/query/dates.ts";
import { type Counted, digestSession, type SessionDigest } from "../../conversation/share/digest.ts";
import { digestMarkdown } from "../../conversation/share/digest-markdown.ts";
import { TimeSlice } from "../../shared/time-slice.ts";
import { readSession, readSessionSync, type Session } from "../../store/read/read-session.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Given } from "../arguments/given.ts";
import { EXIT } from "../print/exit-code.ts";
import { note, printJsonList, printProblems, printText } from "../print/output.ts";
import { withProgressNote } from "../print/progress-note.ts";

/** A smaller file is read at once: four turns of the event loop take longer than that. */
const SMALL_BYTES = 1_000_000;

/** Prints what was done in all sessions since a day, as Markdown; returns the exit code. */
export async function standup({ since = "yesterday", sessionDir, cwd, json }: Given): Promise<number> {
	// The date has been checked (`arguments.ts`).
	const time = { from: periodOf(since, Date.now())?.from ?? 0, to: Number.POSITIVE_INFINITY };
	let problems: readonly CatalogProblem[] = [];
	const onProblems = (now: readonly CatalogProblem[]): void => {
		problems = now;
	};
	let text = "Listing …";
	const digests: SessionDigest[] = [];
	const failures: string[] = [];
	const readAll = async (): Promise<void> => {
		const options = { sessionDir, onProblems, archived: true };
		const all = await (cwd === undefined ? listAll(options) : listProject(cwd, options));
		// A copy in a fork counts where it was made: in the older session.
		const rows = all
			.filter((row) => mayTell(row) && row.modified.getTime() >= time.from)
			.sort((one, other) => one.created.getTime() - other.created.getTime());
		const counted: Counted = new Set();
		const home = homedir();
		const slice = new TimeSlice();
		for (const [index, row] of rows.entries()) {
			text = `Reading: ${formatCount(index)} of ${formatCounted(rows.length, "session")} …`;
			try {
				const digest = digestSession(row, await readRow(row), time, { home, counted });
				if (digest !== undefined) digests.push(digest);
			} catch (error) {
				failures.push(error instanceof Error ? error.message : String(error));
			}
			if (slice.shouldYield()) await slice.yieldToEventLoop();
		}
	};
	await withProgressNote(readAll(), () => text);
	await (json
		? printJsonList(digests, ({ sum, ...rest }) => ({ ...rest, sum: { ...sum, files: [...sum.files] } }))
		: printText(digestMarkdown(digests, time, homedir())));
	printProblems(problems);
	for (const failure of failures) note(failure);
	return failures.length > 0 ? EXIT.failed : EXIT.ok;
}

function readRow({ path, size }: SessionRow): Session | Promise<Session> {
	return size > SMALL_BYTES ? readSession(path) : readSessionSync(path);
}

/** Whether something was done in the file, or it says why that cannot be told: without a message nobody has asked or answered. */
function mayTell({ messageCount, diagnostics }: SessionRow): boolean {
	return messageCount > 0 || diagnostics.some(({ code }) => code === "unreadable");
}
