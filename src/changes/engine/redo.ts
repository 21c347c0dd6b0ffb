import type { UseEvidence } from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { capital, formatCount, formatCounted } from "../../ui/text/format.ts";
import { type Act, guard, guardAgain } from "../guard/guard.ts";
import { whyNot } from "../guard/guard-words.ts";
import type { Change } from "../journal/change.ts";
import { type ChosenChanges, chosenChanges } from "../journal/history-reader.ts";
import { type ChangeRequest, kindOfRequest, madeOf } from "../kinds/kinds.ts";
import { type Answer, type Message, type Question, say } from "./answer.ts";
import { sessionsOf } from "./depends.ts";
import { eachInTurn, type Outcome } from "./each-session.ts";
import { listFailures } from "./list-failures.ts";
import type { LongWork } from "./long-work.ts";
import { type LookAtUse, lookSometimes } from "./look-sometimes.ts";
import { type ChangeTools, makeChange, type Noted } from "./make-change.ts";
import { type LookTools, outlookOfRedo } from "./outlooks.ts";

/** Does changes of the journal again that were undone. `agreed`: the answer to a question about it. */
export interface RedoRequest {
	readonly type: "redo";
	readonly of: ChosenChanges;
	readonly agreed?: string;
}

/** What doing a change again needs of the world outside. */
export interface RedoTools extends ChangeTools, LookTools {
	readonly look: LookAtUse;
	readonly work: LongWork;
	/** Present time, Unix ms. */
	readonly clock: () => number;
}

/** What the person was shown of the use of each session, by path. */
type AgreedUses = ReadonlyMap<string, readonly UseEvidence[]>;

/**
 * Makes changes again that were undone, oldest first, each as a change of its own. Asks first where somebody else has changed
 * something since; what does not fit any more is left out, and named. Rejects when the journal cannot be read.
 */
export async function redoChosen({ of, agreed }: RedoRequest, tools: RedoTools): Promise<Answer<RedoRequest>> {
	const { history, work } = tools;
	const chosen = (await chosenChanges(of, history)).filter(({ fate }) => fate === "undone").toReversed();
	const [first] = chosen;
	if (first === undefined) return say("It is not undone any more", "muted");
	const job = work.begin("Doing again what was undone", chosen.length);
	try {
		const whys = new Set<string>();
		const uses = new Map<string, readonly UseEvidence[]>();
		const look = lookSometimes(tools.look, chosen.flatMap(sessionsOf));
		for (const change of chosen) {
			if (!(await job.goesOn(0))) return say("Stopped: nothing was done again", "warning");
			// What cannot be looked at says so when its turn comes.
			const outlook = await outlookOfRedo(change, tools).catch(() => undefined);
			if (outlook?.kind === "ask") whys.add(outlook.why);
			const guarded = await requestFor(change, tools).then(
				(request) => guardedBy(request, tools),
				() => undefined,
			);
			if (guarded === undefined) continue;
			const verdict = guard(guarded.act, await look(), guarded.row);
			if (verdict.decision === "ask") whys.add(capital(whyNot(verdict, tools.clock()) ?? ""));
			uses.set(guarded.row.path, verdict.uses);
		}
		const key = JSON.stringify([...chosen.map(({ id }) => id), ...whys]);
		if (whys.size > 0 && agreed !== key)
			return { type: "ask", question: question(chosen, whys, { type: "redo", of, agreed: key }) };
		const one = (change: Change): Promise<Noted> => redoOne(change, uses, tools);
		return report(chosen, await eachInTurn(chosen, { nameOf: ({ what }) => what, one }, job));
	} finally {
		job.end();
	}
}

async function redoOne(change: Change, agreed: AgreedUses, tools: RedoTools): Promise<Noted> {
	const outlook = await outlookOfRedo(change, tools);
	if (outlook.kind === "refuse") throw new Error(outlook.why);
	const request = await requestFor(change, tools);
	const guarded = guardedBy(request, tools);
	if (guarded !== undefined) {
		const { act, row } = guarded;
		const verdict = guardAgain(act, await tools.look([row.path]), { row, uses: agreed.get(row.path) ?? [] });
		const refused = whyNot(verdict, tools.clock());
		if (refused !== undefined) throw new Error(refused);
	}
	return makeChange(request, tools);
}

/** What makes a change again. Rejects with why nothing does. */
async function requestFor({ undo, ...change }: Change, tools: RedoTools): Promise<ChangeRequest> {
	if (undo === undefined) throw new Error("the journal does not say how it was made");
	const { kind, made } = madeOf({ ...change, undo });
	return kind.again(made, tools);
}

/** What is done to which listed session; undefined where nothing is that a pi need not know of, or it is not listed. */
function guardedBy(
	request: ChangeRequest,
	{ rowOf }: RedoTools,
): { readonly act: Act; readonly row: SessionRow } | undefined {
	const kind = kindOfRequest(request);
	const [act, row] = [kind.actOf(request), rowOf(kind.pathOf(request))];
	return act === undefined || act === "append" || row === undefined ? undefined : { act, row };
}

function question(chosen: readonly Change[], whys: ReadonlySet<string>, effect: RedoRequest): Question<RedoRequest> {
	const count = chosen.length;
	return {
		title: count === 1 ? "Do this change again?" : `Do ${formatCounted(count, "change")} again?`,
		body: [`${capital(whatOf(chosen))}.`, ...whys],
		choices: [{ label: "Leave it undone" }, { label: "Do it again anyway", effect }],
		danger: true,
	};
}

function whatOf([first, ...others]: readonly Change[]): string {
	return (others.length === 0 ? undefined : first?.group?.what) ?? first?.what ?? "";
}

function report(chosen: readonly Change[], { count, done: made, failures, left }: Outcome<Noted>): Answer {
	const select = made[0]?.created ?? chosen[0]?.plan?.path;
	return { type: "done", message: messageFor(whatOf(chosen), { count, done: made, failures, left }), select };
}

function messageFor(what: string, { count, done: made, failures, left }: Outcome<Noted>): Message {
	if (made.length === 0 && left === 0) return { text: `Not done again: ${listFailures(failures)}`, tone: "error" };
	if (made.length < count) {
		const some = `${formatCount(made.length)} of ${formatCount(count)} done again`;
		const failed = failures.length === 0 ? [] : [`not: ${listFailures(failures)}`];
		return { text: [left > 0 ? `Stopped: ${some}` : some, ...failed].join("; "), tone: "warning" };
	}
	const worse = made.find(({ message }) => message.tone === "warning")?.message;
	return worse ?? { text: `Done again: ${what}`, tone: "text" };
}
