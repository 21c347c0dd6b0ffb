import { dependedOn, dependentsOf } from "../history/depends.ts";
import { type HistoryChange, isMade } from "../history/history-change.ts";
import { checkUndo } from "../journal/check-undo.ts";
import type { Step } from "../journal/step.ts";
import { undoChange } from "../journal/undo-change.ts";
import type { Action } from "../model/action.ts";
import type { Effect } from "../model/effect.ts";
import { formatCount, formatCounted } from "../text/format.ts";
import { gatherChanges } from "./gather-changes.ts";
import type { HistoryReader } from "./history-reader.ts";
import { type Failure, listFailures } from "./list-failures.ts";
import type { Job } from "./long-work.ts";
import { sentence } from "./reason.ts";
import { sessionsOf, sessionToShow, type UndoTools, usesBefore } from "./undo-last.ts";
import { type Concern, capital, conflict, keyOf, ofOtherRun, together } from "./undo-questions.ts";
import { isUnderWay, type Undoable, undoableOf } from "./undoable.ts";

type UndoEffect = Extract<Effect, { type: "undo-changes" }>;

/** So many changes that depend on a chosen one are named in the question. */
const MOST_NAMED = 5;

/**
 * Takes back changes that a person has chosen, and what depends on them, newest first. Asks before it takes back more than
 * was chosen, what is of another run, and what somebody else has changed since. What cannot be undone stays as it is, and so
 * does what it depends on. Rejects when the journal cannot be read.
 */
export async function undoChosen(
	{ ids, agreed }: UndoEffect,
	tools: UndoTools & { readonly history: HistoryReader },
): Promise<Action> {
	const { history, work } = tools;
	// What another window has done since is known then.
	await history.update();
	const chosen = ids.flatMap((id) => history.get(id) ?? []).filter(isMade);
	const oldest = chosen.at(-1);
	if (oldest === undefined) return say("It has been undone already", "muted");
	const later = history.since(oldest.id);
	const dependents = dependentsOf(chosen, later);
	const all = later.filter((change) => chosen.includes(change) || dependents.includes(change));
	const step = stepOf(chosen, all);
	const { changed, flush } = gatherChanges(tools);
	const job = work.begin(`Undoing: ${step.what}`, all.length);
	try {
		const concerns = [...ofOtherRun(step, tools), ...ofDependents(dependents), ...(await ofFiles(all, tools))];
		if (concerns.length > 0 && agreed !== keyOf(step, concerns)) return question(step, concerns, ids);
		return await undoAll(step, all, job, { ...tools, changed });
	} catch (error) {
		const text = `Not undone: ${step.what}. ${capital(sentence(error))}`;
		return { type: "done", message: { text, tone: "error" }, select: sessionToShow(oldest) };
	} finally {
		flush();
		job.end();
	}
}

/** What is undone at once; it is this run's if all of it is. */
function stepOf(chosen: readonly HistoryChange[], all: readonly HistoryChange[]): Step {
	const [newest] = chosen;
	const other = all.findLast(({ isMine }) => !isMine) ?? newest;
	const group = newest?.group !== undefined && chosen.length > 1 ? newest.group.what : undefined;
	return {
		id: chosen.map(({ id }) => id).join(" "),
		at: other?.at ?? "",
		what: group ?? newest?.what ?? "",
		run: other?.run,
		changes: all.toReversed(),
	};
}

function ofDependents(dependents: readonly HistoryChange[]): Concern[] {
	if (dependents.length === 0) return [];
	const named = dependents.slice(0, MOST_NAMED).map(({ what }) => what);
	const rest = dependents.length - named.length;
	const list = [...named, ...(rest === 0 ? [] : [`${formatCount(rest)} more`])].join("; ");
	const which = dependents.length === 1 ? "This depends on it, and is" : "These depend on it, and are";
	const key = `with ${dependents.map(({ id }) => id).join(" ")}`;
	return [{ key, text: `${which} undone with it: ${list}.`, danger: false }];
}

