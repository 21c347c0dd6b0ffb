import { damagedRows } from "../list/damaged-rows.ts";
import { selectList } from "../list/select-list.ts";
import type { CatalogState, Scope, State } from "../state.ts";
import { formatCount, formatCounted } from "../text/format.ts";
import { cutLine, joinEnds, lineWidth } from "../text/width.ts";
import { SORT_LABELS } from "../update/menus.ts";
import type { Line, Span } from "../view.ts";
import { allProblems } from "./problem-lines.ts";

/** First row: how many sessions there are and are shown, what is damaged or in the way, and how the list is made. */
export function selectHeader(state: State): Line {
	const { columns } = state.size;
	const left: Line = [{ text: " pi-grove", tone: "accent", bold: true }, ...counts(state)];
	const settings = settingsOf(state);
	for (let from = 0; from <= settings.length; from++) {
		const right: Line = settings.slice(from).flatMap((setting) => [{ text: "  " }, ...setting]);
		// The counts are the promise that nothing is hidden; the settings give way to them, the widest first.
		if (lineWidth(left) + lineWidth(right) < columns) return joinEnds(left, [...right, { text: " " }], columns);
	}
	return cutLine(left, columns);
}

function counts(state: State): Span[] {
	const { catalog } = state;
	const { rows, total } = selectList(state);
	const spans: Span[] = [{ text: "  " }];
	if (state.surroundings.demo) spans.push({ text: "demo  ", tone: "warning", bold: true });
	const shown = rows.length;
	spans.push({
		text:
			shown === total ? formatCounted(total, "session") : `${formatCount(shown)} of ${formatCounted(total, "session")}`,
	});
	const damaged = damagedRows(catalog.rows).length;
	if (damaged > 0) spans.push({ text: ` · ${formatCount(damaged)} damaged`, tone: "warning" });
	const problems = allProblems(state).length;
	if (problems > 0) spans.push({ text: ` · ${formatCounted(problems, "problem")}`, tone: "warning" });
	if (!catalog.complete || catalog.read < catalog.total)
		spans.push({ text: ` · reading ${progress(catalog)}`, tone: "muted" });
	return spans;
}

function progress({ read, total }: CatalogState): string {
	return total === 0 ? "…" : `${formatCount(read)}/${formatCount(total)}`;
}

function settingsOf({ list, surroundings }: State): Line[] {
	const scopes: readonly Scope[] = surroundings.repo === undefined ? ["all", "here"] : ["all", "repo", "here"];
	const scope = scopes.map<Span>((name) =>
		name === list.scope ? { text: `◉ ${name} `, tone: "accent" } : { text: `○ ${name} `, tone: "muted" },
	);
	return [
		[{ text: "scope ", tone: "muted" }, ...scope],
		[{ text: "sort ", tone: "muted" }, { text: SORT_LABELS[list.sort].toLowerCase() }],
		[
			{ text: "named ", tone: "muted" },
			{ text: list.namedOnly ? "only" : "off", tone: list.namedOnly ? "accent" : "text" },
		],
	];
}
