import { homedir } from "node:os";
import { sessionTitle } from "../app/list/draw-row.ts";
import type { Line } from "../app/model/view.ts";
import { formatCount, formatCounted, shortenHome } from "../app/text/format.ts";
import { cleanText, sanitizeLine } from "../app/text/sanitize.ts";
import { span } from "../app/text/span.ts";
import { cutLine, cutText, padText, textWidth } from "../app/text/width.ts";
import { listAll, list as listProject } from "../catalog/list-all.ts";
import type { CatalogProblem } from "../catalog/model/event.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import { largest } from "../shared/largest.ts";
import { isDamaged } from "../store/format/diagnostic.ts";
import type { Request } from "./arguments.ts";
import { jsonLines } from "./json.ts";
import { printJsonText, printLines, printProblems, remark } from "./output.ts";

type ListRequest = Extract<Request, { kind: "list" }>;

/** Prints all sessions on stdout, problems and the count on stderr; returns the exit code. */
export async function list(request: ListRequest): Promise<number> {
	let problems: readonly CatalogProblem[] = [];
	const options = {
		archived: true,
		sessionDir: request.sessionDir,
		onProblems: (now: readonly CatalogProblem[]) => {
			problems = now;
		},
	};
	const all = await (request.cwd === undefined ? listAll(options) : listProject(request.cwd, options));
	const rows = all.filter(({ archived }) => archived !== true);
	await (request.json ? printJsonText(jsonLines(rows)) : printLines(table(rows, homedir(), process.stdout.columns)));
	printProblems(problems);
	if (!request.json) remark(countLine(rows, all.length - rows.length));
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
