import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { agentOf, taskOf } from "../../catalog/families/run-agents.ts";
import type { Marks } from "../../catalog/model/marks.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { ListOptions } from "../../catalog/model/session-roots.ts";
import { placedPath } from "../../catalog/places/place.ts";
import type { Kind } from "../../catalog/query/kinds.ts";
import { type OtherForm, withOtherForms } from "../../catalog/query/other-forms.ts";
import { type Query, shortDate } from "../../catalog/query/parse-query.ts";
import { proposeQueries, readingNote } from "../../catalog/query/propose.ts";
import { rangesIn, type Snippet } from "../../catalog/query/snippet.ts";
import { RipgrepError } from "../../catalog/search/find-ripgrep.ts";
import { findAll } from "../../catalog/search-all.ts";
import type { SearchResults, SessionResult } from "../../catalog/search-rows.ts";
import { listKnown } from "../../catalog/snapshot.ts";
import { countSome } from "../../catalog/stats/stored-counts.ts";
import { drawSnippet, repeatsTitle, titleTerms } from "../../conversation/entries/draw-snippet.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { TimeSlice } from "../../shared/steps.ts";
import { columnsOf } from "../../terminal/terminal.ts";
import { formatCount, formatCounted, shortenHome } from "../../ui/text/format.ts";
import { highlight, type Line, span, strong } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, cutText } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { idShortener } from "../find/find-session.ts";
import { findTarget } from "../find/find-target.ts";
import { listRows } from "../find/listed-rows.ts";
import type { PlacedResults } from "../find/placed-sessions.ts";
import { describeSessions, readOwnMarks } from "../find/session-json.ts";
import { typedQuery } from "../find/typed-query.ts";
import { jsonItem, jsonText } from "../print/json.ts";
import {
	exitCode,
	isMistake,
	keepProblems,
	Mistake,
	note,
	orMistake,
	printJsonList,
	printJsonText,
	printLines,
	printProblems,
	remarkCount,
	withProgressNote,
} from "../print/output.ts";
import { copiesSpans, idOf, onOneLine, printTable, type Table } from "../print/table.ts";
import { maskedResult } from "./share/masked-target.ts";

/** Prints the sessions in which the query was found on stdout, notes on stderr; returns the exit code. */
export async function search(args: Arguments): Promise<number> {
	const { words, sessionDir, limit, json = false } = args;
	const query = typedQuery(words);
	const leftOutPath = await pathLeftOut(args);
	const { onProblems, lastProblems } = keepProblems();
	const marks = readOwnMarks();
	const options = { sessionDir, blocking: true, onProblems, marks, limit };
	const findHere = async () => findAll(query, { ...options, isAsked: await sessionFilter(args, leftOutPath) });
	const results = await orMistake<SearchResults | PlacedResults>(
		args.place === undefined
			? withProgressNote(findHere(), () => "Searching …")
			: findPlaced(query, args, { left: leftOutPath, marks }),
		RipgrepError,
	);
	const total = results.found.results.length + results.found.others.length;
	const firstResults = [...results.results, ...results.others].slice(0, limit);
	const inOtherForms = withOtherForms(query) ?? query;
	const queryOf = (one: SessionResult): Query => (one.other === undefined ? query : inOtherForms);
	if (args.raw) await printJsonList(firstResults, ({ row: _, ...result }) => result);
	else
		await printResults(firstResults, queryOf, args, args.masked ? (one) => maskedResult(one, queryOf(one)) : undefined);
	const problems = lastProblems();
	printProblems(problems);
	for (const message of results.unsearched) note(`not searched: ${message}`);
	const fieldNote = total === 0 ? readingNote(query.text) : undefined;
	if (fieldNote !== undefined) note(fieldNote);
	const date = total === 0 ? shortDate(query.text) : undefined;
	if (date !== undefined) note(`searched as ${date.toLowerCase()}; put it in quotes to search for the word`);
	// Suggestions contain words of the sessions, unmasked.
	const suggestion = total === 0 && !args.masked ? await suggestQuery(query.text, options) : undefined;
	if (suggestion !== undefined) note(suggestion);
	// A session of which a part was not searched may lack a hit.
	const isPartial = firstResults.length < total || results.damaged > 0;
	remarkCount(countLine(results, limit), isPartial, json);
	return exitCode(total, results.unsearched, problems);
}

