import type { SessionRow } from "../../../catalog/model/row.ts";
import { RUN_SIGN } from "../../../conversation/entries/run-outcome.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { type ResumeView, resumeView } from "../../../conversation/glance/resume-view.ts";
import { sessionSum } from "../../../conversation/glance/session-sum.ts";
import { sumForms } from "../../../conversation/glance/sum-line.ts";
import { projectKey } from "../../../shared/paths.ts";
import { formatAgo, formatCost, formatCount, formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { inRow, type Line, type Span, span, strong } from "../../../ui/text/line.ts";
import { type CleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText, cutTextStart, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import { listedOfAll } from "../../features/list/list-notes.ts";
import { listSearch, listSettings } from "../../features/list/list-pane.ts";
import { allProblems } from "../../features/maintenance/maintenance-state.ts";
import { tourLine } from "../../features/tour/tour.ts";
import {
	agentOfRun,
	factsOfRun,
	familiesOf,
	familyDollars,
	lastActive,
	runSources,
} from "../../world/list/families.ts";
import { freshlyDamaged, waitingCount } from "../../world/list/list-counts.ts";
import { type ListedSum, listedSum, sumOfMarked } from "../../world/list/listed-sum.ts";
import { markedSum } from "../../world/list/marked.ts";
import { pinOf, tagsOf } from "../../world/list/row-cells.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { askedText } from "../../world/list/select-places.ts";
import { selectedBranch } from "../../world/opened/select-branches.ts";
import { piAnswer } from "../../world/opened/summed-session.ts";
import type { Page } from "../../world/page/page.ts";
import { CHIP_TERMS } from "../../world/state/list-state.ts";
import type { PageKind } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { openedPage, VIEWS } from "../features/features.ts";

/** Maximum width of a session's directory, as a share of the row. */
const DIRECTORY_SHARE = 0.3;
const TAGS_SHARE = 0.2;
/** Minimum width of a title beside the sum of the session, in cells. */
const LEAST_TITLE = 24;
/** From this width on, the list's header has the name of the program. */
const NAMED_COLUMNS = 100;
/** Part of the list's header for what is waiting and listed, at its right end, so that what is before it does not move. */
const COUNTS_SHARE = 0.32;
/** The same of one without the order: "◐ 12 !1 1,200". */
const NARROW_COUNTS_SHARE = 0.38;
/** Cells of the order and the scope. */
const SETTINGS_CELLS = 20;
/** A narrower header says only which sessions are listed, not in which order. */
const ORDERED_COLUMNS = 60;

interface Header {
	readonly line: Line;
	/** The cell where the next character of the search is typed. */
	readonly cursor?: number | undefined;
}

/** The first row: in the list the search, and how many sessions that leaves; in a session where it is, its title, and its sum. */
export function selectHeader(state: State): Header {
	const page = openedPage(state);
	if (page !== undefined) return { line: pageTitle(state, page) };
	const row = state.focus === "list" ? undefined : selectedRow(state);
	return row === undefined ? listHeader(state) : { line: sessionHeader(state, row) };
}

/** The name of a page; a view's also names the other views, where there is room, and one about the open session that. */
function pageTitle(state: State, { kind, name, command, sums }: Page): Line {
	const { columns } = state.size;
	const { row } = state.detail;
	if (sums !== undefined && row !== undefined) {
		const end: Line = [span(" › ", "frame"), strong(name)];
		const head = sessionStart(state, row);
		const least = Math.min(lineWidth(head), LEAST_TITLE);
		const room = columns - lineWidth(end) - 3;
		const sum = sums(state).find((form) => lineWidth(form) <= room - least) ?? [];
		return joinEnds([...cutLine(head, room - lineWidth(sum)), ...end], [...sum, span(" ")], columns);
	}
	const home = [strong(" pi-grove", "accent"), ...demoNote(state), span(" › ", "frame")];
	const start: Line = [...home.map((part): Span => ({ ...part, press: "home" })), strong(name)];
	if (command === undefined) return start;
	const tabs = selectTabs(kind);
	if (lineWidth(start) + lineWidth(tabs) + 3 <= columns) return joinEnds(start, [...tabs, span(" ")], columns);
	return lineWidth(tabs) + 2 <= columns ? [span(" "), ...tabs] : start;
}

/** The views, each behind a click; `kind`: the one that is open. */
export function selectTabs(kind?: PageKind): Line {
	return inRow(
		VIEWS.map(
			(view): Span =>
				view.kind === kind ? strong(`● ${view.kind}`, "accent") : { ...span(view.kind, "muted"), press: view.command },
		),
		" · ",
	);
}

/** The search, the order and the scope, who waits, and what is listed; each has its place by the width of the terminal alone. */
function listHeader(state: State): Header {
	const { columns } = state.size;
	const isNamed = columns >= NAMED_COLUMNS;
	const start = isNamed ? [strong(" pi-grove", "accent"), ...demoNote(state), span("  ")] : [span(" ")];
	const isOrdered = columns >= ORDERED_COLUMNS;
	const settings = listSettings(state, isOrdered);
	const end = Math.floor(columns * (isOrdered ? COUNTS_SHARE : NARROW_COUNTS_SHARE));
	const settingsEnd = Math.max(isOrdered ? SETTINGS_CELLS : 0, lineWidth(settings));
	// A blank stands before the counts, too.
	const most = lineWidth(settings) < settingsEnd ? end : end - 1;
	const counts = countForms(state).find((form) => lineWidth(form) < most) ?? [];
	const room = columns - end - settingsEnd - 2 - lineWidth(start);
	const { title, cursor = 0 } = listSearch(state, room);
	const search = [...start, ...title, span(" ".repeat(Math.max(0, room - lineWidth(title)))), span("  "), ...settings];
	return { line: joinEnds(search, [...counts, span(" ")], columns), cursor: lineWidth(start) + cursor };
}

/** Where the session is, its title, and its sum in the longest form that leaves the title readable. */
function sessionHeader(state: State, row: SessionRow): Line {
	const { columns } = state.size;
	const start = sessionStart(state, row);
	const least = Math.min(lineWidth(start), lineWidth(start.slice(0, -1)) + LEAST_TITLE);
	// Tags are never cut: one that does not fit is left out.
	const tags = tagsOf(row, state.marks, Math.floor(columns * TAGS_SHARE));
	const sumRoom = columns - least - lineWidth(tags) - 3;
	const right = sessionSumForms(state, row).find((form) => lineWidth(form) <= sumRoom) ?? [];
	const end: Line = right.length === 0 ? [] : [span("  "), ...right, span(" ")];
	const titleRoom = columns - lineWidth(end) - lineWidth(tags);
	return joinEnds([...cutLine(start, Math.min(titleRoom, lineWidth(start))), ...tags], end, columns);
}

function sessionSumForms(state: State, row: SessionRow): readonly Line[] {
	const { environment, catalog, detail, now } = state;
	const sum = detail.session && sessionSum(detail.session, environment.home);
	const families = familiesOf(catalog.rows);
	const cost = familyDollars(row, families, catalog.counts);
	return sum === undefined ? [] : sumForms(sum, { cost, age: formatAgo(lastActive(row, families), now) });
}

/** Where a session is, and its title. */
function sessionStart(state: State, row: SessionRow): Line {
	const { size, environment } = state;
	const room = Math.floor(size.columns * DIRECTORY_SHARE);
	const directory = cutTextStart(sanitizeLine(shortenHome(row.cwd, environment.home)), room);
	const where: Line = [{ ...span(` ${directory}`, "muted"), press: "home" }, span(" › ", "frame")];
	return [
		...(isWithParent(state, row) ? [span(" ")] : where),
		...pinOf(row, state.marks),
		...runNote(state, row),
		strong(titleIn(row, state.catalog)),
	];
}

/** "◫ worker of “Migrate the billing tables” › ": whose run a session is; a click goes there. */
function runNote({ catalog, size }: State, row: SessionRow): Line {
	if (row.run === undefined) return [];
	const families = familiesOf(catalog.rows);
	const parent = families.parents.get(row);
	const agent = sanitizeLine(agentOfRun(row, families, catalog.counts) || "run");
	if (parent === undefined)
		return [span(`${RUN_SIGN} ${agent} `, "muted"), span("parent gone", "warning"), span(" › ", "frame")];
	const title = cutText(titleIn(parent, catalog), Math.floor(size.columns * PARENT_SHARE));
	return [{ ...span(`${RUN_SIGN} ${agent} of “${title}”`, "accent"), press: "parent" }, span(" › ", "frame")];
}

/** Whether a run worked in the directory of the session that asked for it, so that this needs no words. */
function isWithParent({ catalog }: State, row: SessionRow): boolean {
	const parent = row.run && familiesOf(catalog.rows).parents.get(row);
	return parent !== undefined && projectKey(parent.cwd) === projectKey(row.cwd);
}

/** Part of the row that the title of a run's parent may take. */
const PARENT_SHARE = 0.25;

/** The title of a session; of a run its task. */
function titleIn(row: SessionRow, catalog: State["catalog"]): CleanText {
	const task = row.run === undefined ? "" : factsOfRun(row, runSources(catalog)).task;
	return task === "" ? sessionTitle(row) : sanitizeLine(task);
}

/** The marked sessions, longest form first: "✓ 12 marked · $3.20 · 4.2 MB · 3 not listed". A click lists only them. */
function markedForms(state: State): Line[] {
	const { count, bytes, hidden } = markedSum(state);
	const start = strong(`✓ ${formatCount(count)} marked`, "current");
	const size = span(` · ${formatSize(bytes)}`, "muted");
	const out = hidden === 0 ? [] : [span(` · ${formatCount(hidden)} not listed`, "warning")];
	const sum = sumOfMarked(state);
	const money = span(moneyOf(sum) && `${moneyOf(sum)}${partOf(sum)}`, "muted");
	const forms: Line[] = [[start, money, size, ...out], [start, money, ...out], [start, ...out], [start]];
	return forms.map((form) => form.map((part): Span => ({ ...part, press: "stage" })));
}

/**
 * Who waits, what is damaged, what is being read, and what is listed, or instead what is marked; the longest form first. Where not all of
 * it fits, the sum and the words go first, then what is damaged, then who waits; "◐ 3 !1 50" has all of them in the fewest cells.
 */
function countForms(state: State): readonly Line[] {
	const sums = state.list.marked.size > 0 ? markedForms(state) : listedForms(state);
	const [whole = []] = sums;
	const [least = []] = sums.slice(-1);
	const [waiting, waitingSign] = waitingForms(state);
	const [damage, damageSign] = damageForms(state);
	const formsWith = (reading: Line): Line[] => [
		...[waiting, waitingSign].map((wait) => inParts(wait, damage, reading, whole)),
		...(damage.length === 0
			? []
			: [
					...sums.slice(1).map((sum) => inParts(waitingSign, damage, reading, sum)),
					...sums.slice(1).map((sum) => joinParts([waitingSign, damageSign, reading, sum], " ")),
				]),
		inParts(waiting, reading, whole),
		...[waitingSign, []].flatMap((wait) => sums.slice(0, -1).map((sum) => inParts(wait, reading, sum))),
		...[waitingSign, []].map((wait) => inParts(wait, reading, least)),
	];
	const reading = readingNote(state);
	return reading.length === 0 ? formsWith([]) : [...formsWith(reading), reading, ...formsWith([])];
}

function inParts(...parts: readonly Line[]): Line {
	return joinParts(parts, "  ");
}

function joinParts(parts: readonly Line[], gap: string): Line {
	const filled = parts.filter((part) => part.length > 0);
	return filled.flatMap((part, index) => (index === 0 ? part : [span(gap), ...part]));
}

/** "◐ 2 wait for you", and only the sign and the number. */
function waitingForms(state: State): readonly [Line, Line] {
	const count = waitingCount(state);
	if (count === 0) return [[], []];
	const draw = (words: string): Line => [
		{ ...span(`◐ ${formatCount(count)}${words}`, "current"), press: CHIP_TERMS["is:waiting"].command },
	];
	return [draw(count === 1 ? " waits for you" : " wait for you"), draw("")];
}

/** In the title of the list, what a narrow header has no room for. */
export function listTitle(state: State): Line {
	return state.size.columns >= NAMED_COLUMNS ? [] : (tourLine(state) ?? demoNote(state).slice(1));
}

/** Says more if the demo is shown without having been requested. */
function demoNote({ environment: { demo, empty } }: State): Span[] {
	if (!demo) return [];
	return [span("  "), strong(empty === undefined ? "demo" : "demo, not your sessions", "warning")];
}

/** "2 damaged · 1 problem", what could not be read and has not been looked at yet; and only the sign and the number. */
function damageForms(state: State): readonly [Line, Line] {
	const damaged = freshlyDamaged(state);
	const problems = allProblems(state).length;
	const parts = [
		...(damaged > 0 ? [`${formatCount(damaged)} damaged`] : []),
		...(problems > 0 ? [formatCounted(problems, "problem")] : []),
	];
	if (parts.length === 0) return [[], []];
	const draw = (text: string): Line => [{ ...span(text, "warning"), press: "problems" }];
	return [draw(parts.join(" · ")), draw(`!${formatCount(damaged + problems)}`)];
}

function readingNote(state: State): Line {
	const { catalog } = state;
	if (!catalog.complete || catalog.read < catalog.total)
		return [span(`reading ${progress(catalog.read, catalog.total)}`, "muted")];
	// What is damaged would otherwise wait for the other places, which may not answer.
	if (damageForms(state)[0].length > 0) return [];
	if (askedText(state) !== "") return [span(`asking ${askedText(state)} …`, "muted")];
	if (catalog.countable - catalog.counted > LIVE_AT_ONCE)
		return [span(`counting ${progress(catalog.counted, catalog.countable)}`, "muted")];
	return [];
}

/** "11 of 50 sessions · $3.32", the longest form first: what the query and the scope leave. A click opens its statistics. */
function listedForms(state: State): readonly Line[] {
	const count = listedOfAll(state);
	const sum = listedSum(state);
	const money = moneyOf(sum);
	const what = count === "1" ? " session" : " sessions";
	const forms = [
		`${count}${what}${money}${money && partOf(sum)}`,
		`${count}${what}${money}`,
		`${count}${money}`,
		count,
	];
	return forms.map((form) => [{ ...span(form), press: "stats" }]);
}

function moneyOf({ cost, isUnpriced }: ListedSum): string {
	return cost > 0 ? ` · ${isUnpriced ? "≥" : ""}${formatCost(cost)}` : "";
}

/** " of 8 counted": while some are still to be counted, a sum is one of the others. */
function partOf({ counted, uncounted }: ListedSum): string {
	return uncounted > 0 ? ` of ${formatCount(counted)} counted` : "";
}

/** Live sessions are counted again and again; progress is only shown for more than these. */
const LIVE_AT_ONCE = 3;

function progress(done: number, total: number): string {
	return total === 0 ? "…" : `${formatCount(done)}/${formatCount(total)}`;
}

/**
 * What resuming from the leaf of the open session means, or from the end of the branch under the cursor; undefined in the
 * list.
 */
export function selectResumeView(state: State): ResumeView | undefined {
	const { focus, detail, now } = state;
	const session = focus === "list" ? undefined : detail.session;
	if (session === undefined || session.entries.length === 0) return undefined;
	const end = focus === "branches" ? selectedBranch(state)?.id : undefined;
	return resumeView(session, end ?? session.tree.leafId, piAnswer(state), now);
}
