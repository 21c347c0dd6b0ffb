import { capital, formatCount, formatCounted } from "../../ui/text/format.ts";
import type { Job } from "../core/effects/long-work.ts";
import { stepOf as groupStep, type Step } from "../journal/step.ts";
import type { Action } from "../world/action.ts";
import type { ChosenChanges, Effect } from "../world/effect.ts";
import { sentence } from "../world/effects/reason.ts";
import type { Message } from "../world/state.ts";
import { dependedOn, dependentsOf } from "./depends.ts";
import { eachInTurn } from "./each-session.ts";
import { gatherChanges } from "./gather-changes.ts";
import { type HistoryChange, isMade } from "./history-change.ts";
import { chosenChanges, type HistoryReader } from "./history-reader.ts";
import { type Failure, listFailures } from "./list-failures.ts";
import { lookSometimes } from "./look-sometimes.ts";
import {
	concernsAbout,
	type Ready,
	readyToUndo,
	sessionsOf,
	sessionToShow,
	type UndoTools,
	undoOne,
	whyNothing,
} from "./undo-one.ts";
import { type Concern, keyOf, ofOtherRun, together } from "./undo-questions.ts";
import { isUnderWay, type Undoable, undoableOf, whyUnderWay } from "./undoable.ts";

type UndoEffect = Extract<Effect, { type: "undo-changes" }>;

/** So many changes that depend on a chosen one are named in the question. */
const MOST_NAMED = 5;

/**
 * Takes back changes that a person has chosen, and what depends on them, newest first. Asks before it takes back more than
 * was chosen, what is of another run, and what somebody else has changed since. What cannot be undone stays as it is, and so
 * does what it depends on. Rejects when the journal cannot be read.
 */
export async function undoChosen(
	{ of, agreed }: UndoEffect,
	tools: UndoTools & { readonly history: HistoryReader },
): Promise<Action> {
	const { history, work } = tools;
	const chosen = (await chosenChanges(of, history)).filter(isMade);
	const oldest = chosen.at(-1);
	if (oldest === undefined) return say("It has been undone already", "muted");
	const later = history.since(oldest.id);
	const dependents = dependentsOf(chosen, later);
	const wanted = new Set([...chosen, ...dependents]);
	const all = later.filter((change) => wanted.has(change));
	const step = stepOf(of, chosen, all);
	const { changed, flush } = gatherChanges(tools);
	const job = work.begin(`Undoing: ${step.what}`, all.length);
	try {
		const found = await ofFiles(all, job, tools);
		if (found === undefined) return say(`Stopped: nothing was undone: ${step.what}`, "warning");
		const concerns = [...ofOtherRun(step, tools), ...ofDependents(dependents), ...found.concerns];
		if (concerns.length > 0 && agreed !== keyOf(step, concerns)) return question(step, concerns, of);
		return await undoAll(step, { all, agreed: found.uses }, job, { ...tools, changed });
	} catch (error) {
		const text = `Not undone: ${step.what}. ${capital(sentence(error))}`;
		return { type: "done", message: { text, tone: "error" }, select: sessionToShow(oldest) };
	} finally {
		flush();
		job.end();
	}
}

/** What is undone at once; it is this run's if all of it is. */
function stepOf(of: ChosenChanges, chosen: readonly HistoryChange[], all: readonly HistoryChange[]): Step {
	const [newest] = chosen;
	const other = all.findLast(({ isMine }) => !isMine) ?? newest;
	return {
		id: chosen.map(({ id }) => id).join(" "),
		at: other?.at ?? "",
		what: ("group" in of ? groupStep(chosen)?.what : newest?.what) ?? "",
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

/** What was found when changes were looked at before they are undone. */
interface Found {
	readonly concerns: readonly Concern[];
	/** What the person is shown of the use of sessions, by id of the change. */
	readonly uses: ReadonlyMap<string, Ready["use"]>;
}

/**
 * What has been done to the files since; a change that another one here depends on cannot be told yet. Undefined: the person
 * has stopped it.
 */
async function ofFiles(
	all: readonly HistoryChange[],
	job: Job,
	tools: UndoTools & { history: HistoryReader },
): Promise<Found | undefined> {
	const concerns: (readonly Concern[])[] = [];
	const uses = new Map<string, Ready["use"]>();
	const held = dependedOn(all);
	const looking = { ...tools, look: lookSometimes(tools.look, all.flatMap(sessionsOf)) };
	for (const change of all) {
		if (!(await job.goesOn(0))) return undefined;
		if (change.undo === undefined || held.has(change.id)) continue;
		try {
			const ready = await readyToUndo(change, tools.history.ownEntries(), looking);
			concerns.push(concernsAbout(ready, tools.clock()));
			uses.set(change.id, ready.use);
		} catch (error) {
			// What cannot be undone at all says so when its turn comes; alone, it says so now.
			if (all.length === 1) throw error;
		}
	}
	return { concerns: together(concerns, all.length), uses };
}

function question(step: Step, concerns: readonly Concern[], of: ChosenChanges): Action {
	const danger = concerns.some((concern) => concern.danger);
	const effect: Effect = { type: "undo-changes", of, agreed: keyOf(step, concerns) };
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
	{ all, agreed }: { readonly all: readonly HistoryChange[]; readonly agreed: Found["uses"] },
	job: Job,
	tools: UndoTools & { readonly history: HistoryReader },
): Promise<Action> {
	const kept: HistoryChange[] = [];
	const looking = { ...tools, look: lookSometimes(tools.look, all.flatMap(sessionsOf)) };
	const one = async (change: HistoryChange): Promise<unknown> => {
		try {
			if (dependentsOf([change], [...kept, change]).length > 0) throw new Error("what depends on it was not undone");
			return await undoNow(change, agreed, looking);
		} catch (error) {
			kept.push(change);
			throw error;
		}
	};
	const { done, failures } = await eachInTurn(all, { nameOf: ({ what }) => what, one }, job);
	if (done.length === 0 && failures.length > 0) throw whyNothing(failures);
	return report(
		step,
		done.length,
		failures,
		done.find((unnoted) => unnoted !== undefined),
	);
}

/** Resolves to why the journal does not say that it is undone, where it does not. Rejects when it is not. */
async function undoNow(
	begun: HistoryChange,
	agreed: Found["uses"],
	tools: UndoTools & { readonly history: HistoryReader },
): Promise<unknown> {
	// Ids of what was appended by the undoing of those before it are in the journal.
	const { history } = tools;
	await history.update();
	if (isUnderWay(begun, tools.journal, tools.clock())) throw new Error(whyUnderWay(begun));
	const change = begun.undo === undefined ? await recovered(begun, tools) : begun;
	// It was not made: now the journal says so.
	if (change === undefined) return undefined;
	const ready = await readyToUndo(change, history.ownEntries(), tools);
	return undoOne({ ...ready, use: agreed.get(begun.id) ?? ready.use }, tools);
}

function recovered(
	begun: HistoryChange,
	tools: UndoTools & { readonly history: HistoryReader },
): Promise<Undoable | undefined> {
	const { history } = tools;
	const content = { changes: history.since(begun.id).toReversed(), ownEntries: history.ownEntries() };
	return undoableOf(begun, content, tools);
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

function say(text: string, tone: Message["tone"]): Action {
	return { type: "done", message: { text, tone } };
}
