import { randomUUID } from "node:crypto";
import type { UseEvidence } from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { capital, formatCounted } from "../../ui/text/format.ts";
import { type Answer, type Message, type Question, sayOnly } from "../answer.ts";
import { type Act, guard, isAlwaysFree } from "../guard/guard.ts";
import { requireFree, whyNot } from "../guard/guard-words.ts";
import { type ChosenChanges, chosenChanges } from "../journal/history-reader.ts";
import { sessionsOfChanges, undoStepOf } from "../journal/step.ts";
import type { Change, Group } from "../kinds/change.ts";
import { type ChangeRequest, kindOfRequest, madeOf } from "../kinds/kinds.ts";
import type { NotedChange } from "../kinds/sessions-kind.ts";
import { sessionsOf } from "./depends.ts";
import {
	batched,
	describeOutcome,
	eachInTurn,
	notTakenBack,
	type SessionsOutcome,
	takenBack,
	whyNothing,
} from "./each-session.ts";
import { makeChange } from "./make-change.ts";
import { outlookOfRedo } from "./outlooks.ts";
import type { ChangesTools } from "./tools.ts";

/** Redoes changes of the journal that were undone. `agreed`: the answer to the question about it. */
export interface RedoRequest {
	readonly type: "redo";
	readonly of: ChosenChanges;
	readonly agreed?: string;
}

/** The evidence of use that the person was shown for each session, by path. */
type AgreedUses = ReadonlyMap<string, readonly UseEvidence[]>;

/**
 * Redoes changes that were undone, oldest first, each as a new change, together as one step for undo. Asks first if someone else
 * has changed something since. Changes that can no longer be made are left out and named. Rejects if the journal cannot be read.
 */
export async function redoChosen({ of, agreed }: RedoRequest, tools: ChangesTools): Promise<Answer<RedoRequest>> {
	const { history, work } = tools;
	const chosen = (await chosenChanges(of, history)).filter(({ fate }) => fate === "undone").toReversed();
	const [first] = chosen;
	if (first === undefined) return sayOnly("Already redone", "muted");
	const job = work.begin("Redoing", chosen.length);
	const { tools: batch, flush } = batched(tools, chosen.flatMap(sessionsOf));
	try {
		const whys = new Set<string>();
		const uses = new Map<string, readonly UseEvidence[]>();
		for (const change of chosen) {
			if (!(await job.goesOn(0))) return sayOnly("Stopped: nothing was redone", "warning");
			// A change that cannot be checked is reported when its turn comes.
			const outlook = await outlookOfRedo(change, tools).catch(() => undefined);
			if (outlook?.kind === "ask") whys.add(outlook.why);
			const guarded = await requestFor(change, tools).then(
				(request) => guardedBy(request, tools),
				() => undefined,
			);
			if (guarded === undefined) continue;
			const verdict = guard(guarded.act, await batch.checkUse([guarded.row.path]), guarded.row);
			if (verdict.decision === "ask") whys.add(capital(whyNot(verdict, tools.clock()) ?? ""));
			uses.set(guarded.row.path, verdict.uses);
		}
		const key = JSON.stringify([...chosen.map(({ id }) => id), ...whys]);
		if (whys.size > 0 && agreed !== key)
			return { type: "ask", question: question(chosen, whys, { type: "redo", of, agreed: key }) };
		const group: Group | undefined =
			chosen.length === 1 ? undefined : { id: randomUUID(), what: whatOf(chosen), count: sessionsOfChanges(chosen) };
		const one = (change: Change): Promise<NotedChange> => redoOne(change, uses, group, batch);
		const outcome = await eachInTurn(chosen, { nameOf: ({ what }) => what, one }, job);
		const select = outcome.done[0]?.created ?? chosen[0]?.plan?.path;
		return { type: "done", message: messageFor(whatOf(chosen), outcome), select };
	} finally {
		flush();
		job.end();
	}
}

async function redoOne(
	change: Change,
	agreed: AgreedUses,
	group: Group | undefined,
	tools: ChangesTools,
): Promise<NotedChange> {
	const outlook = await outlookOfRedo(change, tools);
	if (outlook.kind === "refuse") throw new Error(outlook.why);
	const request = await requestFor(change, tools);
	const guarded = guardedBy(request, tools);
	if (guarded !== undefined) {
		const { act, row } = guarded;
		const seenSession = { row, uses: agreed.get(row.path) ?? [] };
		requireFree(act, await tools.checkUse([row.path]), seenSession, tools.clock());
	}
	return makeChange(request, tools, group, change.id);
}

/** The request that redoes a change. Rejects with the reason if there is none. */
async function requestFor({ undo, ...change }: Change, tools: ChangesTools): Promise<ChangeRequest> {
	if (undo === undefined) throw new Error("the journal does not say how it was made");
	const { kind, made } = madeOf({ ...change, undo });
	return kind.again(made, tools);
}

/** What the request does to which listed session; undefined if that is always allowed, or the session is not listed. */
function guardedBy(
	request: ChangeRequest,
	{ rowOf }: ChangesTools,
): { readonly act: Act; readonly row: SessionRow } | undefined {
	const kind = kindOfRequest(request);
	const [act, row] = [kind.actOf(request), rowOf(kind.pathOf(request))];
	return act === undefined || isAlwaysFree(act) || row === undefined ? undefined : { act, row };
}

function question(chosen: readonly Change[], whys: ReadonlySet<string>, effect: RedoRequest): Question<RedoRequest> {
	const count = chosen.length;
	return {
		title: count === 1 ? "Redo this change?" : `Redo ${formatCounted(count, "change")}?`,
		body: [`${capital(whatOf(chosen))}.`, ...whys],
		choices: [{ label: "Leave it undone" }, { label: "Redo it anyway", effect }],
		danger: true,
	};
}

function whatOf(chosen: readonly Change[]): string {
	return (chosen.length === 1 ? chosen[0]?.what : undoStepOf(chosen)?.what) ?? "";
}

function messageFor(what: string, outcome: SessionsOutcome<NotedChange>): Message {
	const { done, left, count } = outcome;
	const [first] = done;
	if (first === undefined && left === 0) return notTakenBack("redone", what, whyNothing(outcome));
	const changed = done.filter(({ undo }) => undo !== undefined).length;
	if (first !== undefined && changed === 0 && done.length === count) return first.message;
	return describeOutcome(outcome, { changed, done: takenBack("redone", what, outcome), left: "left", made: done });
}
