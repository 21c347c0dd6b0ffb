import type { SessionRow } from "../../../catalog/model/row.ts";
import { RUN_SIGN } from "../../../conversation/entries/run-outcome.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { type ResumeView, resumeView } from "../../../conversation/glance/resume-view.ts";
import { type OpenedFamily, sumLine } from "../../../conversation/glance/sum-line.ts";
import { projectKey } from "../../../store/files/paths.ts";
import type { Session } from "../../../store/read/read-session.ts";
import {
	capital,
	formatCost,
	formatCount,
	formatCounted,
	formatDuration,
	formatSize,
	shortenHome,
} from "../../../ui/text/format.ts";
import { inRow, type Line, type Span, span, strong } from "../../../ui/text/line.ts";
import { type CleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText, cutTextStart, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import { branchesSum } from "../../features/branches/branches-pane.ts";
import { listedOfAll } from "../../features/list/list-notes.ts";
import { allProblems } from "../../features/maintenance/maintenance-state.ts";
import { pageHeader } from "../../features/reader/reader-title.ts";
import { tourLine } from "../../features/tour/tour.ts";
import { agentOfRun, factsOfRun, familiesOf, familySpentOf, runSources } from "../../world/list/families.ts";
import { COUNTED_TERMS, damagedRows, headerCounts } from "../../world/list/list-counts.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { type ListedSum, listedSum, sumOfMarked } from "../../world/list/listed-sum.ts";
import { markedSum } from "../../world/list/marked.ts";
import { pinOf, tagsOf } from "../../world/list/row-cells.ts";
import { archivedCount, isWide, runCountOutside } from "../../world/list/scope.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { askedText } from "../../world/list/select-places.ts";
import { selectedBranch } from "../../world/opened/select-branches.ts";
import { failedRuns } from "../../world/opened/select-runs.ts";
import { piAnswer } from "../../world/opened/summed-session.ts";
import type { Page } from "../../world/page/page.ts";
import { layoutFor } from "../../world/screen/layout.ts";
import { CHIP_TERMS } from "../../world/state/list-state.ts";
import type { State } from "../../world/state/state.ts";
import { openedPage, VIEWS } from "../features/features.ts";

/** Maximum width of a session's directory, as a share of the row. */
const DIRECTORY_SHARE = 0.3;
const TAGS_SHARE = 0.2;
/** Minimum width of a title beside the sum of the session, in cells. */
const LEAST_TITLE = 24;

/**
 * The first row: in the list the number of sessions and what is damaged; in a session its directory, its title and its sum.
 */
export function selectHeader(state: State): Line {
	const tour = tourLine(state);
	const page = openedPage(state);
	const row = state.focus === "list" ? undefined : selectedRow(state);
	if (tour !== undefined) return withTour(state, tour, page === undefined ? row : undefined);
	if (page !== undefined) return pageTitle(state, page);
	return row === undefined ? listHeader(state) : sessionHeader(state, row);
}

/** The tour at the right, and left of it what there is room for. */
function withTour(state: State, tour: Line, row: SessionRow | undefined): Line {
	const { columns } = state.size;
	const room = columns - lineWidth(tour) - 2;
	if (row !== undefined && room > LEAST_TITLE) {
		const narrower = { ...state, size: { ...state.size, columns: room } };
		return joinEnds(cutLine(sessionHeader(narrower, row), room), tour, columns);
	}
	const name: Line = [strong(" pi-grove", "accent")];
	const counts = withCounts(name, state, room);
	const forms: readonly Line[] = [counts, [...name, ...demoNote(state)], name];
	const start = forms.find((form) => lineWidth(form) + 2 + lineWidth(tour) <= columns);
	return start === undefined ? cutLine([span(" "), ...tour], columns) : joinEnds(start, tour, columns);
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
	const start: Line = [...homeOf(state), strong(name)];
	if (command === undefined) return start;
	const tabs = inRow(
		VIEWS.map((view): Span => {
			const text = capital(view.kind);
			return view.kind === kind ? strong(`● ${text}`, "accent") : { ...span(text, "muted"), press: view.command };
		}),
	);
	return lineWidth(start) + lineWidth(tabs) + 3 > columns ? start : joinEnds(start, [...tabs, span(" ")], columns);
}

function listHeader(state: State): Line {
	const { columns } = state.size;
	const start = withCounts([strong(" pi-grove", "accent")], state);
	const room = columns - lineWidth(start) - 3;
	const marked = markedForms(state);
	const counted = countedForms(state);
	const both = marked.flatMap((form) => counted.map((more): Line => [...form, span("  "), ...more]));
	const right = [...both, ...(marked.length > 0 ? marked : counted)].find((form) => lineWidth(form) <= room);
	return right === undefined ? cutLine(start, columns) : joinEnds(start, [span("  "), ...right, span(" ")], columns);
}

/** The name of the program, from where a click goes home to the list. */
function homeOf(state: State): Line {
	const spans = [strong(" pi-grove", "accent"), ...demoNote(state), span(" › ", "frame")];
	return spans.map((part): Span => ({ ...part, press: "home" }));
}

/** The session's directory, its title, and its sum in the longest form that leaves the title readable. */
function sessionHeader(state: State, row: SessionRow): Line {
	const { size, environment, detail } = state;
	const { columns } = size;
	const start = sessionStart(state, row);
	const least = Math.min(lineWidth(start), lineWidth(start.slice(0, -1)) + LEAST_TITLE);
	const session = detail.session;
	// Tags are never cut: one that does not fit is left out.
	const tags = tagsOf(row, state.marks, Math.floor(columns * TAGS_SHARE));
	const sumRoom = columns - least - lineWidth(tags) - 3;
	// Here if there is no rule below the panes.
	const reasons = layoutFor(state).bottom === undefined ? selectResumeView(state)?.reasons : undefined;
	const page = pageHeader(state).find((form) => lineWidth(form) <= sumRoom);
	const right =
		page ??
		(state.focus === "branches"
			? (branchesSum(state).find((form) => lineWidth(form) <= sumRoom) ?? [])
			: ((session && sumLine(session, environment.home, sumRoom, reasons, openedFamily(state, row, session))) ?? []));
	const end: Line = right.length === 0 ? [] : [span("  "), ...right, span(" ")];
	const titleRoom = columns - lineWidth(end) - lineWidth(tags);
	const titled = [...cutLine(start, Math.min(titleRoom, lineWidth(start))), ...tags];
	return end.length === 0 ? titled : joinEnds(titled, end, columns);
}

/** Where a session is, and its title. */
function sessionStart(state: State, row: SessionRow): Line {
	const { size, environment } = state;
	const room = Math.floor(size.columns * DIRECTORY_SHARE);
	const directory = cutTextStart(sanitizeLine(shortenHome(row.cwd, environment.home)), room);
	const damage = row.diagnostics.filter(({ severity }) => severity === "damage").length;
	return [
		...homeOf(state),
		...(isWithParent(state, row) ? [] : [span(directory, "muted"), span(" › ", "frame")]),
		...(damage === 0 ? [] : [span(`! ${formatCounted(damage, "problem")} `, "warning")]),
		...pinOf(row, state.marks),
		...runNote(state, row),
		strong(titleIn(row, state.catalog)),
	];
}

function openedFamily(state: State, row: SessionRow, session: Session): OpenedFamily | undefined {
	const family = familySpentOf(row, state.catalog);
	return family && { ...family, failed: failedRuns(state, session) };
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
	if (count === 0) return [];
	const start = strong(`✓ ${formatCount(count)} marked`, "current");
	const size = span(` · ${formatSize(bytes)}`, "muted");
	const out = hidden === 0 ? [] : [span(` · ${formatCount(hidden)} not listed`, "warning")];
	const sum = sumOfMarked(state);
	const money = span(moneyOf(sum) && `${moneyOf(sum)}${partOf(sum)}`, "muted");
	const forms: Line[] = [[start, money, size, ...out], [start, money, ...out], [start, ...out], [start]];
	return forms.map((form) => form.map((part): Span => ({ ...part, press: "stage" })));
}

const COUNTED_SIGNS: Readonly<Record<(typeof COUNTED_TERMS)[number], string>> = {
	"is:running": "● ",
	"is:waiting": "◐ ",
	"on:today": "",
};

/** "● 1 running  ◐ 5 waiting  8 today", the longest form first. A click on one lists these. */
function countedForms(state: State): Line[] {
	const counts = headerCounts(state);
	const terms = COUNTED_TERMS.filter((term) => counts[term] > 0);
	const count = (term: (typeof COUNTED_TERMS)[number], isLong: boolean): Span => {
		const sign = COUNTED_SIGNS[term];
		const words = isLong || sign === "" ? ` ${CHIP_TERMS[term].label}` : "";
		return {
			...span(`${sign}${formatCount(counts[term])}${words}`, sign === "" ? "muted" : "current"),
			press: CHIP_TERMS[term].command,
		};
	};
	const forms = terms.map((_, index) => terms.slice(0, terms.length - index));
	return [true, false].flatMap((isLong) => forms.map((form) => inRow(form.map((term) => count(term, isLong)))));
}

/** Says more if the demo is shown without having been requested. */
function demoNote({ environment: { demo, empty } }: State): Span[] {
	if (!demo) return [];
	return [span("  "), strong(empty === undefined ? "demo" : "demo, not your sessions", "warning")];
}

/** What is listed, after the start of the header; `columns`: the cells for both. */
function withCounts(start: Line, state: State, columns = state.size.columns): Line {
	const { catalog } = state;
	const spans: Span[] = [...runsNote(state)];
	const archived = archivedCount(catalog.rows);
	if (state.list.scope !== "archived" && archived > 0)
		spans.push({ ...span(` · ${formatCount(archived)} archived`, "muted"), press: "scope-archived" });
	const damaged = damagedRows(catalog.here).length;
	if (damaged > 0) spans.push({ ...span(` · ${formatCount(damaged)} damaged`, "warning"), press: "problems" });
	const problems = allProblems(state).length;
	if (problems > 0) spans.push({ ...span(` · ${formatCounted(problems, "problem")}`, "warning"), press: "problems" });
	if (!catalog.complete || catalog.read < catalog.total)
		spans.push(span(` · reading ${progress(catalog.read, catalog.total)}`, "muted"));
	else if (askedText(state) !== "") spans.push(span(` · asking ${askedText(state)} …`, "muted"));
	else if (catalog.countable - catalog.counted > LIVE_AT_ONCE)
		spans.push(span(` · counting ${progress(catalog.counted, catalog.countable)}`, "muted"));
	const sums = sumForms(state);
	const room = columns - lineWidth(start) - lineWidth(spans) - lineWidth(demoNote(state)) - 2;
	const sum = sums.find((form) => lineWidth(form) <= room) ?? sums.at(-1) ?? [];
	return [...start, ...demoNote(state), span("  "), ...sum, ...spans];
}

/** "11 of 50 sessions · $3.32 · 4h 10m", the longest form first: what the query and the scope leave. A click opens its statistics. */
function sumForms(state: State): readonly Line[] {
	const count = listedOfAll(state);
	const { scope } = state.list;
	const places = scope === "everywhere" ? ` in ${formatCounted(state.catalog.places.length + 1, "place")}` : "";
	const { query, mistake } = searchOf(state);
	// While what is typed is no query, the last one that was stays listed.
	const askedNote =
		mistake !== undefined && query.text !== "" ? ` for ${cutText(sanitizeLine(query.text), MOST_ASKED)}` : "";
	const where = `${scope === "archived" ? " archived" : places}${askedNote}`;
	const name: Span = { ...span(`${count} ${count === "1" ? "session" : "sessions"}${where}`), press: "stats" };
	const sum = listedSum(state);
	if (sum.counted === 0) return [[name]];
	const money = moneyOf(sum);
	const time = sum.workedMs > 0 ? ` · ${formatDuration(sum.workedMs)}` : "";
	const part = money + time === "" ? "" : partOf(sum);
	const forms = [`${money}${time}${part}`, `${money}${part}`, ""];
	return forms.map((form) => [name, { ...span(form), press: "stats" }]);
}

/** Cells of a query in the header. */
const MOST_ASKED = 30;

function moneyOf({ cost, isUnpriced }: ListedSum): string {
	return cost > 0 ? ` · ${isUnpriced ? "≥" : ""}${formatCost(cost)}` : "";
}

/** " of 8 counted": while some are still to be counted, a sum is one of the others. */
function partOf({ counted, uncounted }: ListedSum): string {
	return uncounted > 0 ? ` of ${formatCount(counted)} counted` : "";
}

/** How many runs of subagents the sessions of all projects have; a click shows or hides them. */
function runsNote({ catalog, list: { scope } }: State): Span[] {
	const count = isWide(scope) ? runCountOutside(catalog.rows) : 0;
	return count === 0 ? [] : [{ ...span(` · ${formatCounted(count, "run")}`, "muted"), press: "toggle-all-runs" }];
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
