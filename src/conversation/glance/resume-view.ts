import type { Session } from "../../store/read/read-session.ts";
import { formatClock, formatCost, formatShort, formatShortTokens } from "../../ui/text/format.ts";
import type { Line } from "../../ui/text/line.ts";
import { type LinePart, partForms } from "../../ui/text/width.ts";
import { FAILS, failureIn, type ResumeReason } from "./can-resume.ts";
import { type CacheState, type Gauge, gaugeOf } from "./gauge.ts";
import { outlookFrom, type ResumeOutlook } from "./outlook.ts";
import { compactionSettings, type PiAnswer, type PiFacts } from "./pi-facts.ts";
import { modelKey } from "./usage.ts";

export interface ResumeView {
	readonly gauge: Gauge;
	/** What speaks against it, worst first. */
	readonly reasons: readonly ResumeReason[];
}

/** pi's defaults, until its files have been read. */
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
	// `hasDirectory` is about the session of the request.
	const isAsked = request?.cwd === session.header?.cwd;
	const sessionFacts = facts === undefined || isAsked ? facts : { ...facts, hasDirectory: true };
	return outlook && resumeViewOf(outlook, sessionFacts, now);
}

/** The same of an outlook; `facts`: what pi's files say, as far as it is known. */
export function resumeViewOf(outlook: ResumeOutlook, facts: PiFacts | undefined, now: number): ResumeView {
	const { use, model, paid, reasons } = outlook;
	const modelFacts = model === undefined ? undefined : facts?.models.get(modelKey(model));
	const given = { model, facts: modelFacts?.facts, paid, compaction: modelFacts?.compaction ?? COMPACTION };
	const gauge = gaugeOf(use, given, now);
	const noted = facts === undefined ? [] : notes(outlook, gauge, facts);
	return { gauge, reasons: [...reasons, ...noted].toSorted((a, b) => rankOf(a) - rankOf(b)) };
}

function rankOf({ severity }: ResumeReason): number {
	return severity === "fails" ? 0 : 1;
}

/** What pi's files and the disk say. */
function notes({ model }: ResumeOutlook, { tokens, window, untilCompaction }: Gauge, facts: PiFacts): ResumeReason[] {
	const reasons: ResumeReason[] = [];
	const modelFacts = model === undefined ? undefined : facts.models.get(modelKey(model));
	if (window !== undefined && tokens > window && untilCompaction === undefined) {
		const reason = "The context is larger than the model's window, and compaction is off.";
		reasons.push({ severity: "fails", reason, short: FAILS });
	}
	if (model !== undefined && modelFacts?.isListed === true && modelFacts.facts === undefined) {
		const reason = `pi's lists do not have ${modelKey(model)}: unless an extension provides it, pi uses another model.`;
		reasons.push({ severity: "note", reason, short: "model not in pi's lists" });
	}
	if (!facts.hasDirectory) {
		const reason = "The session's directory does not exist.";
		reasons.push({ severity: "note", reason, short: "no directory" });
	}
	return reasons;
}

/** What going on from an entry means, the longest form first. */
export function gaugeForms(gauge: Gauge): readonly Line[] {
	return partForms(gaugeParts(gauge));
}

/** What fails, and what else is to be known: all that is said before one resumes. The gauge is a forecast, for whoever asks to. */
export function reasonParts(reasons: ResumeView["reasons"]): readonly LinePart[] {
	const failure = failureIn(reasons);
	const failures: LinePart[] = failure === undefined ? [] : [{ text: failure.short, tone: "error", rank: 0 }];
	const notes = reasons
		.filter(({ severity }) => severity === "note")
		.map(({ short }): LinePart => ({ text: short, tone: "warning", rank: 3 }));
	return [...failures, ...notes];
}

/** With less than this part of the window free, the coming compaction is mentioned. */
const NEAR_SHARE = 0.1;

/**
 * A gauge in words: "context 142k/200k", "compacts at next turn", "provider's cache probably until 14:32", "next turn at least $0.71". Where no
 * window or price is known, there is nothing of it.
 */
function gaugeParts(gauge: Gauge): readonly LinePart[] {
	const { tokens, window, untilCompaction, cost } = gauge;
	const isOver = window !== undefined && tokens > window;
	const parts: LinePart[] = [
		{ text: contextText(gauge), rank: 0, tone: isOver || untilCompaction === 0 ? "warning" : "muted" },
	];
	if (untilCompaction === 0) parts.push({ text: "compacts at next turn", rank: 1, tone: "warning" });
	else if (untilCompaction !== undefined && window !== undefined && untilCompaction < window * NEAR_SHARE)
		parts.push({ text: `compacts in ${formatShort(untilCompaction)}`, rank: 4, tone: "warning" });
	const cache = cacheText(gauge.cache);
	if (cache !== undefined) parts.push({ text: cache, rank: 3 });
	if (cost !== undefined)
		parts.push({ text: `next turn ${cost < 0.01 ? "" : "at least "}${formatCost(cost)}`, rank: 2 });
	return parts;
}

/** "context 142k/200k": tokens in use, of the model's window where that is known. */
function contextText({ tokens, window }: Gauge): string {
	return window === undefined
		? `context ${formatShortTokens(tokens)}`
		: `context ${formatShort(tokens)}/${formatShort(window)}`;
}

function cacheText(cache: CacheState): string | undefined {
	switch (cache.kind) {
		case "warm":
			return `provider's cache probably until ${formatClock(cache.untilMs)}`;
		case "cold":
			return "provider's cache expired";
		case "unknown":
			return undefined;
	}
}
