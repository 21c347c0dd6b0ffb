import {
	BASE_FIELDS,
	type Fields,
	fieldsBesides,
	fieldsOf,
	firstFields,
	listOf,
	numberOf,
	textOf,
} from "../../store/format/fields.ts";
import { RESUME_POINT_TYPE } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatCounted, formatShortTokens } from "../../ui/text/format.ts";
import { callWords } from "./call-words.ts";
import { type EntryKind, entryKind, stopMark } from "./entry-kind.ts";
import { describeImages } from "./images.ts";
import type { Place } from "./place.ts";
import {
	compactJson,
	contentHead,
	head,
	joinWords,
	MAX_FIELDS,
	plainWords,
	promptHead,
	type RowPart,
	rowBlocks,
	rowText,
} from "./row-text.ts";
import { type Step, stepDuration, stepOf } from "./step.ts";
import { systemText } from "./system-text.ts";
import { priceWords } from "./usage-words.ts";
import { withheldIn } from "./withheld.ts";

/** The parts of an entry's row in the tree. Its texts are neither sanitized nor cut to a width. */
export interface RowDescription {
	readonly kind: EntryKind;
	/** What is wrong or special, before the text, which may be longer than the row: "aborted", "✗ terminated". */
	readonly mark: RowPart | undefined;
	/** What was done, or what it is: "edit", "$", "≡ compaction", "system"; none for prompts and answers. */
	readonly verb: RowPart | undefined;
	/** The text of the entry, or what a step was done to. */
	readonly text: string;
	readonly tone: RowPart["tone"];
	/** The summary of a step's output, behind its text if there is room; "" for none. */
	readonly said: string;
	/** The outcome, for the right end: "+9 −4", "✗ exit 1", "4.1s". */
	readonly outcome: readonly RowPart[];
}

const MESSAGE_BASE: ReadonlySet<string> = new Set(["role", "timestamp"]);
/** Tool calls of an answer that its row names. */
const MAX_CALLS = 5;

/** Describes any entry, even if fields are missing or odd. */
export function describeRow(entry: SessionEntry, session: Session, place: Place): RowDescription {
	const kind = entryKind(entry);
	const step = stepOf(entry, session, place);
	if (step !== undefined) return stepRow(kind, step);
	const fields = fieldsOf(entry);
	const message = entry.type === "message" ? fieldsOf(fields.message) : fields;
	switch (kind) {
		case "prompt": {
			const text = saidIn(message, promptHead);
			return row(kind, text || "(empty)", text === "" ? "muted" : "prompt");
		}
		case "answer":
			return { ...answerRow(message), outcome: withheldOutcome(message) };
		case "calls":
			return {
				...row(kind, thoughtOrCalls(message.content, place) || "(empty)", "muted"),
				outcome: withheldOutcome(message),
			};
		case "message":
			return {
				...row(kind, plainWords(saidIn(message)) || "(empty)", "text"),
				verb: summary(rowText(message.customType) || "custom"),
			};
		case "system":
			return note(kind, "system", systemText(message));
		default:
			return otherRow(kind, fields, message, session, place);
	}
}

function otherRow(kind: EntryKind, fields: Fields, message: Fields, session: Session, place: Place): RowDescription {
	switch (kind) {
		case "compaction":
			return {
				...row(kind, plainWords(textOf(message.summary)) || "(empty)", "summary"),
				verb: summary("≡ compaction"),
				outcome: tokensBefore(message),
			};
		case "branch-summary":
			return {
				...row(kind, plainWords(textOf(message.summary)) || "(empty)", "summary"),
				verb: summary("≡ summary of the branch left:"),
			};
		case "model":
			return { ...note(kind, "model", rowText(fields.modelId)), outcome: muted(rowText(fields.provider)) };
		case "thinking-level":
			return note(kind, "thinking", rowText(fields.thinkingLevel));
		case "label":
			return note(kind, "label", textOf(fields.label) === "" ? "cleared" : `[${rowText(fields.label)}]`);
		case "name":
			return note(kind, "name", rowText(fields.name) || "cleared");
		case "usage":
			return {
				...note(kind, "usage", joinWords(...[fields.kind, fields.model, fields.note].map(rowText))),
				outcome: muted(priceWords(fields.usage)),
			};
		case "context-edit":
			return note(kind, "context edit", contextEdit(fields, session, place));
		case "custom": {
			const customType = rowText(fields.customType);
			const text = customText(customType, fields.data);
			if (text === undefined) return note(kind, customType || "custom", compactJson(fields.data));
			return note(kind, customType === RESUME_POINT_TYPE ? "pi-grove" : "custom", text);
		}
		default:
			return unknownRow(fields);
	}
}

function row(kind: EntryKind, text: string, tone: RowPart["tone"]): RowDescription {
	return { kind, mark: undefined, verb: undefined, text, tone, said: "", outcome: [] };
}

function note(kind: EntryKind, verb: string, text: string): RowDescription {
	return { ...row(kind, text, "muted"), verb: { text: verb, tone: "muted" } };
}

function summary(text: string): RowPart {
	return { text, tone: "summary" };
}

function muted(text: string): RowPart[] {
	return text === "" ? [] : [{ text, tone: "muted" }];
}

