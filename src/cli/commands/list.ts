import { homedir } from "node:os";
import type { SessionRow } from "../../catalog/model/row.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { largest } from "../../shared/columns.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import { formatCount, formatCounted, formatTime, shortenHome, sortableTime, TIME_WIDTH } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, cutText, padText, textWidth } from "../../ui/text/width.ts";
import type { Given } from "../arguments/given.ts";
import { listNewest, type NewestRows } from "../find/newest-rows.ts";
import { printJsonList, printProblems, remarkCount } from "../print/output.ts";
import { idOf, onOneLine, printListing, type Table } from "../print/table.ts";

/** Prints all sessions on stdout, problems and the count on stderr; returns the exit code. */
export async function list(given: Given): Promise<number> {
	const { rows, listed, problems, ...left } = await listNewest(given);
	await (given.json
		? printJson(rows, given, left)
		: printListing(rows, TABLE, given.header, (columns) => linesOf(rows, homedir(), columns)));
	printProblems(problems);
	const count = countLine(listed, rows.length, left, given.archived);
	remarkCount(count, rows.length < listed.length, given.json);
	return 0;
}

async function printJson(
	rows: readonly SessionRow[],
	given: Given,
	{ counts, familyCosts }: Pick<NewestRows, "counts" | "familyCosts">,
): Promise<void> {
	// Loaded here: it brings all that counts a session.
	const { describeSessions } = await import("../find/session-json.ts");
	await printJsonList(rows, await describeSessions([], given, counts, familyCosts));
}

/** What each line shows. */
interface Facts {
	readonly project: CleanText;
	readonly title: CleanText;
}

/** One line per session, for a terminal of `columns`: last activity, messages, project, title. */
function linesOf(rows: readonly SessionRow[], home: string, columns: number): Line[] {
	const now = Date.now();
	const cells = rows.map((row) => ({
		...factsOf(row, home),
		time: formatTime(row.modified.getTime(), now).padEnd(TIME_WIDTH),
		count: formatCount(row.messageCount),
	}));
	const countWidth = largest(cells.map(({ count }) => count.length));
	const projectWidth = Math.min(40, largest(cells.map(({ project }) => textWidth(project))));
	return cells.map(({ time, count, project, title }) => {
		const cell = padText(cutText(project, projectWidth), projectWidth);
		return cutLine([span(`${time}  ${count.padStart(countWidth)}  ${cell}  ${title}`)], columns);
	});
}

/** The same for another program, all in full. */
const TABLE: Table<SessionRow> = {
	names: ["id", "path", "modified", "messages", "cwd", "title"],
	fieldsOf(row) {
		const { project, title } = factsOf(row, "");
		const time = cleanText(sortableTime(row.modified.getTime()));
		return [idOf(row.id), onOneLine(row.path), time, cleanText(String(row.messageCount)), project, title];
	},
};

function factsOf(row: SessionRow, home: string): Facts {
	return {
		project: sanitizeLine(shortenHome(row.cwd, home)) || cleanText("-"),
		title: cleanText(`${isDamaged(row.diagnostics) ? "! " : ""}${sessionTitle(row)}`),
	};
}

/** "1,207 sessions, 3 damaged (!), 20 shown; 5 more in the archive; 312 runs (--runs)": the count includes every session. */
function countLine(
	all: NewestRows["listed"],
	shown: number,
	{ others, runs }: Pick<NewestRows, "others" | "runs">,
	isArchive = false,
): string {
	const damaged = all.filter((session) => session.damaged).length;
	const parts = [
		`${formatCounted(all.length, "session")}${isArchive ? " in the archive" : ""}`,
		damaged === 0 ? "" : `${formatCount(damaged)} damaged (!)`,
		shown === all.length ? "" : `${formatCount(shown)} shown`,
	].filter((part) => part !== "");
	const away = `; ${formatCount(others)} more ${isArchive ? "outside of it" : "in the archive"}`;
	const below = runs === 0 ? "" : `; ${formatCounted(runs, "run")} (--runs)`;
	return `${parts.join(", ")}${others === 0 ? "" : away}${below}`;
}
