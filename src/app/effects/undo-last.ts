import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import { isInTrash } from "../../store/actions/trash.ts";
import { type Change, type JournalContent, pathOf } from "../journal/change.ts";
import { checkUndo } from "../journal/check-undo.ts";
import type { Journal } from "../journal/journal.ts";
import type { Undo } from "../journal/journal-schema.ts";
import { recoverChange } from "../journal/recover-change.ts";
import { undoChange } from "../journal/undo-change.ts";
import type { Action } from "../model/action.ts";
import type { Effect } from "../model/effect.ts";
import type { Choice, Question } from "../model/question.ts";
import { formatCounted } from "../text/format.ts";
import { sentence } from "./reason.ts";
import type { StoreClient } from "./store-client.ts";

/** What undoing needs of the world outside. */
export interface UndoTools {
	readonly journal: Journal;
	readonly store: StoreClient;
	readonly sessionRoots: SessionRoots;
	/** Present time, Unix ms. */
	readonly clock: () => number;
	/** Has the catalog read these session files. */
	readonly changed: (paths: readonly string[]) => void;
	/** Whether a running pi has the session, as far as can be seen. */
	readonly isInUse: (path: string) => Promise<boolean>;
}

/** Takes back the last change, again and again. */
export interface Undoer {
	/**
	 * Undoes the last change that is to be undone, or asks first, or says why that is not possible; then that change
	 * stays the one to be undone. Rejects when the journal cannot be read.
	 */
	undo(effect: UndoEffect): Promise<Action>;
}

type UndoEffect = Extract<Effect, { type: "undo" }>;

/** A change that can be undone, or, with `unclear`, of which cannot be found out now whether it was made. */
type Undoable = Change & { readonly undo?: Undo | undefined; readonly unclear?: unknown };

/** Something that the person is asked about before a change is undone; `key` is the same as long as the matter is. */
interface Concern {
	readonly key: string;
	readonly text: string;
	/** Whether an undo would take back what somebody else has done. */
	readonly danger: boolean;
}

/** A change of another program that runs is under way for at most this time, in ms. */
const LONGEST_CHANGE_MS = 10 * 60_000;

export function createUndoer(tools: UndoTools): Undoer {
	const { journal, store, sessionRoots, changed } = tools;
	/** The change whose undo failed last. */
	let failed: string | undefined;

	async function undo(effect: UndoEffect): Promise<Action> {
		const { skip, mine = false } = effect;
		if (skip !== undefined) await journal.discard(skip).catch(fail);
		const content = await journal.read().catch(fail);
		const last = await lastOf(content, tools, (change) => !mine || isSameRun(change.run, journal));
		if (last === undefined) return say("There is nothing to undo", "muted");
		try {
			return await undoUnlessAsked(last, effect, content);
		} catch (error) {
			changed([sessionOf(last)]);
			const repeated = failed === last.id;
			failed = last.id;
			if (!repeated) return sayFailed(last, error);
			const before = await lastOf(content, tools, isBefore(last, content));
			return ask(skipQuestion(last, error, before, tools));
		}
	}

	async function undoUnlessAsked(
		change: Undoable,
		{ agreed, mine }: UndoEffect,
		content: JournalContent,
	): Promise<Action> {
		const { undo } = change;
		if (undo === undefined) throw change.unclear;
		const check = await checkUndo(undo, content.ownEntries, store, sessionRoots);
		if (check.kind === "refuse") throw new Error(check.why);
		const concerns = [
			...ofOtherRun(change, tools),
			...(check.kind === "ask" ? [conflict(check.why)] : []),
			...(undo.type === "created" && check.kind !== "done" ? await ofUse(undo.path, tools) : []),
		];
		if (concerns.length > 0 && agreed !== keyOf(change, concerns)) {
			const own = await lastOf(content, tools, ({ id, run }) => id !== change.id && isSameRun(run, journal));
			return ask(undoQuestion(change, concerns, mine ?? false, own));
		}
		const entryId = check.kind === "done" ? undefined : await undoChange(undo, store);
		failed = undefined;
		changed([sessionOf(change)]);
		return noted(change, entryId);
	}

	/** The undo is done, whatever becomes of the note. */
	async function noted(change: Undoable, entryId: string | undefined): Promise<Action> {
		const select = sessionToShow(change);
		try {
			await journal.discard(change.id, entryId);
			return { type: "done", message: { text: `Undone: ${change.what}`, tone: "text" }, select };
		} catch (error) {
			const text = `Undone: ${change.what}; it may be offered again, since ${sentence(error)}`;
			return { type: "done", message: { text, tone: "warning" }, select };
		}
	}

	return { undo };
}

