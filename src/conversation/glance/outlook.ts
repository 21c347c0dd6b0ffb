import { memoLast } from "../../shared/memo.ts";
import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { checkPath, extendCheck, type ResumeCheck, type ResumeReason, reasonsOf } from "./can-resume.ts";
import { type ContextUse, contextUse } from "./context-use.ts";
import { type ModelName, modelIn, paidRates, type Rates } from "./usage.ts";

/** What the session itself says about going on from one of its entries. */
export interface ResumeOutlook {
	readonly use: ContextUse;
	readonly model: ModelName | undefined;
	/** What that model's answers have cost. */
	readonly paid: Rates;
	/** What speaks against it, worst first. */
	readonly reasons: readonly ResumeReason[];
}

/** Entries, upward, in which a model is looked for: it is named with every answer. */
const MAX_ENTRIES = 5000;
/** As many entries as can be read between two frames. */
const ENTRIES_AT_ONCE = 5120;
const STEPS_AT_ONCE = ENTRIES_AT_ONCE / ENTRIES_PER_STEP;

/** By session, for its leaf. */
const leaves = new WeakMap<Session, ResumeOutlook>();
/** By the list of a session's entries, which stays the same when the session grows: the last check at its leaf. */
const checks = new WeakMap<readonly SessionEntry[], ResumeCheck>();

/** The outlook from an entry, if it takes no longer than a frame; null: before the first entry. */
export function outlookFrom(session: Session, id: string | null): ResumeOutlook | undefined {
	return id === session.tree.leafId ? leafOutlook(session) : lastOutlook(session, id);
}

/** Drawn with each frame while the cursor stays. */
const lastOutlook = memoLast((session: Session, id: string | null) => finishSoon(outlookSteps(session, id)));

/** The outlook from a session's leaf, remembered; undefined where it takes longer: then `leafSteps` must be run first. */
export function leafOutlook(session: Session): ResumeOutlook | undefined {
	const earlier = leaves.get(session);
	if (earlier !== undefined) return earlier;
	const { entries } = session;
	if (entries.length > ENTRIES_AT_ONCE && !checks.has(entries)) return undefined;
	const outlook = finishSoon(leafSteps(session));
	// Nobody tries again in vain with each key.
	if (outlook === undefined) checks.delete(entries);
	return outlook;
}

/** The same in steps. Where a session has grown, only what was appended is read. */
export function* leafSteps(session: Session): Steps<ResumeOutlook> {
	const { leafId } = session.tree;
	const earlier = checks.get(session.entries);
	const extended = earlier === undefined ? undefined : extendCheck(earlier, session, leafId);
	const check = extended ?? (yield* checkPath(session, leafId));
	checks.set(session.entries, check);
	const outlook = yield* withCheck(session, leafId, check);
	leaves.set(session, outlook);
	return outlook;
}

/** The outlook from an entry in steps, for a context that may be large. */
export function* outlookSteps(session: Session, id: string | null): Steps<ResumeOutlook> {
	return yield* withCheck(session, id, yield* checkPath(session, id));
}

function* withCheck(session: Session, id: string | null, check: ResumeCheck): Steps<ResumeOutlook> {
	const model = modelAt(session, id);
	const paid = model === undefined ? {} : paidRates(session.tree.table.pathUp(id), model);
	return { use: yield* contextUse(session, id), model, paid, reasons: reasonsOf(check) };
}

/** The model that pi restores there: the one of the last answer, or the one that was chosen since. */
function modelAt(session: Session, id: string | null): ModelName | undefined {
	for (const entry of session.tree.table.pathUp(id).take(MAX_ENTRIES)) {
		const name = modelIn(entry);
		if (name !== undefined) return name;
	}
	return undefined;
}

function finishSoon<Result>(steps: Steps<Result>): Result | undefined {
	for (let count = 0; count < STEPS_AT_ONCE; count++) {
		const step = steps.next();
		if (step.done) return step.value;
	}
	return undefined;
}