/** What has been done to the files since; a change that another one here depends on cannot be told yet. */
async function ofFiles(
	all: readonly HistoryChange[],
	tools: UndoTools & { history: HistoryReader },
): Promise<Concern[]> {
	const concerns: Concern[][] = [];
	const held = dependedOn(all);
	for (const change of all) {
		if (change.undo === undefined || held.has(change.id)) continue;
		const check = await checkUndo(change.undo, tools.history.ownEntries(), tools.store, tools.sessionRoots);
		// What cannot be undone at all says so when its turn comes; alone, it says so now.
		if (check.kind === "refuse" && all.length === 1) throw new Error(check.why);
		concerns.push([
			...(check.kind === "ask" ? [conflict(check.why)] : []),
			...(check.kind === "done" ? [] : await usesBefore(change.undo, tools)),
		]);
	}
	return together(concerns, all.length);
}

function question(step: Step, concerns: readonly Concern[], ids: readonly string[]): Action {
	const danger = concerns.some((concern) => concern.danger);
	const effect: Effect = { type: "undo-changes", ids, agreed: keyOf(step, concerns) };
	const count = step.changes.length;
	const what = count === 1 ? "Undo it" : `Undo all ${formatCount(count)}`;
	const act = { label: danger ? `${what} anyway` : what, effect };
	const keep = { label: count === 1 ? "Keep it as it is" : "Keep them as they are" };
	return {
		type: "ask",
		question: {
			title: count === 1 ? "Undo this change?" : `Undo ${formatCounted(count, "change")}?`,
			body: [`${capital(step.what)}.`, ...concerns.map(({ text }) => text)],
			choices: danger ? [keep, act] : [act, keep],
			danger,
		},
	};
}

async function undoAll(
	step: Step,
	all: readonly HistoryChange[],
	job: Job,
	tools: UndoTools & { readonly history: HistoryReader },
): Promise<Action> {
	let undone = 0;
	const failures: (Failure & { readonly change: HistoryChange })[] = [];
	let unnoted: unknown;
	for (const [index, change] of all.entries()) {
		if (!(await job.goesOn(index))) break;
		try {
			if (dependentsOf([change], [...failures.map((failure) => failure.change), change]).length > 0)
				throw new Error("what depends on it was not undone");
			unnoted ??= await undoOne(change, tools);
			undone += 1;
		} catch (error) {
			failures.push({ what: change.what, error, change });
		}
	}
	if (undone === 0 && failures.length > 0)
		throw failures.length === 1 ? failures[0]?.error : new Error(listFailures(failures));
	return report(step, undone, failures, unnoted);
}

/** Resolves to why the journal does not say that it is undone, where it does not. Rejects when it is not. */
async function undoOne(begun: HistoryChange, tools: UndoTools & { readonly history: HistoryReader }): Promise<unknown> {
	// Ids of what was appended by the undoing of those before it are in the journal.
	await tools.history.update();
	const content = { changes: tools.history.since(begun.id).toReversed(), ownEntries: tools.history.ownEntries() };
	if (isUnderWay(begun, tools.journal, tools.clock())) throw new Error("another window is just making it");
	const change: Undoable | undefined = await undoableOf(begun, content, tools);
	// It was not made: now the journal says so.
	if (change === undefined) return undefined;
	const { undo } = change;
	if (undo === undefined) throw change.unclear;
	const check = await checkUndo(undo, tools.history.ownEntries(), tools.store, tools.sessionRoots);
	if (check.kind === "refuse") throw new Error(check.why);
	const by = check.kind === "done" ? {} : await undoChange(undo, tools);
	tools.changed(sessionsOf(change));
	try {
		await tools.journal.undone(change.id, by);
	} catch (error) {
		return error;
	}
	return undefined;
}

function report(step: Step, undone: number, failures: readonly Failure[], unnoted: unknown): Action {
	const count = step.changes.length;
	const isWhole = undone === count;
	const parts = [
		isWhole ? `Undone: ${step.what}` : `${formatCount(undone)} of ${formatCount(count)} changes undone`,
		...(isWhole && count > 1 ? [`${formatCounted(count, "change")} in all`] : []),
		...(failures.length === 0 ? [] : [`not undone: ${listFailures(failures)}`]),
		...(unnoted === undefined ? [] : [`the history may still offer it, since ${sentence(unnoted)}`]),
	];
	const tone = isWhole && unnoted === undefined ? "text" : "warning";
	const [first] = step.changes;
	return { type: "done", message: { text: parts.join("; "), tone }, select: first && sessionToShow(first) };
}

function say(text: string, tone: "muted"): Action {
	return { type: "done", message: { text, tone } };
}