/**
 * Whether an undo could bring a session back that was moved to the trash: then a list without sessions is not an empty
 * one. False when the journal cannot be read.
 */
export async function canBringBack(journal: Journal, store: StoreClient): Promise<boolean> {
	try {
		const content = await journal.read();
		const deletions = content.changes.filter(
			(change) => isDeletion(change) && !isUnderWay(change, journal, Date.now()),
		);
		const all = await Promise.all(deletions.map((change) => undoableOf(change, content, journal, store)));
		const receipts = all.flatMap((change) => (change?.undo?.type === "restore" ? [change.undo.receipt] : []));
		return (await Promise.all(receipts.map(isInTrash))).some(Boolean);
	} catch {
		// It is only asked which list to open; the undo itself reports it.
		return false;
	}
}

function isDeletion({ plan, undo }: Change): boolean {
	return undo === undefined ? plan?.type === "trash" : undo.type === "restore";
}

/** The last change that was made, is not over, and fits. */
async function lastOf(
	content: JournalContent,
	{ journal, store, clock }: UndoTools,
	fits: (change: Change) => boolean,
): Promise<Undoable | undefined> {
	for (const change of content.changes.toReversed()) {
		if (!fits(change) || isUnderWay(change, journal, clock())) continue;
		const made = await undoableOf(change, content, journal, store);
		if (made !== undefined) return made;
	}
	return undefined;
}

function isBefore({ id: last }: Change, { changes }: JournalContent): (change: Change) => boolean {
	const end = changes.findIndex(({ id }) => id === last);
	const earlier = new Set(changes.slice(0, end).map(({ id }) => id));
	return ({ id }) => earlier.has(id);
}

/** Completes what a killed run has not noted: that the change was made, and how to undo it, or that it was not. */
async function undoableOf(
	change: Change,
	content: JournalContent,
	journal: Journal,
	store: StoreClient,
): Promise<Undoable | undefined> {
	const { id, undo, plan, at } = change;
	if (undo !== undefined) return change;
	if (plan === undefined) return undefined;
	try {
		const recovered = await recoverChange({ plan, at }, content, store);
		const noted = recovered ? journal.done(id, recovered.undo, recovered.entryId) : journal.discard(id);
		// Without the note it is found out again the next time.
		await noted.catch(() => undefined);
		return recovered && { ...change, undo: recovered.undo };
	} catch (error) {
		return { ...change, unclear: error };
	}
}

/** Whether another program may just be making the change. */
function isUnderWay({ undo, run, at }: Change, journal: Journal, now: number): boolean {
	if (undo !== undefined || run === undefined || isSameRun(run, journal)) return false;
	return run.pid !== journal.run.pid && now - Date.parse(at) < LONGEST_CHANGE_MS && isRunning(run.pid);
}

function isSameRun(run: Change["run"], { run: mine }: Journal): boolean {
	return run?.pid === mine.pid && run.start === mine.start;
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: it runs, as another person's process.
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}

function ofOtherRun(change: Change, { journal, clock }: UndoTools): Concern[] {
	if (isSameRun(change.run, journal)) return [];
	return [{ key: "run", text: `It was made ${ago(change, clock())}, not in this window.`, danger: false }];
}

