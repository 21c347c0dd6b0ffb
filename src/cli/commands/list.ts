import { homedir } from "node:os";
import { type RunFacts, tookMs } from "../../catalog/families/run.ts";
import { type SessionRow, timeAhead } from "../../catalog/model/row.ts";
import { findSessionRoots } from "../../catalog/model/session-roots.ts";
import { placedPath } from "../../catalog/places/place.ts";
import { RUN_SIGN, runOutcome } from "../../conversation/entries/run-outcome.ts";
import { runTitle, sessionTitle } from "../../conversation/entries/session-title.ts";
import { largest } from "../../shared/columns.ts";
import { isDamaged } from "../../store/format/diagnostic.ts";
import {
	formatAgo,
	formatCount,
	formatCounted,
	formatTime,
	shortenHome,
	sortableTime,
	TIME_WIDTH,
} from "../../ui/text/format.ts";
import { type Line, span, strong } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, cutText, padText, textWidth } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { listNewest, type NewestRows } from "../find/newest-rows.ts";
import { printJsonList, printProblems, remarkCount } from "../print/output.ts";
import { copiesSpans, idOf, onOneLine, printListing, type Table } from "../print/table.ts";

/** Prints all sessions on stdout, problems and the count on stderr; returns the exit code. */
export async function list(args: Arguments): Promise<number> {
	if (args.raw) return (await import("./raw-list.ts")).listRaw(args);
	const { rows, listed, problems, ...facts } = await listNewest(args);
	await print(rows, args, facts);
	printProblems(problems);
	const count = countLine(listed, rows.length, facts, args.archived);
	remarkCount(count, rows.length < listed.length, args.json);
	return 0;
}

async function print(
	rows: readonly SessionRow[],
	args: Arguments,
	{ counts, homes = HOME_HERE, ...families }: Omit<NewestRows, "rows" | "listed" | "problems">,
): Promise<void> {
	const hasRuns = args.runs && !args.json && counts !== undefined;
	const runs = hasRuns ? await describeRuns(rows, counts, args) : undefined;
	const listing = {
		values: rows,
		table: runs === undefined ? TABLE : tableWith(runs),
		linesOf: (columns: number) => linesOf(rows, homes, columns, runs),
		async printJson() {
			// Loaded here: it brings all that counts a session.
			const { describeSessions } = await import("../find/session-json.ts");
			await printJsonList(rows, await describeSessions([], args, counts, families));
		},
	};
	return printListing(listing, args);
}

const HOME_HERE: NonNullable<NewestRows["homes"]> = new Map([[undefined, homedir()]]);

/** What is known of the runs among the sessions, by path. */
type RunsByPath = ReadonlyMap<string, RunFacts>;

async function describeRuns(
	rows: readonly SessionRow[],
	counts: NonNullable<NewestRows["counts"]>,
	{ sessionDir }: Arguments,
): Promise<RunsByPath> {
	// Loaded here, too.
	const { factsOfRuns, liveTest } = await import("../find/session-runs.ts");
	const isLive = liveTest(await findSessionRoots({ sessionDir }));
	const runs = rows.filter(({ run }) => run !== undefined);
	return factsOfRuns(runs, counts, isLive);
}

/** One line per session, for a terminal of `columns`: last activity, messages, project, title; of a run also how it stands. */
function linesOf(
	rows: readonly SessionRow[],
	homes: NonNullable<NewestRows["homes"]>,
	columns: number,
	runs?: RunsByPath,
): Line[] {
	const now = Date.now();
	const cells = rows.map((row) => ({
		project: cleanOr(placedPath(row.place, shortenHome(row.cwd, homes.get(row.place) ?? ""))),
		title: titleOf(row),
		copies: copiesSpans(row),
		time: timeWords(row, now).padEnd(TIME_WIDTH),
		count: formatCount(row.messageCount),
		run: runs?.get(row.path),
	}));
	const countWidth = largest(cells.map(({ count }) => count.length));
	const projectWidth = Math.min(40, largest(cells.map(({ project }) => textWidth(project))));
	return cells.map(({ time, count, project, title, copies, run }) => {
		const cell = padText(cutText(project, projectWidth), projectWidth);
		const facts = cleanText(`${time}  ${count.padStart(countWidth)}  ${cell}  `);
		const what = run === undefined ? [span(title)] : runSpans(run, title);
		return cutLine([span(facts), ...copies, ...what], columns);
	});
}

