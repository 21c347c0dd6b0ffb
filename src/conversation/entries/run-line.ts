import { hasEnded, hasFailed, type RunState } from "../../catalog/families/run-report.ts";
import { memoEach } from "../../shared/memo.ts";
import { formatCost, formatCount, formatCounted } from "../../ui/text/format.ts";
import { type Line, type Span, span, strong } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, lineWidth } from "../../ui/text/width.ts";
import { RUN_SIGN, runOutcome } from "./run-outcome.ts";

/** A run of a subagent as one line says it. */
export interface RunLine {
	/** Identity of the run among those of its parent. */
	readonly key: string;
	/** Id of the entry of its parent below which it stands. */
	readonly entryId: string;
	/** Empty where it is not known. */
	readonly agent: string;
	/** Empty where it is not known. */
	readonly task: string;
	/** Undefined where nothing has said it. */
	readonly state: RunState | undefined;
	/** How long it took, or has been working. */
	readonly tookMs: number | undefined;
	/** Answers of its model. */
	readonly answers: number | undefined;
	/** In dollars; 0 if nothing is known. */
	readonly cost: number;
	readonly error: string | undefined;
	/** Path of its session; undefined if it has none. */
	readonly path: string | undefined;
	/** Whether it had a session that no longer exists. */
	readonly isGone: boolean;
}

/** A step with more runs has one row for all of them until it is opened. */
const MANY = 8;

/** Whether the runs of a step are so many that one row stands for them. */
export function areMany({ length }: { readonly length: number }): boolean {
	return length > MANY;
}

/** Cells that the agent and its task keep. */
const LEAST_TASK = 24;
/** Cells from which it is said why a run failed. */
const LEAST_WHY = 24;

const COLUMNS = ["answers", "outcome", "cost", "where"] as const;
type Column = (typeof COLUMNS)[number];
/** Columns that begin at the same cell; the others end there. */
const FROM_LEFT: ReadonlySet<Column> = new Set<Column>(["outcome", "where"]);
/** What of a run is said with less and less room. */
const FORMS: readonly (readonly Column[])[] = [COLUMNS, ["outcome", "cost", "where"], ["outcome", "cost"]];

/** What is known of a run, by column; nothing where it is not known. */
function cellsOf(run: RunLine): Readonly<Record<Column, Line>> {
	const { answers, cost } = run;
	return {
		answers: answers === undefined || answers === 0 ? [] : [span(formatCounted(answers, "answer"), "muted")],
		outcome: runOutcome(run),
		cost: cost > 0 ? [span(formatCost(cost), "muted")] : [],
		where: whereWords(run),
	};
}

export type RunWidths = Readonly<Record<Column, number>>;

/** The widths of the columns in which runs stand below each other. */
export const runWidths = memoEach((runs: { values(): Iterable<RunLine> }): RunWidths => {
	const all = Array.from(runs.values(), cellsOf);
	const widest = (column: Column) => all.reduce((most, cells) => Math.max(most, lineWidth(cells[column])), 0);
	return Object.fromEntries(COLUMNS.map((column) => [column, widest(column)])) as RunWidths;
});

/**
 * "◫ worker  split the invoices module" and "9 answers  ✓ 14m  $1.91  → open", which leaves the task readable in `room`
 * cells. `widths`: of the columns. @default as wide as they are
 */
export function runEnds(run: RunLine, room: number, widths?: RunWidths): { readonly left: Line; readonly right: Line } {
	const { agent, task } = run;
	const name = sanitizeLine(agent || (task === "" ? "a subagent" : ""));
	const beginning: Line = [
		span(`${RUN_SIGN} `, "accent"),
		...(name === "" ? [] : [strong(name), span("  ")]),
		span(sanitizeLine(task)),
	];
	const cells = cellsOf(run);
	const least = Math.min(LEAST_TASK, lineWidth(beginning));
	const forms = FORMS.map((columns) => columns.flatMap((column) => padded(cells[column], column, widths?.[column])));
	const right = forms.find((form) => lineWidth(form) + least <= room) ?? cutLine([span("  "), ...cells.outcome], room);
	const roomLeft = room - lineWidth(beginning) - lineWidth(right);
	const why: Line =
		run.error === undefined || roomLeft < LEAST_WHY ? [] : [span("  "), span(sanitizeLine(run.error), "error")];
	return { left: [...beginning, ...why], right };
}

/** A cell of a column behind two blanks; nothing for a column in which nothing stands. */
function padded(cell: Line, column: Column, width = lineWidth(cell)): Line {
	if (width === 0) return [];
	const blank = span(" ".repeat(width - lineWidth(cell)));
	return [span("  "), ...(FROM_LEFT.has(column) ? [...cell, blank] : [blank, ...cell])];
}

function whereWords({ path, isGone, state }: RunLine): Line {
	if (path !== undefined) return [span("→ open", "key")];
	if (isGone) return [span("not found", "warning")];
	return state !== undefined && hasEnded(state) ? [span("no session", "muted")] : [];
}

/** "◫ 100 runs  ●3 ✗5 ✓92  $4.10": what many runs come to. */
export function runSum(runs: readonly RunLine[]): Line {
	const count = (is: (state: RunState) => boolean): number =>
		runs.filter(({ state }) => state !== undefined && is(state)).length;
	const done = count((state) => state === "done");
	const running = count((state) => !hasEnded(state));
	const failed = count(hasFailed);
	const other = runs.length - done - running - failed;
	const parts: Span[] = [
		...(running > 0 ? [span(`●${formatCount(running)}`, "current")] : []),
		...(failed > 0 ? [span(`✗${formatCount(failed)}`, "error")] : []),
		...(done > 0 ? [span(`✓${formatCount(done)}`, "current")] : []),
		...(other > 0 ? [span(`${formatCount(other)} unfinished`, "warning")] : []),
	];
	const cost = runs.reduce((sum, run) => sum + run.cost, 0);
	return [
		span(`${RUN_SIGN} `, "accent"),
		strong(formatCounted(runs.length, "run")),
		...parts.flatMap((part, index) => [span(index === 0 ? "  " : " "), part]),
		...(cost > 0 ? [span(`  ${formatCost(cost)}`, "muted")] : []),
	];
}
