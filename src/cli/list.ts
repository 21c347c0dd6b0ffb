import { homedir } from "node:os";
import { sessionTitle } from "../app/list/draw-row.ts";
import { formatCount, formatCounted, shortenHome } from "../app/text/format.ts";
import { sanitizeLine } from "../app/text/sanitize.ts";
import { cutText, padText } from "../app/text/width.ts";
import { listAll, list as listProject } from "../catalog/list-all.ts";
import type { CatalogProblem } from "../catalog/model/event.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import { largest } from "../shared/largest.ts";
import { isDamaged } from "../store/format/diagnostic.ts";
import type { Request } from "./arguments.ts";
import { jsonLines } from "./json.ts";
import { print, printProblems } from "./output.ts";

type ListRequest = Extract<Request, { kind: "list" }>;

/** Prints all sessions on stdout, problems and the count on stderr; returns the exit code. */
export async function list(request: ListRequest): Promise<number> {
	let problems: readonly CatalogProblem[] = [];
	const options = {
		sessionDir: request.sessionDir,
		onProblems: (now: readonly CatalogProblem[]) => {
			problems = now;
		},
	};
	const rows = await (request.cwd === undefined ? listAll(options) : listProject(request.cwd, options));
	await print(request.json ? jsonLines(rows) : table(rows, homedir(), process.stdout.columns));
	printProblems(problems);
	if (!request.json) process.stderr.write(`${countLine(rows)}\n`);
	return 0;
}

/** One line per session: last activity, messages, project, title. `columns` is the width of the terminal, if any, to cut to. */
function table(rows: readonly SessionRow[], home: string, columns: number | undefined): string {
	const cells = rows.map((row) => ({
		time: localMinute(row.modified),
		count: formatCount(row.messageCount),
		project: sanitizeLine(shortenHome(row.cwd, home)) || "-",
		title: `${isDamaged(row.diagnostics) ? "! " : ""}${sessionTitle(row)}`,
	}));
	const countWidth = largest(cells.map(({ count }) => count.length));
	const projectWidth = Math.min(40, largest(cells.map(({ project }) => project.length)));
	return cells
		.map(({ time, count, project, title }) => {
			const line = `${time}  ${count.padStart(countWidth)}  ${padText(cutText(project, projectWidth), projectWidth)}  ${title}`;
			return `${columns === undefined ? line : cutText(line, columns)}\n`;
		})
		.join("");
}

/** "1,207 sessions, 3 damaged": the count includes every session. */
function countLine(rows: readonly SessionRow[]): string {
	const damaged = rows.filter((row) => isDamaged(row.diagnostics)).length;
	return `${formatCounted(rows.length, "session")}${damaged === 0 ? "" : `, ${formatCount(damaged)} damaged (!)`}`;
}

function localMinute(date: Date): string {
	const two = (part: number): string => String(part).padStart(2, "0");
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
