import { homedir } from "node:os";
import { type RunFacts, tookMs } from "../../catalog/families/run.ts";
import { type SessionRow, timeAhead } from "../../catalog/model/row.ts";
import { placedPath } from "../../catalog/places/place.ts";
import { RUN_SIGN, runOutcome } from "../../conversation/entries/run-outcome.ts";
import { runTitle, sessionTitle } from "../../conversation/entries/session-title.ts";
import { largest } from "../../shared/columns.ts";
import { isDamaged, isUnreadable } from "../../store/format/diagnostic.ts";
import { outputColumns } from "../../terminal/terminal.ts";
import {
	formatAgo,
	formatCost,
	formatCount,
	formatCounted,
	formatTime,
	shortenHome,
	sortableTime,
} from "../../ui/text/format.ts";
import { type Line, span, strong, type Tone } from "../../ui/text/line.ts";
import { blanks, type CleanText, cleanText, joinText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, cutText, padText, textWidth } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { listNewest, type NewestRows } from "../find/newest-rows.ts";
import { Sessions } from "../find/sessions.ts";
import { EXIT, Mistake, printJsonList, printProblems, remarkCount, remarkToPerson } from "../print/output.ts";
import { copiesSpans, idOf, onOneLine, printListing, type Table } from "../print/table.ts";

/** Prints all sessions, or those that a query finds, on stdout, problems and the count on stderr; returns the exit code. */
export async function list(args: Arguments): Promise<number> {
	const odd = args.raw ? "raw" : args.place === undefined ? undefined : "place";
	if (odd !== undefined && args.words.length > 0)
		throw new Mistake(`--${odd} lists all sessions: leave out the query, or search for it`);
	if (args.raw) return (await import("./raw-list.ts")).listRaw(args);
	const isDrawn = !args.json && outputColumns() !== undefined;
	const { rows, listed, problems, ...facts } = await listNewest(args, isDrawn);
	await print(rows, args, facts, isDrawn);
	printProblems(problems);
	const count = countLine(listed, rows.length, facts, args.archived);
	remarkCount(count, rows.length < listed.length, args.json);
	const isUncounted = ({ path, diagnostics }: SessionRow): boolean =>
		!facts.counts?.has(path) && !isUnreadable(diagnostics);
	const uncounted = isDrawn ? rows.filter(isUncounted).length : 0;
	if (uncounted > 0)
		remarkToPerson(
			`${formatCounted(uncounted, "session")} not counted yet: cost and errors are blank; --counted counts first`,
		);
	return args.words.length === 0 || rows.length > 0 ? EXIT.ok : EXIT.nothing;
}

async function shortenerFor(rows: readonly SessionRow[], args: Arguments): Promise<typeof idOf> {
	// Loaded here: a list for a program has whole ids.
	const { idShortener } = await import("../find/find-session.ts");
	return idShortener(
		rows.map(({ id }) => id),
		args,
	);
}

type Facts = Omit<NewestRows, "rows" | "listed" | "problems">;