/** When a session was last active; "in 55d" where its clock was ahead. */
function timeWords(row: SessionRow, now: number): string {
	const ahead = timeAhead(row, now);
	return ahead === undefined ? formatTime(row.modified.getTime(), now) : formatAgo(ahead, now);
}

/** "⧉ scout ✓ 1m 12s  Find the routes": what is known of a run; without its task, the title of its session. */
function runSpans(run: RunFacts, title: CleanText): Line {
	const agent = sanitizeLine(run.agent);
	const task = sanitizeLine(run.task) || title;
	return [
		span(`${RUN_SIGN} `, "muted"),
		...(agent === "" ? [] : [strong(cleanText(`${agent} `))]),
		...(run.state === undefined ? [span("?", "muted")] : runOutcome({ state: run.state, tookMs: tookMs(run) })),
		span(cleanText(`  ${task}`)),
	];
}

const TABLE: Table<SessionRow> = {
	names: ["id", "path", "modified", "messages", "cwd", "title"],
	fieldsOf(row) {
		const time = cleanText(sortableTime(row.modified.getTime()));
		const count = cleanText(String(row.messageCount));
		return [idOf(row.id), onOneLine(row.path), time, count, cleanOr(row.cwd), titleOf(row)];
	},
};

/** With `--runs`, also which agent has worked in it, and how its run stands. */
function tableWith(runs: RunsByPath): Table<SessionRow> {
	return {
		names: [...TABLE.names, "agent", "state"],
		fieldsOf(row) {
			const { agent = "", task = "", state = "-" } = runs.get(row.path) ?? {};
			const title = runTitle({ ...row, ...(row.run && { run: { ...row.run, agent, task } }) });
			const fields = TABLE.fieldsOf(row);
			const named = title === undefined ? fields : [...fields.slice(0, -1), damageMark(row, sanitizeLine(title))];
			return [...named, cleanOr(agent), cleanText(state)];
		},
	};
}

/** A text that may be missing. */
function cleanOr(text: string): CleanText {
	return sanitizeLine(text) || cleanText("-");
}

function titleOf(row: SessionRow): CleanText {
	return damageMark(row, sessionTitle(row));
}

function damageMark({ diagnostics }: SessionRow, title: CleanText): CleanText {
	return isDamaged(diagnostics) ? cleanText(`! ${title}`) : title;
}

/** "1,207 sessions, 3 damaged (!), 20 shown; 5 more in the archive; 312 runs (--runs)": the count includes every session. */
function countLine(
	all: NewestRows["listed"],
	shownCount: number,
	{ others, runs }: Pick<NewestRows, "others" | "runs">,
	isArchive = false,
): string {
	const damaged = all.filter((session) => session.damaged).length;
	const listedRuns = all.filter(({ isRun }) => isRun).length;
	const parts = [
		`${formatCounted(all.length - listedRuns, "session")}${isArchive ? " in the archive" : ""}`,
		listedRuns === 0 ? "" : formatCounted(listedRuns, "run"),
		damaged === 0 ? "" : `${formatCount(damaged)} damaged (!)`,
		shownCount === all.length ? "" : `${formatCount(shownCount)} shown`,
	].filter((part) => part !== "");
	const away = `; ${formatCount(others)} more ${isArchive ? "outside of it" : "in the archive"}`;
	const below = runs === 0 ? "" : `; ${formatCounted(runs, "run")} (--runs)`;
	return `${parts.join(", ")}${others === 0 ? "" : away}${below}`;
}
