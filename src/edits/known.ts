import { memoEach } from "../shared/memo.ts";
import type { Session } from "../store/read/read-session.ts";
import { formatCounted, formatDayTime } from "../ui/text/format.ts";
import type { Ledger } from "./ledger.ts";
import type { FileEvent, May } from "./ledger-events.ts";
import { plainText } from "./lines.ts";
import type { SessionEvent } from "./session-events.ts";
import type { Chain, Content, Track, Version } from "./text-at.ts";

/** What a file held at a moment, how sure that is, and what shows it. */
export interface Known {
	/** "exact": a witness shows or confirms it; "likely": `why` says what may be wrong; "unknown": nothing tells. */
	readonly answer: "exact" | "likely" | "unknown";
	/** Clauses with a semicolon between them. */
	readonly why: string;
	/** Undefined if it did not exist, or is not known. */
	readonly text: string | undefined;
	/** Whether it did not exist. */
	readonly isAbsent: boolean;
	readonly isExecutable: boolean;
	/** What shows it: the event that the text goes back to, or that confirms it. */
	readonly base: FileEvent | "commit" | undefined;
	/** Number of edits since. */
	readonly edits: number;
	/** What may have changed it unseen since it was last known. */
	readonly commands: readonly May[];
}

/** The reasons against a text on one side of a moment. */
interface Suspects {
	readonly named: readonly May[];
	readonly any: readonly May[];
	/** How often a person may have worked by hand. */
	readonly pauses: number;
}

/** A moment is between two orders. */
export const BEFORE = 0.25;

/** What is known of a file after an order. This is the only place that decides it. The file must be prepared. */
export function knownAt(ledger: Ledger, path: string, order: number): Known {
	const track = ledger.track(path);
	const version = track.at(order);
	track.at(Number.POSITIVE_INFINITY);
	const { chain, contents } = version;
	const earlier = suspectsBefore(ledger, track, version, order);
	const end = endOf(ledger, track, version, order);
	const [held] = contents;
	const isOne = contents.length === 1;
	const doubt = clauses(chain.doubt, sourceDoubt(ledger, track, chain));
	const doubts = [doubt, isOne || contents.length === 0 ? "" : `${contents.length} texts are possible`];
	const facts = {
		isExecutable: version.isExecutable,
		edits: editsSince(track, version),
		commands: [...earlier.named, ...earlier.any.filter((may) => !isJump(may))],
	};
	const answered = (
		answer: Known["answer"],
		content: Content,
		whys: readonly string[],
		base: Known["base"] = chain.base,
	): Known => ({
		...{ answer, base, text: content, isAbsent: answer !== "unknown" && content === undefined, ...facts },
		why: clauses(...whys),
	});
	const forward = (answer: "exact" | "likely", ...whys: readonly string[]): Known => answered(answer, held, whys);
	const ran = ranClause(earlier.named, earlier.any);
	const laterContent = end?.isKnown === true ? end.content : "unknown";
	// What was last seen before the moment must be in it, unless a command came between. If it is not, that was undone later.
	const hasRun = earlier.named.length > 0 || !earlier.any.every(isJump);
	const isGoneLater =
		laterContent !== "unknown" &&
		(contents.length === 0 || !hasRun) &&
		track.fitsSight(version, laterContent) === false;
	const backward = isGoneLater ? "unknown" : laterContent;
	const agrees = end?.agrees === true && isOne;
	if (end !== undefined && contents.length > 0 && (agrees || (backward !== "unknown" && contents.includes(backward)))) {
		const isNamed = earlier.named.some(({ isWide }) => !isWide);
		const mayBeBack = (earlier.named.length > 0 && end.after.named.length > 0) || (isNamed && mayBeByHand(end));
		// When a session went to another branch, an extension may have restored the files: what a command or a call without a result had
		// done on the one that was left, or that branch itself.
		const jumps = end.after.any.filter(isJump);
		const [jump] = [...earlier.named, ...earlier.any].filter((may) => jumps.some((later) => isLeftBy(may, later)));
		if (mayBeBack || jump !== undefined || (!isOne && jumps.length > 0)) {
			const suspects = jump === undefined ? [] : [jump];
			return forward("likely", ranClause(earlier.named, suspects), "it may have been put back later");
		}
		// What follows from a later text by undoing edits may differ in line ends, as the versions of pi do.
		const isLast = track.versions.findLast((one) => one.chain === chain) === version;
		const why = ran === "" && isOne && doubt === "" ? "" : confirmed(end.event);
		return answered(isOne || isLast ? "exact" : "likely", agrees || backward === "unknown" ? held : backward, [why]);
	}
	const isNear = end !== undefined && end.after.named.length + end.after.any.length === 0 && !mayBeByHand(end);
	if (contents.length === 0) {
		if (end === undefined || backward === "unknown")
			return answered("unknown", undefined, [whyUnknown(track, version)]);
		return answered(
			isNear ? "exact" : "likely",
			backward,
			[shownAs(end.event), ranClause(end.after.named, end.after.any, "before that")],
			end.event,
		);
	}
	const inGit = track.gitAt(order + 0.5);
	// What nobody has seen, or a session removed, and Git cannot bring back, is not made by hand in that very place.
	const isGone = isOne && held === undefined && (inGit === undefined || inGit === "unknown");
	const mayBeOther = earlier.pauses > 0 && !isGone;
	const isUndoubted = earlier.named.length === 0 && earlier.any.length === 0 && doubt === "" && isOne && !mayBeOther;
	if (end === undefined || end.agrees !== false) {
		const byHand = mayBeOther ? "nobody has seen it since, and a person may have changed it" : "";
		return forward(isUndoubted ? "exact" : "likely", ...doubts, ran, byHand);
	}
	// What was seen next is something else: the change was before or after the moment.
	const { after } = end;
	if (isUndoubted) return forward("exact", "");
	if (backward !== "unknown" && isNear) return answered("exact", backward, [shownAs(end.event)], end.event);
	// Who commits by hand has most likely worked by hand just before.
	const byHand = end.event.what.kind === "head" && end.event.step === undefined ? 2 : 0;
	const isFormatted = backward !== "unknown" && plainText(backward ?? "") === plainText(held ?? "");
	const [weightBefore, weightAfter] = [
		weigh(earlier, isFormatted) + (doubt === "" ? 0 : 3),
		weigh(after, isFormatted) + byHand,
	];
	const changed = `${nameOf(end.event)} shows another text: something changed it in between`;
	if (backward !== "unknown" && weightBefore > weightAfter)
		return answered("likely", backward, [ran, shownAs(end.event)], end.event);
	return weightBefore > weightAfter && !isGoneLater
		? answered("unknown", undefined, [...doubts, ran, changed])
		: forward("likely", ...doubts, ran, changed);
}

