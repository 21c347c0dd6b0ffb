import { sumLine } from "../glance/sum-line.ts";
import { damagedRows } from "../list/damaged-rows.ts";
import { scopesOf } from "../list/scope.ts";
import { isSearched, selectList } from "../list/select-list.ts";
import { SORT_LABELS, sortInUse } from "../list/sort-labels.ts";
import type { Scope, State } from "../model/state.ts";
import type { Line, Span } from "../model/view.ts";
import { formatCount, formatCounted } from "../text/format.ts";
import { span, strong } from "../text/span.ts";
import { cutLine, joinEnds, lineWidth } from "../text/width.ts";
import { shownSession } from "../tree/select-tree.ts";
import { allProblems } from "./problem-lines.ts";

/** First row: how many sessions there are and are shown, what is damaged, and the list's scope, order and filter. */
export function selectHeader(state: State): Line {
	const { columns } = state.size;
	const left: Line = [strong(" pi-grove", "accent"), ...counts(state)];
	// The counts promise that nothing is hidden, so the settings make room for them.
	const sum = sumOf(state, columns - lineWidth(left) - 3);
	if (sum !== undefined) return joinEnds(left, [span("  "), ...sum, span(" ")], columns);
	const right = settingsOf(state).find((line) => lineWidth(left) + lineWidth(line) < columns);
	return right === undefined ? cutLine(left, columns) : joinEnds(left, right, columns);
}

/** What the opened session comes to, in a pane of it. */
function sumOf({ focus, detail, environment }: State, width: number): Line | undefined {
	const session = focus === "list" ? undefined : shownSession(detail);
	return session && sumLine(session, environment.home, width);
}

function counts(state: State): Span[] {
	const { catalog } = state;
	const { rows, total: here } = selectList(state);
	// While rows of the index are still arriving, nothing filters them: all that are known count.
	const missing = catalog.complete ? 0 : Math.max(0, catalog.known - here);
	const total = here + missing;
	const spans: Span[] = [span("  ")];
	const { demo, empty } = state.environment;
	// Asked for, it needs no explanation.
	const demoText = empty === undefined ? "demo  " : "demo, not your sessions  ";
	if (demo) spans.push(strong(demoText, "warning"));
	const shown = rows.length + (rows.length === here ? missing : 0);
	// While a search goes on, more may be found.
	const more = isSearched(state) || state.list.search.error !== undefined ? "" : "+";
	const filtered = `${formatCount(shown)}${more} of ${formatCounted(total, "session")}`;
	spans.push(span(shown === total ? formatCounted(total, "session") : filtered));
	const damaged = damagedRows(catalog.rows).length;
	if (damaged > 0) spans.push(span(` · ${formatCount(damaged)} damaged`, "warning"));
	const problems = allProblems(state).length;
	if (problems > 0) spans.push(span(` · ${formatCounted(problems, "problem")}`, "warning"));
	if (!catalog.complete || catalog.read < catalog.total)
		spans.push(span(` · reading ${progress(catalog.read, catalog.total)}`, "muted"));
	else if (catalog.countable - catalog.counted > LIVE_AT_ONCE)
		spans.push(span(` · counting ${progress(catalog.counted, catalog.countable)}`, "muted"));
	return spans;
}

/** Live sessions are counted again and again; so few are not worth showing. */
const LIVE_AT_ONCE = 3;

function progress(done: number, total: number): string {
	return total === 0 ? "…" : `${formatCount(done)}/${formatCount(total)}`;
}

/** Scope, order and filter of the list, the longest form first. */
function settingsOf({ list, environment }: State): Line[] {
	const choice = (name: Scope): Span =>
		name === list.scope ? span(`◉ ${name} `, "accent") : span(`○ ${name} `, "muted");
	const scope: Line = [span("  scope ", "muted"), ...scopesOf(environment).map(choice)];
	const shortScope: Line = [span("  "), choice(list.scope)];
	const sort: Line = [span("  sort ", "muted"), span(`${SORT_LABELS[sortInUse(list)].toLowerCase()} `)];
	const named: Line = [
		span("  named ", "muted"),
		span(list.namedOnly ? "only " : "off ", list.namedOnly ? "accent" : "text"),
	];
	return [[...scope, ...sort, ...named], [...shortScope, ...sort, ...named], [...shortScope, ...sort], shortScope];
}
