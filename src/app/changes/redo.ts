import type { Use } from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { isInTrash } from "../../store/actions/trash.ts";
import { capital, formatCount, formatCounted } from "../../ui/text/format.ts";
import type { LongWork } from "../core/effects/long-work.ts";
import type { MarksFile } from "../features/marks/effects/marks-file.ts";
import { type Act, guard, guardAgain } from "../guard/guard.ts";
import { whyNot } from "../guard/guard-words.ts";
import type { Change } from "../journal/change.ts";
import { chosenChanges } from "../journal/history-reader.ts";
import type { Action } from "../world/action.ts";
import type { Effect } from "../world/effect.ts";
import type { Message } from "../world/state.ts";
import type { ChangeEffect } from "./change-session.ts";
import { type CheckTools, outlookOfRedo } from "./check-history.ts";
import { eachInTurn, type Outcome } from "./each-session.ts";
import { listFailures } from "./list-failures.ts";
import { type LookAtUse, lookSometimes } from "./look-sometimes.ts";

type RedoEffect = Extract<Effect, { type: "redo" }>;

/** What makes a change again. */
export type RedoneEffect = ChangeEffect | Extract<Effect, { type: "mark" | "archive" | "bring-back" }>;

/** A change that was made again. */
interface Made {
	readonly message: Message;
	readonly created?: string;
}

/** What doing a change again needs of the world outside. */
export interface RedoTools extends CheckTools {
	/** Makes a change, with its notes in the journal. */
	readonly change: (effect: RedoneEffect) => Promise<Made>;
	/** The session as the list has it. */
	readonly rowOf: (path: string) => SessionRow | undefined;
	readonly look: LookAtUse;
	readonly work: LongWork;
	readonly marks: MarksFile;
	/** Present time, Unix ms. */
	readonly clock: () => number;
}

/**
 * Makes changes again that were undone, oldest first, each as a change of its own. Asks first where somebody else has changed
 * something since; what does not fit any more is left out, and named. Rejects when the journal cannot be read.
 */
export async function redoChosen({ of, agreed }: RedoEffect, tools: RedoTools): Promise<Action> {
	const { history, work } = tools;
	const chosen = (await chosenChanges(of, history)).filter(({ fate }) => fate === "undone").toReversed();
	const [first] = chosen;
	if (first === undefined) return done("It is not undone any more", "muted");
	const whys = new Set<string>();
	const agreedUses = new Map<string, readonly Use[]>();
	const look = lookSometimes(
		tools.look,
		chosen.flatMap((change) => guardedBy(change, tools)?.row.path ?? []),
	);
	const job = work.begin("Doing again what was undone", chosen.length);
	try {
		for (const change of chosen) {
			if (!(await job.goesOn(0))) return done("Stopped: nothing was done again", "warning");
			// What cannot be looked at says so when its turn comes.
			const outlook = await outlookOfRedo(change, tools).catch(() => undefined);
			if (outlook?.kind === "ask") whys.add(outlook.why);
			const guarded = guardedBy(change, tools);
			if (guarded === undefined) continue;
			const verdict = guard(guarded.act, await look(), guarded.row);
			if (verdict.decision === "ask") whys.add(capital(whyNot(verdict, tools.clock()) ?? ""));
			agreedUses.set(guarded.row.path, verdict.uses);
		}
		const key = JSON.stringify([...chosen.map(({ id }) => id), ...whys]);
		if (whys.size > 0 && agreed !== key)
			return question(first, chosen.length, [...whys], { type: "redo", of, agreed: key });
		const one = async (change: Change): Promise<Made> => {
			const outlook = await outlookOfRedo(change, tools);
			if (outlook.kind === "refuse") throw new Error(outlook.why);
			return tools.change(await effectOf(change, agreedUses, tools));
		};
		return report(chosen, await eachInTurn(chosen, { nameOf: ({ what }) => what, one }, job));
	} finally {
		job.end();
	}
}