/** How much speaks for a change on one side of a moment: most, that a command names the file, or ran where only its form changed. */
function weigh({ named, any, pauses }: Suspects, isFormatted: boolean): number {
	const suspects = isFormatted ? [...named, ...any] : named;
	return (suspects.length > 0 ? 10 : 0) + Math.min(pauses, 5);
}

/** Whether a person may have worked by hand between the moment and what was seen next; after the last session they may always. */
function mayBeByHand({ event, after }: EndThen): boolean {
	return after.pauses > 0 || event.what.kind === "disk";
}

function suspectsBefore(ledger: Ledger, track: Track, version: Version, order: number): Suspects {
	const { chain } = version;
	const ownSuspects = suspectsBetween(ledger, track, chain.order, order);
	const base = transferOf(chain);
	if (base === undefined || sourceDoubt(ledger, track, chain) === "") return ownSuspects;
	const source = ledger.track(base.what.path);
	const sourceSuspects = suspectsBefore(ledger, source, source.at(base.order - BEFORE), base.order);
	return both(sourceSuspects, ownSuspects);
}

/** The copy or move that a chain begins with. */
function transferOf({ base, order }: Chain) {
	if (base === undefined || base === "commit" || base.order !== order || base.what.kind !== "from") return undefined;
	return { order, what: base.what };
}

/** Why a text that came from another file may be another one: because that one's may; "" for no reason. */
function sourceDoubt(ledger: Ledger, track: Track, chain: Chain): string {
	const base = transferOf(chain);
	if (base === undefined) return "";
	const knownDoubt = sourceDoubts.get(chain);
	if (knownDoubt !== undefined) return knownDoubt;
	const { answer, text, why } = knownAt(ledger, base.what.path, base.order - BEFORE);
	const isSure = answer === "exact" && track.at(chain.order).contents.includes(text);
	const doubt = isSure ? "" : clauses("what it was made from is not certain", why);
	sourceDoubts.set(chain, doubt);
	return doubt;
}

