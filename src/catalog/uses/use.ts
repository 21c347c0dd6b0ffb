import { isObject } from "../../shared/json.ts";
import { textOf } from "../../store/format/fields.ts";
import { contentText, SHELLS } from "../../store/format/message.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import type { StepEnd } from "../../store/format/step-end.ts";
import { type RecordedCall, recordedCalls } from "../../store/format/tool-calls.ts";
import { typedMessage } from "../../store/format/typed-message.ts";
import { type Condition, flatConditions, splitDates } from "../query/conditions.ts";
import { KINDS } from "../query/kinds.ts";
import { parseQuery, type Query } from "../query/parse-query.ts";
import { flatTerms, type Term } from "../query/term.ts";

/** What is collected: prompts of the user, or shell commands. */
export type UseKind = "prompt" | "command";

/** How a command without an exit code ended; `failed` if nothing more is known. */
type UseEnding = "aborted" | "killed" | "timed out" | "cancelled" | "failed" | "not run";

/** How a command ended; nothing is known without a result, and of a prompt. */
export interface CommandEnding {
	/** Exit code of a command that ended by itself. */
	readonly exitCode?: number;
	/** How a command ended that has no exit code. */
	readonly ended?: UseEnding;
	/** How it ended, by the rule for all steps. */
	readonly end?: StepEnd;
	readonly durationMs?: number;
	/** Id of the entry with the result of a command of the model, where the tree shows both. */
	readonly resultId?: string;
}

/** A prompt or a command at one position of a session file. */
export interface Use extends CommandEnding {
	readonly kind: UseKind;
	/** Absolute path of the session's file. */
	readonly path: string;
	/** Hash of the text; the same for every use of the text. */
	readonly text: number;
	/** Hash of the entry and the text; the same for the copies in forks. */
	readonly origin: number;
	/** Id of its entry; "" if the file has none, so that only the line identifies it. */
	readonly entryId: string;
	/** 1-based line in the file. */
	readonly line: number;
	/** Offset of the line's first byte in the file. */
	readonly offset: number;
	/** Index among the commands of that entry. */
	readonly part: number;
	/** Unix ms; NaN if the entry has no time. */
	readonly time: number;
	/** Who ran the command: the user (`!`), or the model. A prompt is always the user's. */
	readonly by: "person" | "model";
	/** Whether its result was looked for (`addEndings`). */
	readonly isAsked?: true;
}

/** A text with all its uses, those that forks have copied counted once. */
export interface UsedText {
	/** Hash of the text, by which it is identified. */
	readonly key: number;
	/** Trimmed; only the beginning of a longer text (see `length`). */
	readonly text: string;
	/** Characters of the whole text. */
	readonly length: number;
	/** At least one, newest first. */
	readonly uses: readonly Use[];
}

/** Whether a command is known to have failed. */
export function hasUseFailed({ end }: Use): boolean {
	return end === "failed";
}

/** In how many sessions a text was used, and how many of its uses are known to have failed. */
export function sumUses({ uses }: UsedText): { readonly sessions: number; readonly failures: number } {
	return { sessions: new Set(uses.map(({ path }) => path)).size, failures: uses.filter(hasUseFailed).length };
}

/** A query for prompts or commands: what their texts must contain, and the conditions, separately. */
export interface ParsedUseQuery {
	readonly query: Query;
	/** Conditions that a session must meet. */
	readonly sessions: readonly Condition[];
	/** Conditions that the time of a use must meet. */
	readonly dates: readonly Condition[];
}

/**
 * Parses a query for one kind at `now` (Unix ms), in the language of the search; or returns its mistake, as a
 * sentence.
 */
export function parseUseQuery(text: string, kind: UseKind, now: number): ParsedUseQuery | { readonly error: string } {
	const parsed = parseQuery(text);
	if ("error" in parsed) return parsed;
	const { query } = parsed;
	if (flatConditions(query.conditions).some(({ field }) => field === "term"))
		return {
			error: "Here “or” joins words with words, and fields of sessions with each other, but not a word with a field.",
		};
	if (!flatTerms([...query.terms, ...query.without]).every((term) => canHold(term, kind)))
		return {
			error: `Only ${kind}s are searched here: use words, "phrases", re:, dates, and fields of sessions such as project:.`,
		};
	return { query, ...splitDates(query.conditions, now) };
}

function canHold({ kinds, tool }: Term, kind: UseKind): boolean {
	return (
		(kinds & KINDS[kind === "prompt" ? "user" : "command"].bit) !== 0 && (tool === undefined || kind === "command")
	);
}

export interface UseText {
	readonly kind: UseKind;
	/** Trimmed, and not empty. */
	readonly text: string;
	/** The call that runs the command; undefined for what the person typed. */
	readonly call: RecordedCall | undefined;
}

/** The prompts and commands of an entry, in order. A prompt is as it was typed, without the text of a skill. */
export function textsOfEntry({ type, message }: RawEntry): UseText[] {
	if (type !== "message" || !isObject(message)) return [];
	return [...textsOfMessage(message)]
		.map((one): UseText => ({ ...one, text: one.text.trim() }))
		.filter(({ text }) => text !== "");
}

function* textsOfMessage(message: RawEntry): Generator<UseText> {
	if (message.role === "user")
		yield { kind: "prompt", text: typedMessage(contentText(message.content, "\n")), call: undefined };
	if (message.role === "bashExecution") yield { kind: "command", text: textOf(message.command), call: undefined };
	for (const call of recordedCalls(message)) {
		const { name, args } = call;
		if (SHELLS.has(name) && isObject(args)) yield { kind: "command", text: textOf(args.command), call };
	}
}