/** What makes a change again. */
async function effectOf(
	change: Change,
	agreed: ReadonlyMap<string, readonly Use[]>,
	tools: RedoTools,
): Promise<RedoneEffect> {
	const { undo, plan, receipt, what } = change;
	switch (undo?.type) {
		case "rename":
			return { type: "rename", path: undo.path, name: undo.set ?? "" };
		case "label":
			return { type: "label", path: undo.path, entryId: undo.entryId, label: undo.set ?? "" };
		case "leaf":
			if (plan?.type !== "leaf") break;
			await requireFree(guardedBy(change, tools), agreed, tools);
			if (plan.forward) return { type: "forward", path: undo.path, entryId: plan.entryId };
			return { type: "resume-from", request: { path: undo.path, cwd: "" }, entryId: plan.entryId };
		case "mark":
			return { type: "mark", paths: [undo.path], changes: tools.marks.notedAs(undo.token) };
		case "moved": {
			const row = tools.rowOf(undo.path);
			if (row === undefined) throw new Error("the session is not in the list");
			if (row.archived) return { type: "bring-back", paths: [row.path] };
			return { type: "archive", sessions: [{ row, uses: agreed.get(row.path) ?? [] }] };
		}
		case "restore": {
			const { path } = undo.receipt;
			const row = tools.rowOf(path);
			if (row === undefined) throw new Error("the session is not in the list");
			await requireFree(guardedBy(change, tools), agreed, tools);
			return { type: "trash", path, shown: { row, uses: agreed.get(path) ?? [] } };
		}
		case "created": {
			if (receipt !== undefined && (await isInTrash(receipt)))
				return { type: "restore", path: undo.path, title: titleIn(what), receipt };
			if (plan?.type !== "create") break;
			const { path, entryId, cwd } = plan;
			if (entryId !== undefined) return { type: "branch", path, entryId };
			if (cwd !== undefined) return { type: "fork", path, cwd, resume: false };
		}
	}
	throw new Error("the journal does not say how it was made");
}

/** What is done to which listed session when a change is made again. */
interface Guarded {
	readonly act: Act;
	readonly row: SessionRow;
}

/** Rejects where that must not be done now; `agreed`: what the person was shown of the use of each session, by path. */
async function requireFree(
	guarded: Guarded | undefined,
	agreed: ReadonlyMap<string, readonly Use[]>,
	{ look, clock }: RedoTools,
): Promise<void> {
	if (guarded === undefined) return;
	const { act, row } = guarded;
	const verdict = guardAgain(act, await look([row.path]), { row, uses: agreed.get(row.path) ?? [] });
	const refused = whyNot(verdict, clock());
	if (refused !== undefined) throw new Error(refused);
}

/** Undefined where a redo takes no file from its place and moves no leaf, or the session is not listed. */
function guardedBy({ undo, plan }: Change, { rowOf }: RedoTools): Guarded | undefined {
	if (undo?.type !== "moved" && undo?.type !== "restore" && undo?.type !== "leaf") return undefined;
	const row = rowOf(undo.type === "restore" ? undo.receipt.path : undo.path);
	if (row === undefined) return undefined;
	if (undo.type !== "leaf") return { act: "take", row };
	return { act: plan?.type === "leaf" && plan.forward ? "move-back" : "move-leaf", row };
}

/** The title of the session, as the change was described. */
function titleIn(what: string): string {
	return /“(.*?)”/.exec(what)?.[1] ?? "";
}

function question(first: Change, count: number, whys: readonly string[], effect: Effect): Action {
	return {
		type: "ask",
		question: {
			title: count === 1 ? "Do this change again?" : `Do ${formatCounted(count, "change")} again?`,
			body: [`${capital(count === 1 ? first.what : (first.group?.what ?? first.what))}.`, ...whys],
			choices: [{ label: "Leave it undone" }, { label: "Do it again anyway", effect }],
			danger: true,
		},
	};
}

function report(chosen: readonly Change[], { count, done: made, failures, left }: Outcome<Made>): Action {
	const [first] = chosen;
	const what = count === 1 ? first?.what : (first?.group?.what ?? first?.what);
	const select = made[0]?.created ?? first?.plan?.path;
	const failed = failures.length === 0 ? [] : [`not: ${listFailures(failures)}`];
	if (made.length === 0 && left === 0) return { ...done(`Not done again: ${listFailures(failures)}`, "error"), select };
	if (made.length < count) {
		const some = `${formatCount(made.length)} of ${formatCount(count)} done again`;
		return { ...done([left > 0 ? `Stopped: ${some}` : some, ...failed].join("; "), "warning"), select };
	}
	const worse = made.find(({ message }) => message.tone === "warning");
	return {
		...(worse === undefined ? done(`Done again: ${what}`, "text") : done(worse.message.text, "warning")),
		select,
	};
}

function done(text: string, tone: Message["tone"]): Extract<Action, { type: "done" }> {
	return { type: "done", message: { text, tone } };
}
