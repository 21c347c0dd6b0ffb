import type { SessionRow } from "../../catalog/model/row.ts";
import { listed } from "../../catalog/model/visibility.ts";
import {
	type Condition,
	needsCounts,
	projectName,
	rowMeets,
	splitDates,
	unanswerable,
	visibilityOf,
} from "../../catalog/query/conditions.ts";
import { readingNote } from "../../catalog/query/propose.ts";
import { RipgrepError } from "../../catalog/search/find-ripgrep.ts";
import { unsearched } from "../../catalog/search-all.ts";
import { conditionFacts } from "../../catalog/search-rows.ts";
import { readUse } from "../../catalog/uses/read-use.ts";
import { FoundUses, searchUses, type UsedTexts } from "../../catalog/uses/search-uses.ts";
import {
	type ParsedUseQuery,
	parseUseQuery,
	sumUses,
	type Use,
	type UsedText,
	type UseKind,
} from "../../catalog/uses/use.ts";
import { outcomeSpans } from "../../conversation/entries/use-outcome.ts";
import { attempt } from "../../shared/attempt.ts";
import { largest } from "../../shared/columns.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { formatCount, formatCounted, formatTime, sortableTime, TIME_WIDTH } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, cutText, lineWidth, padText, textWidth } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { type ListedRows, listRows } from "../find/listed-rows.ts";
import { mentionJson, readOwnMarks } from "../find/session-json.ts";
import { Mistake, orMistake, printJsonList, withProgressNote } from "../print/output.ts";
import { onOneLine, printCounted, type Table } from "../print/table.ts";

export function prompts(args: Arguments): Promise<number> {
	return printUses("prompt", args);
}

export function commands(args: Arguments): Promise<number> {
	return printUses("command", args);
}

async function printUses(kind: UseKind, args: Arguments): Promise<number> {
	const text = args.words.join(" ").trim();
	const now = Date.now();
	const parsed = parseUseQuery(text, kind, now);
	const mistake = "error" in parsed ? parsed.error : text === "" ? undefined : unanswerable(parsed.query);
	if ("error" in parsed || mistake !== undefined) throw new Mistake(`cannot read the query ${text}: ${mistake}`);
	const { rows, archived, problems } = await selectRows(parsed, kind, args);
	const files = rows.map(({ path, size, modified }) => ({ path, size, modified: modified.getTime() }));
	const search = { kind, query: parsed.query, dates: [...parsed.dates, ...sinceOf(args, now)], files };
	let results = new FoundUses([], 0);
	const gather = async (): Promise<UsedTexts> => {
		for await (const some of searchUses(search, { signal: new AbortController().signal })) results = some;
		const selection = { order: "most used", limit: args.limit ?? Number.POSITIVE_INFINITY } as const;
		return new TimeSlice().run(results.select(selection));
	};
	const progress = () => `Reading: ${formatCount(results.read)} of ${formatCounted(files.length, "session")} …`;
	const result = await orMistake(withProgressNote(gather(), progress), RipgrepError);
	const { texts: values, total } = result;
	const fieldNote = total === 0 ? readingNote(parsed.query.text) : undefined;
	const byPath = new Map(rows.map((row) => [row.path, row]));
	const listing = {
		...{ values, total, problems, table: usedTextTable(kind, byPath) },
		unread: unsearched(results.unread).map(({ message }) => message),
		notes: fieldNote === undefined ? [] : [fieldNote],
		linesOf: (columns: number) => usedTextLines(values, byPath, columns),
		printJson: () => printJsonList(values, (one) => usedTextJson(one, byPath)),
		sum: (few: string) => sumLine(kind, result, rows.length, archived, few),
	};
	return printCounted(listing, args);
}

/** `--since` applies to the uses, too: a session of several weeks has older ones. */
function sinceOf({ since }: Arguments, now: number): readonly Condition[] {
	if (since === undefined) return [];
	return splitDates([{ field: "since", value: since.toLowerCase(), not: false }], now).dates;
}

/** The sessions selected by the options and the query, newest first, and the number of archived ones that are left out. */
async function selectRows(
	{ sessions }: ParsedUseQuery,
	kind: UseKind,
	args: Arguments,
): Promise<Omit<ListedRows, "isBelow"> & { readonly archived: number }> {
	const { rows: allRows, problems, counts = new Map() } = await listRows(args, needsCounts(sessions) ? "all" : "none");
	// The prompts of subagents were written by programs.
	const visibility = visibilityOf(sessions, kind === "command");
	const all = listed(allRows, { ...visibility, archived: "also" });
	const rows = listed(all, visibility);
	const archived = all.length - rows.length;
	if (sessions.length === 0) return { rows, problems, archived };
	const facts = conditionFacts(all, { rows: allRows, counts }, { marks: readOwnMarks() });
	return { rows: rows.filter((row) => rowMeets(row, sessions, facts)), problems, archived };
}