/** A file may have been moved many times. */
const sourceDoubts = new WeakMap<Chain, string>();

function suspectsBetween(ledger: Ledger, { path }: Track, from: number, to: number): Suspects {
	return { ...ledger.maysBetween(path, from, to), pauses: ledger.pausesBetween(from, to) };
}

function both(one: Suspects, other: Suspects): Suspects {
	return {
		named: [...one.named, ...other.named],
		any: [...one.any, ...other.any],
		pauses: one.pauses + other.pauses,
	};
}

interface EndThen {
	readonly agrees: boolean | undefined;
	readonly isKnown: boolean;
	/** The text at the moment, as what was seen at the end says. */
	readonly content: Content;
	readonly event: FileEvent;
	readonly after: Suspects;
}

/** What the end of a chain says of a moment in it, also where the file went on under another name. */
function endOf(ledger: Ledger, track: Track, version: Version, order: number): EndThen | undefined {
	const { end } = version.chain;
	if (end === undefined) return undefined;
	const ownSuspects = suspectsBetween(ledger, track, order, end.order);
	if (end.to === undefined) {
		if (end.agrees === undefined && !end.isKnown) return undefined;
		const text = end.isKnown ? track.textBehind(version, order, end.content) : "unknown";
		const isKnown = text !== "unknown";
		return { agrees: end.agrees, isKnown, content: isKnown ? text : undefined, event: end.event, after: ownSuspects };
	}
	const target = ledger.track(end.to);
	const first = target.at(end.order);
	target.at(Number.POSITIVE_INFINITY);
	const further = endOf(ledger, target, first, end.order);
	if (further === undefined) return undefined;
	const text = further.isKnown ? track.textBehind(version, order, further.content) : "unknown";
	const isKnown = text !== "unknown";
	return { ...further, isKnown, content: isKnown ? text : undefined, after: both(ownSuspects, further.after) };
}

function editsSince(track: Track, version: Version): number {
	const { chain, order } = version;
	return track.versions.filter(
		(one) =>
			(one.chain === chain || (chain.base !== undefined && one.chain.base === chain.base)) &&
			one.order <= order &&
			one.event?.step?.act.kind === "edit",
	).length;
}

export const NEVER_SEEN = "no session had written it, or read all of it, by then";

/** Why nothing is known: what the last event of the chain was. */
function whyUnknown(track: Track, { chain, event }: Version): string {
	if (chain.doubt !== "") return chain.doubt;
	const first = track.versions.find((one) => one.chain === chain && one.event !== undefined)?.event ?? event;
	if (first?.what.kind === "lost" && first.step?.act.kind === "command")
		return `${commandName(first.what.why)} ran, and what it wrote is not known`;
	if (first?.what.kind === "linked") return `it was a link to ${first.what.target}`;
	if (first?.what.kind === "restored") return "what Git put there is not known";
	return NEVER_SEEN;
}

/** The text follows from what was seen later. */
function shownAs(event: FileEvent): string {
	return `as ${nameOf(event)} shows it`;
}

function confirmed(event: FileEvent): string {
	return `confirmed by ${nameOf(event)}`;
}

/** "commit b7f6e21", "the read in turn 5", "the disk now". */
export function nameOf({ what, step }: FileEvent): string {
	if (what.kind === "head") return `commit ${what.head.commit.slice(0, 7)}`;
	if (what.kind === "disk") return "the disk now";
	if (what.kind === "snapshot") return `snapshot ${what.snapshot.commit.slice(0, 7)}`;
	if (what.kind === "clean") return "a commit of all changes";
	if (what.kind === "replaced") return "pi-grove's own record";
	if (step === undefined) return "what was seen next";
	const who = step.witness.title === "" ? "" : ` of “${step.witness.title}”`;
	if (step.act.kind === "read" || step.act.kind === "missing") return `the read ${turnWords(step)}${who}`;
	if (step.act.kind === "command") return `${commandName(step.act.command)} ${turnWords(step)}${who}`;
	return `the edit ${turnWords(step)}${who}`;
}

/** "in turn 3", "in turn 3 on a branch that was left": each branch counts its own turns. */
function turnWords({ turn, entryId, witness }: SessionEvent): string {
	const words = turn === 0 ? "before the first prompt" : `in turn ${turn}`;
	return isLeft(entryId, witness.session) ? `${words} ${ON_BRANCH}` : words;
}

