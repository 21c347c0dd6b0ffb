import { commandFailed } from "../../store/format/has-failed.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { timeOf } from "../../store/format/time.ts";
import type { Session } from "../../store/read/read-session.ts";
import { callWords } from "./call-words.ts";
import { entryKind } from "./entry-kind.ts";
import { type Fields, fieldsOf, numberOf, textOf } from "./fields.ts";
import { lineChange } from "./line-change.ts";
import { type Output, outputOf, outputTexts } from "./output.ts";
import { type Place, shortCommand, shortPath } from "./place.ts";
import type { RowPart } from "./row-part.ts";
import { head, rowText } from "./row-text.ts";
import { resultOutcome, shellOutcome } from "./step-outcome.ts";
import { tellingWords } from "./telling-words.ts";
import { callAbove, callOf, unansweredCalls } from "./tool-call.ts";

/** What a step did to a file. */
export interface FileChange {
	/** Relative to the session's directory. */
	readonly path: string;
	readonly added: number;
	readonly removed: number;
}

/** One thing that was done: a tool that the model called, or a command of the person. No text of it is clean. */
export interface Step {
	/** The tool's own name; "bash" for a command of the person. */
	readonly name: string;
	/** "read", "edit", "$", "!". */
	readonly verb: string;
	/** What it was done to, relative to the session's directory; it may have several lines. */
	readonly argument: string;
	readonly failed: boolean;
	/** The telling words of its output, such as its first failing line; "" when there are none. */
	readonly said: string;
	/** What came of it, for the right end of a row: "+9 −4", "14 lines", "✗ exit 1". Its duration is not among them. */
	readonly outcome: readonly RowPart[];
	readonly durationMs: number | undefined;
	/** The file that was changed. */
	readonly file: FileChange | undefined;
}

interface Remembered {
	readonly cwd: string;
	readonly home: string;
	readonly step: Step;
}

const steps = new WeakMap<SessionEntry, Remembered>();

/** The step that an entry tells of: the result of a tool or a command of the person; undefined for any other entry. */
export function stepOf(entry: SessionEntry, session: Session, place: Place): Step | undefined {
	const known = steps.get(entry);
	if (known?.cwd === place.cwd && known.home === place.home) return known.step;
	const step = makeStep(entry, session, place);
	if (step !== undefined) steps.set(entry, { ...place, step });
	return step;
}

function makeStep(entry: SessionEntry, session: Session, place: Place): Step | undefined {
	const message = fieldsOf(fieldsOf(entry).message);
	switch (entryKind(entry)) {
		case "result":
			return resultStep(entry, message, session, place);
		case "command":
			return commandStep(message, place);
		default:
			return undefined;
	}
}

function resultStep(entry: SessionEntry, message: Fields, session: Session, place: Place): Step {
	const call = callOf(entry, session);
	const name = call?.name || head(textOf(message.toolName)) || "tool";
	const failed = message.isError === true;
	const output = outputOf(outputTexts(message.content));
	const said = saidBy(name, output, failed);
	return {
		name,
		...callWords(name, call?.args ?? {}, place),
		failed,
		said,
		outcome: resultOutcome(name, message, call?.args ?? {}, { ...output, isTold: said !== "" }),
		durationMs: durationOf(entry, message, session),
		file: changedFile(name, call?.args ?? {}, message, place),
	};
}

/** Tools whose result is told in full by their outcome. */
const QUIET: ReadonlySet<string> = new Set(["read", "write", "edit", "grep", "find", "ls"]);

function saidBy(name: string, output: Output, failed: boolean): string {
	return !failed && QUIET.has(name) ? "" : tellingWords(output.ends, failed);
}

function commandStep(message: Fields, place: Place): Step {
	const failed = commandFailed(message);
	const output = outputOf([textOf(message.output)]);
	const said = tellingWords(output.ends, failed);
	return {
		name: "bash",
		verb: message.excludeFromContext === true ? "!!" : "!",
		argument: head(shortCommand(textOf(message.command), place)),
		failed,
		said,
		outcome: shellOutcome(message, { ...output, isTold: said !== "" }, failed),
		durationMs: numberOf(message.durationMs),
		file: undefined,
	};
}

/** Whether a command of the person was cancelled or said by its exit code that it failed. */
/** What a result says of the file that its tool changed; undefined when it failed or changes none. */
export function changedFile(name: string, args: Fields, message: Fields, place: Place): FileChange | undefined {
	if (message.isError === true) return undefined;
	const change = lineChange(name, args, message.details);
	const path = rowText(args.path) || rowText(args.file_path);
	return change === undefined || path === "" ? undefined : { path: shortPath(path, place), ...change };
}

/**
 * How long a tool ran: what pi wrote, else from what stands before its result (its call, or the result of the call before
 * it) to the result.
 */
function durationOf(entry: SessionEntry, message: Fields, session: Session): number | undefined {
	const written = numberOf(message.durationMs);
	if (written !== undefined) return written < 0 ? undefined : written;
	if (callAbove(entry, session) === undefined) return undefined;
	const { tree } = session;
	const before = tree.byId.get(tree.parentOf.get(entry.id) ?? "");
	const role = fieldsOf(fieldsOf(before).message).role;
	if (before === undefined || (role !== "assistant" && role !== "toolResult")) return undefined;
	const duration = timeOf(entry.timestamp) - timeOf(before.timestamp);
	return duration >= 0 ? duration : undefined;
}

/** The calls of an answer that have no result: they still run, or the session was ended while they did. */
export function openCalls(entry: SessionEntry, session: Session, place: Place): Step[] {
	return unansweredCalls(entry, session).map(({ name, args }) => ({
		name: name || "tool",
		...callWords(name, args, place),
		failed: false,
		said: "",
		outcome: [{ text: "no result", tone: "warning" }],
		durationMs: undefined,
		file: undefined,
	}));
}
