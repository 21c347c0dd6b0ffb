import { homedir } from "node:os";
import { sessionTitle } from "../app/list/draw-row.ts";
import type { Line } from "../app/model/view.ts";
import { formatCount, formatCounted, shortenHome } from "../app/text/format.ts";
import { cleanText, sanitizeLine } from "../app/text/sanitize.ts";
import { span } from "../app/text/span.ts";
import { cutLine, cutText, padText, textWidth } from "../app/text/width.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import { largest } from "../shared/largest.ts";
import { isDamaged } from "../store/format/diagnostic.ts";
import type { Given } from "./given.ts";
import { jsonLines } from "./json.ts";
import { listRows } from "./listed-rows.ts";
import { printJsonText, printLines, printProblems, remark } from "./output.ts";

/** Prints all sessions on stdout, problems and the count on stderr; returns the exit code. */
export async function list(given: Given): Promise<number> {
	const { rows: all, problems } = await listRows(given);
	const listed = all.filter(({ archived }) => archived !== true);
	const rows = listed.slice(0, given.limit);
	await (given.json ? printJsonText(jsonLines(rows)) : printLines(table(rows, homedir(), process.stdout.columns)));
	printProblems(problems);
	if (!given.json) remark(countLine(listed, all.length - listed.length));
	return 0;
}

/** One line per session: last activity, messages, project, title. `columns` is the width of the terminal, if any, to cut to. */
function table(rows: readonly SessionRow[], home: string, columns: number | undefined): Line[] {
	const cells = rows.map((row) => ({
		time: localMinute(row.modified),
		count: formatCount(row.messageCount),
		project: sanitizeLine(shortenHome(row.cwd, home)) || cleanText("-"),
		title: `${isDamaged(row.diagnostics) ? "! " : ""}${sessionTitle(row)}`,
	}));
	const countWidth = largest(cells.map(({ count }) => count.length));
	const projectWidth = Math.min(40, largest(cells.map(({ project }) => textWidth(project))));
	return cells.map(({ time, count, project, title }) => {
		const cell = padText(cutText(project, projectWidth), projectWidth);
		const line = [span(`${time}  ${count.padStart(countWidth)}  ${cell}  ${title}`)];
		return columns === undefined ? line : cutLine(line, columns);
	});
}

/** "1,207 sessions, 3 damaged": the count includes every session. */
function countLine(rows: readonly SessionRow[], archived: number): string {
	const damaged = rows.filter((row) => isDamaged(row.diagnostics)).length;
	return `${formatCounted(rows.length, "session")}${damaged === 0 ? "" : `, ${formatCount(damaged)} damaged (!)`}${archived === 0 ? "" : `; ${formatCount(archived)} more in the archive`}`;
}

function localMinute(date: Date): string {
	const two = (part: number): string => String(part).padStart(2, "0");
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