async function print(rows: readonly SessionRow[], args: Arguments, facts: Facts, isDrawn: boolean): Promise<void> {
	const { counts, homes: _, ...families } = facts;
	const hasRuns = args.runs && !args.json && counts !== undefined;
	const runs = hasRuns ? await describeRuns(rows, counts, args) : undefined;
	const shortened = isDrawn ? await shortenerFor(rows, args) : idOf;
	const listing = {
		values: rows,
		table: runs === undefined ? TABLE : tableWith(runs),
		linesOf: (columns: number) => linesOf(rows, { ...facts, runsByPath: runs, shortened }, columns),
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
	args: Arguments,
): Promise<RunsByPath> {
	// Loaded here, too.
	const { factsOfRuns, liveTest } = await import("../../catalog/session-runs.ts");
	const isLive = liveTest(await Sessions.of(args).roots());
	const runs = rows.filter(({ run }) => run !== undefined);
	return factsOfRuns(runs, counts, isLive);
}

/** A column of the table on a terminal; the title stands behind all of them, in the cells that they leave. */
interface Column {
	readonly name: string;
	/** Columns of the terminal from which on there is room for it. */
	readonly from: number;
	readonly tone: Tone;
	readonly isNumber?: true;
	readonly textOf: (row: SessionRow) => string;
}

/** Columns of a terminal that has room for everything. */
const WIDE = 110;
const BETWEEN = cleanText("  ");

/** One line per session, for a terminal of `columns`, below the names of their columns. */
function linesOf(
	rows: readonly SessionRow[],
	facts: Facts & { readonly runsByPath: RunsByPath | undefined; readonly shortened: typeof idOf },
	columns: number,
): Line[] {
	if (rows.length === 0) return [];
	const now = Date.now();
	const { counts, familyCosts, homes = HOME_HERE, runsByPath, shortened } = facts;
	const costOf = ({ path }: SessionRow): number => familyCosts?.get(path) ?? counts?.get(path)?.cost ?? 0;
	const errorsOf = ({ path }: SessionRow): number => counts?.get(path)?.errors ?? 0;
	const all: readonly Column[] = [
		{ name: "id", from: 0, tone: "label", textOf: (row) => placedPath(row.place, shortened(row.id)) },
		{ name: "last active", from: 0, tone: "muted", textOf: (row) => timeWords(row, now) },
		{ name: "messages", from: WIDE, tone: "muted", isNumber: true, textOf: (row) => formatCount(row.messageCount) },
		{ name: "cost", from: 60, tone: "text", isNumber: true, textOf: (row) => numberOr(costOf(row), formatCost) },
		{ name: "✗", from: 60, tone: "error", isNumber: true, textOf: (row) => numberOr(errorsOf(row), formatCount) },
		{
			name: "project",
			from: 80,
			tone: "muted",
			textOf: ({ cwd, place }) => cutText(cleanOr(shortenHome(cwd, homes.get(place) ?? "")), columns < WIDE ? 20 : 40),
		},
	];
	const fittingColumns = all
		.filter(({ from }) => columns >= from)
		.map((column) => ({ ...column, cells: rows.map((row) => sanitizeLine(column.textOf(row))) }))
		.filter(({ cells }) => cells.some((cell) => cell !== ""))
		.map((column) => ({ ...column, width: largest([column.name.length, ...column.cells.map(textWidth)]) }));
	const head = fittingColumns.flatMap((column) => [
		span(aligned(cleanText(column.name), column), "muted"),
		span(BETWEEN),
	]);
	const lines = rows.map((row, index): Line => {
		const cells = fittingColumns.flatMap((column) => [
			span(aligned(column.cells[index] ?? cleanText(""), column), column.tone),
			span(BETWEEN),
		]);
		const run = runsByPath?.get(row.path);
		const title = titleOf(row);
		return [...cells, ...copiesSpans(row), ...(run === undefined ? [span(title)] : runSpans(run, title))];
	});
	return [[...head, span("title", "muted")], ...lines].map((line) => cutLine(line, columns));
}

function numberOr(number: number, format: (number: number) => string): string {
	return number === 0 ? "" : format(number);
}

function aligned(
	text: CleanText,
	{ width, isNumber }: { readonly width: number; readonly isNumber?: true },
): CleanText {
	return isNumber ? joinText(blanks(width - textWidth(text)), text) : padText(text, width);
}

/** When a session was last active; "in 55d" where its clock was ahead. */
function timeWords(row: SessionRow, now: number): string {
	const ahead = timeAhead(row, now);
	return ahead === undefined ? formatTime(row.modified.getTime(), now) : formatAgo(ahead, now);
}

/** "◫ scout ✓ 1m 12s  Find the routes": what is known of a run; without its task, the title of its session. */
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
