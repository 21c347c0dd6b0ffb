import { type Fields, fieldsOf, numberOf, pathArgument, textOf } from "../../store/format/fields.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { StepEnd } from "../../store/format/step-end.ts";
import { CHANGING_TOOLS } from "../../store/format/tool-change.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatDuration } from "../../ui/text/format.ts";
import { callWords } from "./call-words.ts";
import { entryEnd } from "./entry-facts.ts";
import { entryKind } from "./entry-kind.ts";
import { outputOf, outputTexts } from "./output.ts";
import { commandRow, type Place, shortFile } from "./place.ts";
import { head, type RowPart } from "./row-text.ts";
import { resultOutcome, shellOutcome } from "./step-outcome.ts";
import { summarizeOutput } from "./summarize-output.ts";
import { type CallFacts, callAbove, callOf, unansweredCalls } from "./tool-call.ts";

/** A tool call of the model, or a command of the person, and what came of it. No text of it is sanitized. */
export interface Step {
	/** The tool's own name; "bash" for a command of the person. */
	readonly name: string;
	/** "read", "edit", "$", "!". */
	readonly verb: string;
	/** What it was done to, with paths relative to the session's directory; may have several lines. */
	readonly argument: string;
	readonly end: StepEnd;
	/** A summary of its output, such as its first failing line; "" for none. */
	readonly said: string;
	/** The outcome, for the right end of a row: "+9 −4" of an edit, "14 lines", "✗ exit 1". The duration is not part of it. */
	readonly outcome: readonly RowPart[];
	readonly durationMs: number | undefined;
	/** The file that it changed, relative to the session's directory. */
	readonly file: string | undefined;
}

/** Quick tools: their outcome says everything about their result, and their duration is of no interest. */
const QUICK: ReadonlySet<string> = new Set(["read", "write", "edit", "grep", "find", "ls"]);

const steps = new WeakMap<SessionEntry, Place & { readonly step: Step }>();

/** The step that an entry records: the result of a tool or a command of the person; undefined for other entries. */
export function stepOf(entry: SessionEntry, session: Session, place: Place): Step | undefined {
	const earlier = steps.get(entry);
	if (earlier?.cwd === place.cwd && earlier.home === place.home) return earlier.step;
	const kind = entryKind(entry);
	if (kind !== "result" && kind !== "command") return undefined;
	const message = fieldsOf(fieldsOf(entry).message);
	const step =
		kind === "result" ? resultStep(entry, message, session, place) : commandStep(entry, message, session, place);
	steps.set(entry, { ...place, step });
	return step;
}

function resultStep(entry: SessionEntry, message: Fields, session: Session, place: Place): Step {
	const { name: called = "", args = {} } = callOf(entry, session) ?? {};
	const name = called || head(textOf(message.toolName)) || "tool";
	const end = entryEnd(entry, session);
	const output = outputOf(outputTexts(message.content));
	const summary = end === "ok" && QUICK.has(name) ? "" : summarizeOutput(output.ends, isBroken(end));
	return {
		name,
		...callWords(name, args, place),
		end,
		said: summary,
		outcome: resultOutcome(name, message, args, end, { ...output, isSummarized: summary !== "" }),
		durationMs: end === "not run" ? undefined : durationOf(entry, message, session),
		file: changedFile(name, args, message, place),
	};
}

function commandStep(entry: SessionEntry, message: Fields, session: Session, place: Place): Step {
	const end = entryEnd(entry, session);
	const output = outputOf([textOf(message.output)]);
	const summary = summarizeOutput(output.ends, isBroken(end));
	return {
		name: "bash",
		verb: message.excludeFromContext === true ? "!!" : "!",
		argument: head(commandRow(textOf(message.command), place)),
		end,
		said: summary,
		outcome: shellOutcome(message, { ...output, isSummarized: summary !== "" }, end),
		durationMs: numberOf(message.durationMs),
		file: undefined,
	};
}

/** Whether the last lines of an output say why a step did not come to its end. */
function isBroken(end: StepEnd): boolean {
	return end === "failed" || end === "stopped";
}

/** The file that the tool of a result changed; undefined if it failed or changes none. */
export function changedFile(name: string, args: Fields, message: Fields, place: Place): string | undefined {
	if (message.isError === true || !CHANGING_TOOLS.has(name)) return undefined;
	const path = head(pathArgument(args));
	return path === "" ? undefined : shortFile(path, place);
}

/** How long a tool ran: as pi recorded it, else the time from the entry before its result (its call or another result). */
function durationOf(entry: SessionEntry, message: Fields, session: Session): number | undefined {
	const written = numberOf(message.durationMs);
	if (written !== undefined) return written < 0 ? undefined : written;
	if (callAbove(entry, session) === undefined) return undefined;
	const { tree } = session;
	const parent = tree.byId.get(tree.parentOf.get(entry.id) ?? "");
	const role = fieldsOf(fieldsOf(parent).message).role;
	if (parent === undefined || (role !== "assistant" && role !== "toolResult")) return undefined;
	const duration = timeOf(entry.timestamp) - timeOf(parent.timestamp);
	return duration >= 0 ? duration : undefined;
}

/** Shorter durations are of no interest. */
const QUICK_MS = 50;
/** Except for a quick tool that took this long. */
const SLOW_MS = 10_000;

/** The duration of a step if it is of interest, else "". */
export function stepDuration({ name, durationMs }: Step): string {
	if (durationMs === undefined || durationMs < (QUICK.has(name) ? SLOW_MS : QUICK_MS)) return "";
	return formatDuration(Math.max(100, durationMs));
}

/** The calls of an answer that have no result: they are still running, or the session ended while they were. */
export function openCalls(
	entry: SessionEntry,
	session: Session,
	place: Place,
): { readonly step: Step; readonly call: CallFacts }[] {
	return unansweredCalls(entry, session).map((call) => {
		const facts = { end: "stopped", said: "", durationMs: undefined, file: undefined } as const;
		const outcome = [{ text: "no result", tone: "warning" }] as const;
		return { step: { name: call.name || "tool", ...callWords(call.name, call.args, place), ...facts, outcome }, call };
	});
}

const SHELLS: ReadonlySet<string> = new Set(["$", "PS>", "!", "!!"]);

/** Whether a step is a command, which stands on rows of its own. */
export function isShell({ verb }: Step): boolean {
	return SHELLS.has(verb);
}