function stepRow(kind: EntryKind, step: Step): RowDescription {
	const { verb, argument, said, outcome } = step;
	const failed = step.end === "failed";
	return {
		...row(kind, argument, failed ? "error" : "text"),
		verb: { text: verb, tone: failed ? "error" : kind === "command" ? "prompt" : "verb" },
		said,
		outcome: [...outcome, ...muted(stepDuration(step))],
	};
}

/** The text of a message, after a description of its images. */
function saidIn({ content }: Fields, headOf = contentHead): string {
	const images = describeImages(content);
	return joinWords(images === "" ? "" : `[${images}]`, headOf(content).trim());
}

function answerRow(message: Fields): RowDescription {
	const stop = stopMark(message);
	const reason = stop?.tone === "error" ? rowText(message.errorMessage) : "";
	const images = describeImages(message.content);
	const text = joinWords(images === "" ? "" : `[${images}]`, plainWords(contentHead(message.content)).trim());
	const thought = text === "" ? thoughtOrCalls(message.content, undefined) : "";
	const answerRow = text !== "" ? row("answer", text, "text") : row("answer", thought, "muted");
	if (stop === undefined) return answerRow.text === "" ? { ...answerRow, text: "(empty)" } : answerRow;
	const sign = stop.tone === "error" ? "✗ " : "";
	const why = answerRow.text === "" || reason === "" ? stop.short : shortReason(reason);
	const mark = { text: `${sign}${why}`, tone: stop.tone };
	if (answerRow.text !== "") return { ...answerRow, mark };
	return { ...row("answer", rowText(message.errorMessage) || "(empty)", reason === "" ? "muted" : "error"), mark };
}

/** UTF-16 units of a reason that stands before a text. */
const REASON = 60;

function shortReason(reason: string): string {
	return reason.length <= REASON ? reason : `${reason.slice(0, REASON).trimEnd()}…`;
}

/** What an answer without text did: its thinking, else the tools that it called. */
function thoughtOrCalls(content: unknown, place: Place = { cwd: "", home: "" }): string {
	const blocks = rowBlocks(content).map(fieldsOf);
	const thought = blocks.find(({ type, thinking }) => type === "thinking" && /\S/.test(textOf(thinking)));
	if (thought !== undefined) return `thinking: ${plainWords(textOf(thought.thinking))}`;
	const calls = blocks.filter(({ type }) => type === "toolCall");
	const named = calls.slice(0, MAX_CALLS).map((call) => {
		const { verb, argument } = callWords(textOf(call.name), fieldsOf(call.arguments), place);
		return joinWords(verb, argument);
	});
	if (named.length > 0) return head(`→ ${named.join(", ")}${calls.length > MAX_CALLS ? ", …" : ""}`);
	return blocks.some(({ type }) => type === "thinking") ? "thinking (withheld by the provider)" : "";
}

function withheldOutcome(message: Fields): RowPart[] {
	return withheldIn(message).map(({ short }) => ({ text: short, tone: "warning" }));
}

function tokensBefore({ tokensBefore: tokens }: Fields): RowPart[] {
	const count = numberOf(tokens);
	return count === undefined ? [] : muted(`of ${formatShortTokens(count)}`);
}

/** What the model no longer gets, or gets differently. */
function contextEdit({ replacement, targetId }: Fields, session: Session, place: Place): string {
	const what = replacement === null ? "leaves out" : "replaces";
	const target = session.tree.byId.get(textOf(targetId));
	// Only messages are quoted: a context edit may name another one, or itself.
	if (target?.type !== "message") return `${what} an entry${replacement === null ? "" : "'s content"}`;
	const { verb, text } = describeRow(target, session, place);
	return head(joinWords(`${what}:`, verb?.text ?? "", text));
}

/** An entry of unknown type, or a message of unknown role: its text, else its fields. */
function unknownRow(fields: Fields): RowDescription {
	if (fields.type !== "message") {
		return note(
			"unknown",
			rowText(fields.type) || "unknown",
			compactJson(fieldsBesides(BASE_FIELDS, fields, MAX_FIELDS)),
		);
	}
	const message = fieldsOf(fields.message);
	const role = rowText(message.role);
	if (role === "") return { ...row("unknown", "has no role", "error"), verb: { text: "message", tone: "error" } };
	const text = saidIn(message) || compactJson(fieldsBesides(MESSAGE_BASE, message, MAX_FIELDS));
	return { ...row("unknown", text, "muted"), verb: summary(role) };
}

/** Stored values of a script that a row names. */
const MAX_NAMES = 20;

/** Describes the `custom` entries of pi itself (1.5.2: its core and its own extensions) and of pi-grove; undefined for those of others. */
export function customText(customType: string, value: unknown): string | undefined {
	const data = fieldsOf(value);
	switch (customType) {
		case RESUME_POINT_TYPE:
			return "the next prompt comes here";
		case "pi.virtual-model-state":
			return `state of the virtual model ${[data.provider, data.modelId].map(rowText).filter(Boolean).join("/")}`;
		case "pi.bug-report":
			return joinWords("bug report", rowText(data.id), rowText(data.hint));
		case "pi.share":
			return `shared: the system prompt and ${formatCounted(listOf(data.tools).length, "tool")}`;
		case "codemode-store": {
			const names = firstFields(data.set, MAX_NAMES).map(([name]) => name);
			const removed = listOf(data.delete).length;
			return joinWords(
				"stored by a script:",
				names.join(", "),
				removed > 0 ? `(${formatCounted(removed, "value")} removed)` : "",
			);
		}
		default:
			return undefined;
	}
}