/** Said of a turn that the tree shows folded. */
export const ON_BRANCH = "on a branch that was left";

/** Whether an entry is not on the path to the leaf of its session. */
export function isLeft(entryId: string, session: Session): boolean {
	return !activeIds(session).has(entryId);
}

const activeIds = memoEach(
	({ tree }: Session): ReadonlySet<string> => new Set(tree.table.pathUp(tree.leafId).map(({ id }) => id)),
);

function ranClause(named: readonly May[], others: readonly May[], when: "since" | "before that" = "since"): string {
	const any = others.filter((may) => !isJump(may));
	const leftClause =
		any.length < others.length ? "a branch was left, and an extension may have restored its files" : "";
	const all = [...named, ...any];
	if (all.length === 0) return leftClause;
	const names = named.length === 0 ? "" : ` (${nameCommands(named)}${any.length > 0 ? ", …" : ""})`;
	return clauses(`${formatCounted(all.length, "command")} ran ${when}${names}`, leftClause);
}

/** Whether it is only that another branch was gone to. */
function isJump({ step }: May): boolean {
	return step?.act.kind === "jump";
}

/** Whether a session that went to another branch left behind what it had done. */
function isLeftBy({ step }: May, { step: jump }: May): boolean {
	return step !== undefined && step.witness === jump?.witness && !idsBefore(jump).has(step.entryId);
}

/** The entries that lead to that of a step. */
const idsBefore = memoEach(
	({ entryId, witness }: SessionEvent): ReadonlySet<string> =>
		new Set(witness.session.tree.table.pathUp(entryId).map(({ id }) => id)),
);

/** Clauses with a semicolon between them, without those that are empty. */
export function clauses(...texts: readonly string[]): string {
	return texts.filter((text) => text !== "").join("; ");
}

/** Commands that are named, and UTF-16 units of each. */
const MOST_NAMED = 3;
const MOST_UNITS = 40;

/** "npm run format, make, … and 3 more": each once. */
export function nameCommands(commands: readonly { readonly text: string }[]): string {
	const names = [...new Set(commands.map(({ text }) => commandName(text)))];
	const more = names.length - MOST_NAMED;
	return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The first line of a command, without a `cd` before it. */
export function commandName(text: string): string {
	const [line = "", ...more] = text
		.replace(/^\s*cd\s+[^\s&;]+\s*(?:&&|;)\s*/, "")
		.trim()
		.split("\n");
	return more.length > 0 || line.length > MOST_UNITS ? `${line.slice(0, MOST_UNITS).trimEnd()}…` : line;
}

/** What an event did to a file, or showed of it: "read whole in turn 1", "deleted in turn 2", "as a commit has it". */
export function eventName(event: FileEvent | "commit"): string {
	if (event === "commit") return "as a commit has it";
	const { step, what } = event;
	if (what.kind === "replaced") return "put there by pi-grove";
	if (step === undefined) return /^(?:head|snapshot)$/.test(what.kind) ? `as ${nameOf(event)} has it` : "";
	const how = deedName(event);
	if (how === "") return "";
	const { title } = step.witness;
	return title === "" ? `${how} ${turnWords(step)}` : `${how} by “${title}”, ${formatDayTime(step.endMs, Date.now())}`;
}

/** What a step of a session did to a file, or saw of it: "edited", "moved here"; "" for nothing to be told. */
export function deedName({ step, what }: FileEvent): string {
	if (what.kind === "from") return what.isMove ? "moved here" : "copied here";
	return (what.kind === "step" ? STEP_WORDS[step?.act.kind ?? ""] : WHAT_WORDS[what.kind]) ?? "";
}

const STEP_WORDS: Readonly<Record<string, string | undefined>> = {
	...{ read: "read whole", missing: "not there", edit: "edited", write: "written", perhaps: "perhaps changed" },
};
const WHAT_WORDS: Readonly<Record<string, string | undefined>> = {
	...{ written: "written by a command", appended: "appended to", created: "created", removed: "deleted" },
	...{ rewritten: "changed by sed", away: "moved away", lost: "changed by a command", linked: "linked" },
	...{
		head: "committed",
		restored: "put back",
		stashed: "stashed",
		popped: "taken from the stash",
		mode: "mode changed",
		clean: "committed",
	},
};