/** A search with `--place`; what talks to other machines is loaded for that alone. */
async function findPlaced(
	query: Query,
	args: Arguments,
	context: { readonly left: string | undefined; readonly marks: Marks },
): Promise<PlacedResults> {
	if (args.masked)
		throw new Mistake("--masked reads each session whole, which --place does not: leave out one of them");
	return (await import("../find/placed-sessions.ts")).searchPlaces(query, args, context);
}

/** The path of the session that `--except` names. */
async function pathLeftOut(args: Arguments): Promise<string | undefined> {
	const { except } = args;
	if (except === undefined) return undefined;
	try {
		return (await findTarget(except, args)).path;
	} catch (error) {
		throw isMistake(error) ? new Mistake(`cannot leave out ${except}: ${error.message}`, error.candidates) : error;
	}
}

/** Which sessions `--cwd`, `--named` and `--since` select, by path, without the one that is left out; undefined for all. */
async function sessionFilter(
	args: Arguments,
	leftOutPath: string | undefined,
): Promise<((path: string) => boolean) | undefined> {
	const { cwd, named, since } = args;
	if (cwd === undefined && named === undefined && since === undefined)
		return leftOutPath === undefined ? undefined : (path) => path !== leftOutPath;
	const { rows } = await listRows(args);
	const paths = new Set(rows.map(({ path }) => path));
	return (path) => paths.has(path) && path !== leftOutPath;
}

/** What may have been meant by a query that finds nothing; unknown unless the index has all sessions: nobody waits for this. */
async function suggestQuery(text: string, options: ListOptions): Promise<string | undefined> {
	const sessions = (await listKnown((all) => all, options)) ?? [];
	for (const { part, sessions: count = 0 } of proposeQueries(text, sessions, Date.now()))
		if (count > 0) return `perhaps ${part} was meant (${formatCounted(count, "session")})`;
	return undefined;
}

/** "found in 5 of 1,207 sessions in 2 places, in other forms in 3 more, 2 shown": the counts include every session. */
function countLine(results: SearchResults | PlacedResults, limit?: number): string {
	const { total: sessions, damaged } = results;
	const [asTyped, inForms] = [results.found.results.length, results.found.others.length];
	const total = asTyped + inForms;
	const more = inForms === 0 ? "" : `, in other forms in ${formatCount(inForms)} more`;
	const shownNote = limit !== undefined && limit < total ? `, ${formatCount(limit)} shown` : "";
	const where = "places" in results && results.places > 1 ? ` in ${formatCount(results.places)} places` : "";
	const partly = damaged === 0 ? "" : `; ${formatCount(damaged)} damaged: searched as far as they can be read`;
	const upTo = results.isUpTo ? "up to " : "";
	return `found in ${upTo}${formatCount(asTyped)} of ${formatCounted(sessions, "session")}${where}${more}${shownNote}${partly}`;
}

/** Prints each result before the next one is masked. */
async function printResults(
	all: readonly SessionResult[],
	queryOf: (one: SessionResult) => Query,
	args: Arguments,
	mask?: (one: SessionResult) => Promise<SessionResult>,
): Promise<void> {
	const { json, header } = args;
	const columns = columnsOf(process.stdout);
	const home = homedir();
	const titleOf = json || columns === undefined || mask !== undefined ? sessionTitle : await runTitles(all, args);
	const isDrawn = !json && columns !== undefined;
	const shortened = isDrawn
		? await idShortener(
				all.map(({ row }) => row.id),
				args,
			)
		: idOf;
	const describe = json
		? await describeSessions(
				all.map(({ row }) => row),
				{ ...args, counted: args.counted ?? false },
			)
		: undefined;
	if (json && all.length === 0) await printJsonText(jsonText([]));
	const table = all.some(({ other }) => other !== undefined) ? OTHERS_TABLE : RESULT_TABLE;
	if (!json && columns === undefined) await printTable([], table, header);
	for (const [index, result] of all.entries()) {
		const one = mask === undefined ? result : await mask(result);
		if (describe !== undefined) {
			const session = describe(one.row, result.path);
			await printJsonText(jsonItem({ ...session, ...hitJson(one) }, index, all.length));
		} else if (columns === undefined) await printTable([one], table, false);
		else {
			if (one.other !== undefined && all[index - 1]?.other === undefined)
				await printLines([[strong("also like this")]]);
			await printLines(resultLines(one, queryOf(one), { title: titleOf(one.row), shortened, home }, columns));
		}
	}
}

