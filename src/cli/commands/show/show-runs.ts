import { tookMs } from "../../../catalog/families/run.ts";
import { hasFailed } from "../../../catalog/families/run-report.ts";
import { type FoundRun, listRuns } from "../../../catalog/session-runs.ts";
import { roundCost } from "../../../catalog/stats/usage.ts";
import { runOutcome } from "../../../conversation/entries/run-outcome.ts";
import { formatCost, formatCount, formatCounted, formatDayTime, sortableTime } from "../../../ui/text/format.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText, lineWidth, padText, textWidth } from "../../../ui/text/width.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { idShortener } from "../../find/find-session.ts";
import type { ReadTarget } from "../../find/find-target.ts";
import { mentionJson } from "../../find/session-json.ts";
import {
	EXIT,
	keepProblems,
	printJsonList,
	printProblems,
	remarkToPerson,
	withProgressNote,
} from "../../print/output.ts";
import { idOf, onOneLine, printListing, type Table } from "../../print/table.ts";
import { headLines } from "./show-text.ts";

export async function showRuns(read: ReadTarget, args: Arguments): Promise<number> {
	const { path } = read;
	const { onProblems, lastProblems } = keepProblems();
	const { sessionDir } = args;
	const runs = await withProgressNote(listRuns(path, { sessionDir, blocking: true, onProblems }), () => "Listing …");
	const shortened = await idShortener(
		runs.flatMap(({ session }) => session?.id ?? []),
		args,
	);
	const listing = {
		values: runs,
		table: TABLE,
		linesOf: (columns: number) =>
			runs.length === 0 ? [] : [...headLines(read, columns), ...linesOf(runs, shortened, columns)],
		printJson: () => printJsonList(runs, runJson),
	};
	await printListing(listing, args);
	printProblems(lastProblems());
	if (!args.json) remarkToPerson(sumLine(runs));
	return runs.length > 0 ? EXIT.ok : EXIT.nothing;
}

/** "3 runs, 1 failed". */
function sumLine(runs: readonly FoundRun[]): string {
	if (runs.length === 0) return "it has started no runs of subagents";
	const failed = runs.filter(({ facts: { state } }) => state !== undefined && hasFailed(state)).length;
	return `${formatCounted(runs.length, "run")}${failed === 0 ? "" : `, ${formatCount(failed)} failed`}`;
}

/** The fields of a run that `--json` prints. What is not known is null, and texts are raw: sanitize them before drawing. */
function runJson({ parent, level, report, session, facts, answers, tokens, cost }: FoundRun): object {
	const { agent, task, state, startedMs, endedMs, model, error, isGone } = facts;
	return {
		parent,
		level,
		agent: agent || null,
		task: task || null,
		state: state ?? null,
		error: error ?? null,
		started: startedMs === undefined ? null : new Date(startedMs),
		ended: endedMs === undefined ? null : new Date(endedMs),
		answers: answers ?? null,
		tokens: tokens ?? null,
		cost: cost === undefined ? null : roundCost(cost),
		model: model || null,
		fork: (session?.run?.isFork ?? false) || report?.context === "fork",
		background: report?.isBackground ?? false,
		entryId: report?.entryId ?? null,
		run: { id: report?.runId ?? session?.run?.runId ?? null, index: report?.index ?? session?.run?.index ?? null },
		session: session === undefined ? null : mentionJson(session.path, session),
		gone: isGone,
	};
}

const TABLE: Table<FoundRun> = {
	names: ["level", "agent", "state", "started", "duration", "answers", "cost", "id", "path", "task"],
	fieldsOf({ level, facts, answers, cost, session }) {
		const { agent, state, startedMs, task } = facts;
		return [
			cleanText(String(level)),
			sanitizeLine(agent) || NONE,
			cleanText(state ?? "-"),
			startedMs === undefined ? NONE : cleanText(sortableTime(startedMs)),
			cleanText(String(tookMs(facts) ?? "-")),
			cleanText(String(answers ?? "-")),
			cleanText(cost === undefined ? "-" : String(roundCost(cost))),
			idOf(session?.id ?? ""),
			session === undefined ? NONE : onOneLine(session.path),
			sanitizeLine(task) || NONE,
		];
	},
};

const NONE = cleanText("-");

/** Cells of an agent's name, with its indentation. */
const AGENT_CELLS = 32;
/** Cells that a task keeps: with less, other columns are left out. */
const TASK_CELLS = 24;
const BETWEEN = "  ";

/** A run as one line for a terminal: how it ended, agent, time, answers, cost, where its session is, task; below it why it failed. */
function linesOf(runs: readonly FoundRun[], shortened: typeof idOf, columns: number): Line[] {
	const now = Date.now();
	const cells = runs.map(({ level, facts, answers, cost, session }) => ({
		outcome: runOutcome({ state: facts.state, tookMs: tookMs(facts) }),
		agent: cutText(cleanText(`${"  ".repeat(level)}${sanitizeLine(facts.agent) || "(no name)"}`), AGENT_CELLS),
		more: [
			cleanText(facts.startedMs === undefined ? "" : formatDayTime(facts.startedMs, now)),
			cleanText(answers === undefined ? "" : formatCounted(answers, "answer")),
			cleanText(cost === undefined ? "" : formatCost(cost)),
			whereOf(session, facts.isGone, shortened),
		],
		task: sanitizeLine(facts.task),
		error: sanitizeLine(facts.error ?? ""),
	}));
	const widest = (widths: readonly number[]): number => widths.reduce((most, width) => Math.max(most, width), 0);
	const agentWidth = widest(cells.map(({ agent }) => textWidth(agent)));
	const outcomeWidth = widest(cells.map(({ outcome }) => lineWidth(outcome)));
	const all = [0, 1, 2, 3].map((at) => widest(cells.map(({ more }) => textWidth(more[at] ?? cleanText("")))));
	const widths = fittingWidths(all, columns - agentWidth - outcomeWidth - 2 * BETWEEN.length - TASK_CELLS);
	return cells.flatMap(({ outcome, agent, more, task, error }) => {
		const fittingTexts = more.flatMap((text, at) => (widths[at] === 0 ? [] : [padText(text, widths[at] ?? 0)]));
		const line: Line = [
			strong(padText(agent, agentWidth)),
			span(BETWEEN),
			...outcome,
			span(cleanText(" ".repeat(outcomeWidth - lineWidth(outcome)))),
			...fittingTexts.map((text) => span(cleanText(`${BETWEEN}${text}`), "muted")),
			span(cleanText(`${BETWEEN}${task}`)),
		];
		const why: Line = [span(cleanText(`${" ".repeat(agentWidth)}${BETWEEN}${error}`), "error")];
		return error === "" ? [cutLine(line, columns)] : [cutLine(line, columns), cutLine(why, columns)];
	});
}

/** The columns that leave room for the task; 0 for the others: first the time is left out, then turns, cost, session. */
function fittingWidths(all: readonly number[], room: number): readonly number[] {
	let roomLeft = room;
	const fitting = all.toReversed().map((width) => {
		const cells = width === 0 ? 0 : width + BETWEEN.length;
		roomLeft -= cells;
		return roomLeft < 0 ? 0 : width;
	});
	return fitting.toReversed();
}

/** The id of the run's session, or why there is none. */
function whereOf(session: FoundRun["session"], isGone: boolean, shortened: (id: string) => CleanText): CleanText {
	if (session !== undefined) return shortened(session.id);
	return cleanText(isGone ? "session gone" : "no session");
}