/** "1,204 prompts, used 3,420 times in 120 sessions, 20 shown". */
function sumLine(kind: UseKind, { total, uses }: UsedTexts, sessions: number, archived: number, few: string): string {
	const times = uses === total ? "" : `, used ${formatCounted(uses, "time")}`;
	const more = archived === 0 ? "" : `; ${formatCounted(archived, "session")} more in the archive (is:archived)`;
	return `${formatCounted(total, kind)}${times} in ${formatCounted(sessions, "session")}${few}${more}`;
}

type RowsByPath = ReadonlyMap<string, SessionRow>;

/** A prompt or a command as `--json` prints it. Its text is raw: sanitize it before drawing. */
function usedTextJson(one: UsedText, rows: RowsByPath): object {
	const { sessions, failures } = sumUses(one);
	const uses = one.uses.map((use) => jsonOfUse(use, rows));
	const failureCount = one.uses[0]?.kind === "command" && { failures };
	return { text: textOf(one), count: uses.length, sessions, ...failureCount, uses };
}

/** What a command lacks is null: how it ended if it has no result, an exit code if it did not exit by itself or has no result, the other ending if it has one. */
function jsonOfUse(use: Use, rows: RowsByPath): object {
	const { path, entryId, line, by, end = null, exitCode = null, ended = null, durationMs = null } = use;
	const time = Number.isNaN(use.time) ? null : new Date(use.time);
	const place = { ...mentionJson(path, rows.get(path)), entryId, line, time };
	return use.kind === "prompt" ? place : { ...place, by, end, exitCode, ended, durationMs };
}

/** The whole text, of which only the beginning is kept in memory; that beginning if the file has changed meanwhile. */
function textOf({ text, length, uses: [use] }: UsedText): string {
	if (text.length === length || use === undefined) return text;
	return attempt(() => readUse(use.path, use).text) ?? text;
}

/** For another program: the latest use, how often it was used, and the whole text. */
function usedTextTable(kind: UseKind, rows: RowsByPath): Table<UsedText> {
	const endingNames = kind === "command" ? ["exit code", "duration"] : [];
	return { names: ["address", "time", "uses", ...endingNames, "cwd", "text"], fieldsOf: (one) => fieldsOf(one, rows) };
}

function fieldsOf(one: UsedText, rows: RowsByPath): CleanText[] {
	const [use] = one.uses;
	if (use === undefined) return [];
	const row = rows.get(use.path);
	const ending = [String(use.exitCode ?? use.ended ?? "-"), String(use.durationMs ?? "-")];
	return [
		addressOf(use, row),
		cleanText(sortableTime(use.time) || "-"),
		cleanText(String(one.uses.length)),
		...(use.kind === "command" ? ending.map(cleanText) : []),
		sanitizeLine(row?.cwd ?? "") || cleanText("-"),
		cleanText(textOf(one)),
	];
}

/** The address of the entry on the command line: SESSION#ENTRY. */
function addressOf({ path, entryId }: Use, row: SessionRow | undefined): CleanText {
	const session = row === undefined || row.id === "" ? path : row.id;
	return onOneLine(entryId === "" ? session : `${session}#${entryId}`);
}

/** For a terminal of `columns`: time of the latest use, count, for a command its outcome, project, text. */
function usedTextLines(texts: readonly UsedText[], rows: RowsByPath, columns: number): Line[] {
	const cells = texts.flatMap((one) => {
		const [use] = one.uses;
		return use === undefined
			? []
			: [{ one, use, count: `${formatCount(one.uses.length)}×`, outcome: outcomeSpans(use) }];
	});
	const countWidth = largest(cells.map(({ count }) => count.length));
	const outcomeWidth = largest(cells.map(({ outcome }) => lineWidth(outcome)));
	const project = (use: Use) => sanitizeLine(projectName(rows.get(use.path)?.cwd ?? "")) || cleanText("-");
	const projectWidth = Math.min(MOST_PROJECT, largest(cells.map(({ use }) => textWidth(project(use)))));
	return cells.map(({ one, use, count, outcome }) => {
		const padding = " ".repeat(outcomeWidth - lineWidth(outcome));
		const line = [
			span(`${formatTime(use.time, Date.now()).padEnd(TIME_WIDTH)}  ${count.padStart(countWidth)}  `, "muted"),
			...(use.kind === "command" ? [span(padding), ...outcome, span(outcomeWidth === 0 ? "" : "  ")] : []),
			span(`${padText(cutText(project(use), projectWidth), projectWidth)}  `, "muted"),
			span(sanitizeLine(one.text)),
		];
		return cutLine(line, columns);
	});
}

const MOST_PROJECT = 20;