/** The fields of a result that `--json` prints after those of its session. Its text is raw: sanitize it before drawing. */
interface HitJson {
	/** Id of the entry with the best hit; "" if the file has none: use the line then. */
	readonly entryId: string;
	/** 1-based line of the best hit in the file. */
	readonly line: number;
	readonly kind: Kind;
	/** Whether it is on the path to the leaf; false on an abandoned branch. */
	readonly active: boolean;
	/** The text around the hit, and the ranges `[start, end)` of the matches in it, in UTF-16 units. */
	readonly snippet: Snippet;
	readonly count: number;
	/** Whether there may be more hits than were counted. */
	readonly more: boolean;
	/** The words that are there only in other forms; not there where all are as typed. */
	readonly other?: readonly OtherForm[];
}

/**
 * The titles of sessions; of a run the agent and its task, as the session that asked for it tells them. Where that is gone, or in
 * another place, the run's own name says the agent.
 */
async function runTitles(
	all: readonly SessionResult[],
	{ sessionDir }: Arguments,
): Promise<(row: SessionRow) => CleanText> {
	const parentOf = ({ run, place }: SessionRow) => (place === undefined ? run?.parent : undefined);
	const parents = new Set(all.flatMap(({ row }) => parentOf(row) ?? []));
	const counts = await countSome(parents, { sessionDir }, new TimeSlice());
	return (row) => {
		if (row.run === undefined) return sessionTitle(row);
		const reports = counts.get(parentOf(row) ?? "")?.runs ?? [];
		const [agent, task] = [agentOf(row, reports), taskOf(row, reports)].map((text) => sanitizeLine(text));
		return agent === "" ? sessionTitle(row) : cleanText(`◫ ${agent}  ${task || sessionTitle(row)}`);
	};
}

/** Width of a title on a terminal, in cells; longer ones are cut. */
const TITLE_CELLS = 60;
const BETWEEN = "  ";

function hitJson({ count, more, best, other }: SessionResult): HitJson {
	const { entryId, line, kind, active, snippet } = best;
	return { entryId, line, kind, active, snippet, count, more, ...(other !== undefined && { other }) };
}

/** "migrating: migration, pods: pod": the words, and what stands for them. */
function otherText(other: readonly OtherForm[]): CleanText {
	return sanitizeLine(other.map(({ word, matched }) => `${word}: ${matched}`).join(", "));
}

const RESULT_TABLE: Table<SessionResult> = {
	names: ["id", "path", "entry", "title", "text"],
	fieldsOf: ({ row, path, best }) => {
		return [idOf(row.id), onOneLine(path), idOf(best.entryId), sessionTitle(row), sanitizeLine(best.snippet.text)];
	},
};

/** The same, where words stand in other forms in some. */
const OTHERS_TABLE: Table<SessionResult> = {
	names: [...RESULT_TABLE.names, "other"],
	fieldsOf: (result) => [...RESULT_TABLE.fieldsOf(result), result.other ? otherText(result.other) : cleanText("-")],
};

/** Two lines for a terminal, cut to its width: title, address of the entry and project; then the snippet. */
function resultLines(
	result: SessionResult,
	query: Query,
	{
		title: whole,
		shortened,
		home,
	}: { readonly title: CleanText; readonly shortened: typeof idOf; readonly home: string },
	columns: number,
): Line[] {
	const { row, best, other } = result;
	const title = cutText(whole, Math.max(20, Math.min(TITLE_CELLS, Math.floor(columns / 2))));
	const project = sanitizeLine(shortenHome(row.cwd, home));
	const name = row.id === "" ? onOneLine(shortenHome(result.path, home)) : placedPath(row.place, shortened(row.id));
	const address = `${name}${best.entryId === "" ? "" : `#${idOf(best.entryId)}`}`;
	const isLost = row.run?.parent !== undefined && row.place === undefined && !existsSync(row.run.parent);
	const lost = isLost ? [span("run of a deleted session", "muted"), span(BETWEEN)] : [];
	const titleSpans = highlight(title, rangesIn(title, titleTerms(query.terms))).map((part) => ({
		...part,
		bold: true,
	}));
	const forms = other === undefined ? [] : [span(cleanText(`${otherText(other)}${BETWEEN}`), "accent")];
	const where = [...copiesSpans(row), ...lost, span(project, "muted")];
	const head = [...titleSpans, span(cleanText(`${BETWEEN}${address}${BETWEEN}`), "label"), ...forms, ...where];
	// The title has the words already, and nothing else has.
	const isTitleOnly = repeatsTitle(row, best) && best.kind !== "name";
	return [cutLine(head, columns), ...(isTitleOnly ? [] : [drawSnippet(result, columns, { row, home })])];
}
