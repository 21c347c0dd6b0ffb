import { homedir } from "node:os";
import { listCounted } from "../../catalog/list-all.ts";
import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { runsIn } from "../../catalog/model/session-links.ts";
import {
	asksForArchived,
	asksForRuns,
	type Condition,
	fileNames,
	needsCounts,
	rowMeets,
	splitDates,
	unanswerable,
} from "../../catalog/query/conditions.ts";
import { startOfDay } from "../../catalog/query/dates.ts";
import { unknownFieldNote } from "../../catalog/query/unknown-fields.ts";
import { dollarsOfFamilies } from "../../catalog/stats/family-cost.ts";
import { type ParsedUseQuery, parseUseQuery } from "../../catalog/uses/parse-use-query.ts";
import type { UsedTexts } from "../../catalog/uses/select-uses.ts";
import type { UsedText, UseKind } from "../../catalog/uses/use.ts";
import { UseLibrary } from "../../catalog/uses/use-library.ts";
import { marksPath, readMarks } from "../../changes/noted/marks-file.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Given } from "../arguments/given.ts";
import { type ListedRows, listRows } from "../find/listed-rows.ts";
import { jsonItem, jsonLines } from "../print/json.ts";
import { EXIT, note, printJsonText, printProblems, remarkCount, withProgressNote } from "../print/output.ts";
import { printListing } from "../print/table.ts";
import { usedTextJson, usedTextLines, usedTextTable } from "./format-uses.ts";

/** Prints the prompts of all sessions; returns the exit code. */
export function prompts(given: Given): Promise<number> {
	return printUses("prompt", given);
}

/** Prints the shell commands of all sessions; returns the exit code. */
export function commands(given: Given): Promise<number> {
	return printUses("command", given);
}

async function printUses(kind: UseKind, given: Given): Promise<number> {
	const text = given.words.join(" ").trim();
	const now = Date.now();
	const parsed = parseUseQuery(text, kind, now);
	const mistake = "error" in parsed ? parsed.error : text === "" ? undefined : unanswerable(parsed.query);
	if ("error" in parsed || mistake !== undefined) {
		note(`cannot read the query ${text}: ${mistake}`);
		return EXIT.failed;
	}
	const { rows, archived, problems } = await withProgressNote(selectRows(parsed, kind, given), () => "Listing …");
	const library = new UseLibrary();
	const slice = new TimeSlice();
	const paths = rows.map(({ path }) => path);
	let done = 0;
	const gather = async (): Promise<UsedTexts> => {
		for (const path of paths) {
			await slice.run(library.readSteps(path, kind));
			done += 1;
		}
		const dates = [...parsed.dates, ...sinceOf(given, now)];
		const limits = { limit: given.limit ?? ALL, usesLimit: given.json ? ALL : 1, textLimit: ALL };
		return slice.run(library.selectSteps({ kind, query: parsed.query, paths, dates, now, ...limits }));
	};
	const progress = () => `Reading: ${formatCount(done)} of ${formatCounted(paths.length, "session")} …`;
	const found = await withProgressNote(gather(), progress);
	await print(found.texts, rows, kind, given);
	printProblems(problems);
	for (const [path, reason] of library.unread(paths)) note(`cannot read the session: ${reason}. Path: ${path}`);
	const fieldNote = found.total === 0 ? unknownFieldNote(parsed.query.text) : undefined;
	if (fieldNote !== undefined) note(fieldNote);
	remarkCount(countLine(kind, found, rows.length, archived), found.texts.length < found.total, given.json);
	return found.total > 0 ? EXIT.ok : EXIT.nothing;
}

const ALL = Number.POSITIVE_INFINITY;

/** `--since` applies to the uses, too: a session that goes on for weeks has older ones. */
function sinceOf({ since }: Given, now: number): readonly Condition[] {
	if (since === undefined) return [];
	return splitDates([{ field: "since", value: since.toLowerCase(), not: false }], now).dates;
}

/** The sessions selected by the options and the query, newest first, and the number of archived ones that are left out. */
async function selectRows(
	{ sessions }: ParsedUseQuery,
	kind: UseKind,
	given: Given,
): Promise<Omit<ListedRows, "isBelow"> & { readonly archived: number }> {
	const { rows: listed, problems } = await listRows(given);
	// What a subagent was asked was said by a program.
	const all = kind === "command" || asksForRuns(sessions) ? listed : listed.filter(({ run }) => run === undefined);
	const rows = asksForArchived(sessions) ? all : all.filter(({ archived }) => archived !== true);
	const archived = all.length - rows.length;
	if (sessions.length === 0) return { rows, problems, archived };
	const counts = needsCounts(sessions)
		? (await listCounted({ sessionDir: given.sessionDir, archived: true, blocking: true })).counts
		: new Map<string, SessionCounts>();
	const { marks, problems: lost } = readMarks(marksPath(process.env, homedir()));
	for (const problem of lost) note(problem);
	const names = fileNames(all.map(({ path }) => path));
	const runs = runsIn(listed);
	const facts = {
		live: new Set<string>(),
		marks,
		counts,
		fileNames: names,
		runs,
		familyCosts: dollarsOfFamilies(counts, runs),
		now: startOfDay(Date.now()),
	};
	return { rows: rows.filter((row) => rowMeets(row, sessions, facts)), problems, archived };
}

async function print(
	texts: readonly UsedText[],
	rows: readonly SessionRow[],
	kind: UseKind,
	{ json, header }: Given,
): Promise<void> {
	const byPath = new Map(rows.map((row) => [row.path, row]));
	if (!json)
		return printListing(texts, usedTextTable(kind, byPath), header, (columns) => usedTextLines(texts, byPath, columns));
	if (texts.length === 0) return printJsonText(jsonLines([]));
	for (const [index, one] of texts.entries())
		await printJsonText(jsonItem(usedTextJson(one, byPath), index, texts.length));
}

/** "1,204 prompts, used 3,420 times in 120 sessions, 20 shown". */
function countLine(kind: UseKind, { texts, total, uses }: UsedTexts, sessions: number, archived: number): string {
	const used = uses === total ? "" : `, used ${formatCounted(uses, "time")}`;
	const shown = texts.length < total ? `, ${formatCount(texts.length)} shown` : "";
	const more = archived === 0 ? "" : `; ${formatCounted(archived, "session")} more in the archive (is:archived)`;
	return `${formatCounted(total, kind)}${used} in ${formatCounted(sessions, "session")}${shown}${more}`;
}
