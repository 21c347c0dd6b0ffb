import type { Session } from "../../store/read/read-session.ts";
import { FAILS, type ResumeReason } from "./can-resume.ts";
import { compactionSettings } from "./compaction-settings.ts";
import { type Gauge, gaugeOf } from "./gauge.ts";
import { type Outlook, outlookFrom } from "./outlook.ts";
import type { PiAnswer, PiFacts } from "./pi-facts.ts";
import { modelKey } from "./usage.ts";

/** What one should know before going on from an entry. */
export interface ResumeView {
	readonly gauge: Gauge;
	/** What speaks against it, worst first. */
	readonly reasons: readonly ResumeReason[];
}

/** pi's own, for what its files have not told yet. */
const COMPACTION = compactionSettings([], undefined);

/**
 * What is known, at this time (Unix ms), of going on from an entry; null: before the first one. Undefined where it takes
 * longer than a frame to find out.
 */
export function resumeView(
	session: Session,
	id: string | null,
	{ request, facts }: PiAnswer,
	now: number,
): ResumeView | undefined {
	const outlook = outlookFrom(session, id);
	// The directory is that of the session that was asked about.
	const isAsked = request?.cwd === session.header?.cwd;
	const own = facts === undefined || isAsked ? facts : { ...facts, hasDirectory: true };
	return outlook && resumeViewOf(outlook, own, now);
}

/** The same of an outlook; `facts`: what pi's files tell, as far as that is known. */
export function resumeViewOf(outlook: Outlook, facts: PiFacts | undefined, now: number): ResumeView {
	const { use, model, paid, reasons } = outlook;
	const known = model === undefined ? undefined : facts?.models.get(modelKey(model));
	const given = { model, facts: known?.facts, paid, compaction: known?.compaction ?? COMPACTION };
	const gauge = gaugeOf(use, given, now);
	const noted = facts === undefined ? [] : notes(outlook, gauge, facts);
	return { gauge, reasons: [...reasons, ...noted].toSorted((a, b) => rankOf(a) - rankOf(b)) };
}

function rankOf({ severity }: ResumeReason): number {
	return severity === "fails" ? 0 : 1;
}

/** What pi's files and the disk say. */
function notes({ model }: Outlook, { tokens, window, untilCompaction }: Gauge, facts: PiFacts): ResumeReason[] {
	const reasons: ResumeReason[] = [];
	const known = model === undefined ? undefined : facts.models.get(modelKey(model));
	if (window !== undefined && tokens > window && untilCompaction === undefined) {
		const reason = "The context is larger than the model's window, and compaction is off.";
		reasons.push({ severity: "fails", reason, short: FAILS });
	}
	if (model !== undefined && known?.isListed === true && known.facts === undefined) {
		const reason = `pi's lists do not have ${modelKey(model)}: unless an extension provides it, pi uses another model.`;
		reasons.push({ severity: "note", reason, short: "model not in pi's lists" });
	}
	if (!facts.hasDirectory) {
		const reason = "The session's directory does not exist.";
		reasons.push({ severity: "note", reason, short: "no directory" });
	}
	return reasons;
}