/** What pi goes on with after its file is gone has no header, and is no session. */
async function ofUse(path: string, { isInUse }: UndoTools): Promise<Concern[]> {
	return (await isInUse(path)) ? [conflict("A running pi seems to have it open; leave pi first.")] : [];
}

function conflict(why: string): Concern {
	return { key: why, text: why, danger: true };
}

function keyOf({ id }: Change, concerns: readonly Concern[]): string {
	return JSON.stringify([id, ...concerns.map(({ key }) => key)]);
}

function undoQuestion(
	change: Undoable,
	concerns: readonly Concern[],
	mine: boolean,
	own: Undoable | undefined,
): Question {
	const danger = concerns.some((concern) => concern.danger);
	const agreed: Effect = { type: "undo", agreed: keyOf(change, concerns), mine };
	const act: Choice = { label: danger ? "Undo anyway" : "Undo it", effect: agreed };
	const keep: Choice = { label: "Keep it as it is" };
	const instead: readonly Choice[] =
		own === undefined || mine
			? []
			: [{ label: `Undo what was done in this window: ${own.what}`, effect: { type: "undo", mine: true } }];
	return {
		title: "Undo this change?",
		body: [`${capital(change.what)}.`, ...concerns.map(({ text }) => text)],
		choices: [...(danger ? [keep, act] : [act, keep]), ...instead],
		danger,
	};
}

/** After a second failure: an older change is never taken back without a question. */
function skipQuestion(change: Undoable, error: unknown, before: Undoable | undefined, tools: UndoTools): Question {
	const skip = change.id;
	const choices: Choice[] = [{ label: "Keep it as it is; undo tries again" }];
	if (before === undefined) choices.push({ label: "Do not offer to undo it any more", effect: { type: "undo", skip } });
	else {
		const agreed = keyOf(before, ofOtherRun(before, tools));
		choices.push({ label: "Undo the change before it instead", effect: { type: "undo", skip, agreed } });
	}
	const older = before && `The change before it: ${before.what}, ${ago(before, tools.clock())}.`;
	return {
		title: "This change cannot be undone now",
		body: [`${capital(change.what)}: ${sentence(error)}.`, ...(older === undefined ? [] : [older])],
		choices,
		danger: true,
	};
}

function sayFailed(change: Undoable, error: unknown): Action {
	const next = "undo tries again";
	const text = `Not undone: ${change.what}. ${capital(sentence(error))}; ${next}`;
	return { type: "done", message: { text, tone: "error" }, select: sessionToShow(change) };
}

/** The session that the cursor goes to: the one concerned; for one that was made, what it was made from. */
function sessionToShow({ undo, plan }: Undoable): string | undefined {
	return undo === undefined || undo.type === "created" ? plan?.path : pathOf(undo);
}

/** The session that was changed or made, "" when that is not known. */
function sessionOf({ undo, plan }: Undoable): string {
	return undo === undefined ? (plan?.path ?? "") : pathOf(undo);
}

/** "just now", "5 minutes ago", "2 days ago". */
function ago({ at }: Change, now: number): string {
	const minutes = Math.floor((now - Date.parse(at)) / 60_000);
	if (!(minutes >= 1)) return "just now";
	if (minutes < 60) return `${formatCounted(minutes, "minute")} ago`;
	const hours = Math.floor(minutes / 60);
	return hours < 24 ? `${formatCounted(hours, "hour")} ago` : `${formatCounted(Math.floor(hours / 24), "day")} ago`;
}

function capital(text: string): string {
	return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function fail(error: unknown): never {
	throw new Error(`Cannot undo: ${sentence(error)}`, { cause: error });
}

function say(text: string, tone: "muted"): Action {
	return { type: "done", message: { text, tone } };
}

function ask(question: Question): Action {
	return { type: "ask", question };
}
