import { printJson } from "../../shared/json.ts";
import { answerFailed } from "../../store/format/message.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatDayTime } from "../../ui/text/format.ts";
import { type EntryKind, entryKind, stopMark } from "../entries/entry-kind.ts";
import { blocksIn, type Fields, fieldsOf, textOf } from "../entries/fields.ts";
import { describeImages } from "../entries/images.ts";
import type { Place } from "../entries/place.ts";
import { describeRow } from "../entries/row.ts";
import { rowText } from "../entries/row-text.ts";
import { openCalls, stepOf } from "../entries/step.ts";
import { systemPlainText } from "../entries/system-text.ts";
import { fenced, paragraphs, quoted, withheldMarkdown } from "./markdown-parts.ts";
import { plainLine } from "./plain-text.ts";
import { stepMarkdown } from "./step-markdown.ts";

/** Bookkeeping, which is left out of a conversation. */
const SILENT: ReadonlySet<EntryKind> = new Set<EntryKind>(["label", "name", "custom", "usage", "context-edit"]);
const BY_MODEL: ReadonlySet<EntryKind> = new Set<EntryKind>(["answer", "calls", "result"]);

/** An entry of a conversation as Markdown. */
export interface EntryMarkdown {
	readonly entry: SessionEntry;
	/** A heading with the speaker; "" if it is not known, or the entry says nothing. */
	readonly heading: string;
	/** Whether the heading is needed: the speaker changes, or the text begins here. */
	readonly isHeaded: boolean;
	/** Its text, in pieces, some of which may be empty. */
	readonly pieces: () => Generator<string>;
}

/** Entries of a conversation as Markdown, in pieces, some of which may be empty. */
export function* conversationMarkdown(
	entries: Iterable<SessionEntry>,
	session: Session,
	place: Place,
): Generator<string> {
	for (const { heading, isHeaded, pieces } of entriesMarkdown(entries, session, place)) {
		yield isHeaded ? heading : "";
		yield* pieces();
	}
}

/** The same, entry by entry. `before`: the speaker before them (`speakerBefore`). */
export function* entriesMarkdown(
	entries: Iterable<SessionEntry>,
	session: Session,
	place: Place,
	before = "",
): Generator<EntryMarkdown> {
	let speaker = before;
	let isFirst = true;
	for (const entry of entries) {
		const kind = entryKind(entry);
		if (SILENT.has(kind)) {
			yield { entry, heading: "", isHeaded: false, pieces: nothing };
			continue;
		}
		const who = speakerOf(kind, entry) || speaker;
		const heading = who === "" ? "" : `## ${who}${at(entry)}\n\n`;
		const isHeaded = isFirst || who !== speaker;
		yield { entry, heading, isHeaded, pieces: () => entryMarkdown(entry, session, place) };
		speaker = speakerBehind(kind, who);
		isFirst = false;
	}
}

function* nothing(): Generator<string> {}

/** The speaker before an entry of a path, so that a text that begins there has the same headings as the whole. */
export function speakerBefore(path: readonly SessionEntry[], index: number): string {
	for (let at = index - 1; at >= 0; at--) {
		const entry = path[at];
		if (entry === undefined) continue;
		const kind = entryKind(entry);
		const who = SILENT.has(kind) ? "" : speakerOf(kind, entry);
		if (who !== "") return speakerBehind(kind, who);
	}
	return "";
}

/** After a prompt there is none, so that the next prompt has a heading again. */
function speakerBehind(kind: EntryKind, who: string): string {
	return kind === "prompt" ? "" : who;
}

/** The speaker of an entry; "" if it belongs to the entry before. */
function speakerOf(kind: EntryKind, entry: SessionEntry): string {
	if (kind === "prompt") return "You";
	if (!BY_MODEL.has(kind)) return "";
	return kind === "result" ? "" : plainLine(rowText(fieldsOf(fieldsOf(entry).message).model)) || "Model";
}

function at({ timestamp }: SessionEntry): string {
	const time = formatDayTime(timeOf(timestamp));
	return time === "" ? "" : ` · ${time}`;
}

/** One entry as Markdown, in pieces. */
export function* entryMarkdown(entry: SessionEntry, session: Session, place: Place): Generator<string> {
	const label = session.tree.labels.get(entry.id);
	if (label !== undefined) yield `*⚑ ${plainLine(rowText(label.text))}*\n\n`;
	const fields = fieldsOf(entry);
	const message = entry.type === "message" ? fieldsOf(fields.message) : fields;
	const kind = entryKind(entry);
	const step = stepOf(entry, session, place);
	if (step !== undefined) return yield* stepMarkdown(step, entry, session, place);
	switch (kind) {
		case "prompt":
		case "message":
			return yield* blocks(message.content);
		case "answer":
		case "calls":
			if (answerFailed(message)) yield* stopped(message);
			yield* blocks(message.content);
			yield* withheldMarkdown(message);
			if (!answerFailed(message)) yield* stopped(message);
			for (const { step: open } of openCalls(entry, session, place))
				yield* fenced("console", `${open.verb} ${open.argument}`);
			return;
		case "system":
			return yield* quoted("system", systemPlainText(message));
		case "compaction":
			return yield* quoted("compaction: a summary of all before", textOf(message.summary));
		case "branch-summary":
			return yield* quoted("summary of the branch left", textOf(message.summary));
		case "unknown":
			return yield* fenced("json", printJson(entry, { indent: 2 }));
		default: {
			const { verb, text } = describeRow(entry, session, place);
			yield `*${plainLine(`${verb?.text ?? ""} ${text}`.trim())}*\n\n`;
		}
	}
}

function* blocks(content: unknown): Generator<string> {
	for (const block of blocksIn(content)) {
		const { type, text, thinking } = block;
		if (type === "text") yield* paragraphs(textOf(text));
		else if (type === "thinking") yield* quoted("thinking", textOf(thinking));
		else if (type === "image") yield `*[${plainLine(describeImages([block]))}]*\n\n`;
	}
}

function* stopped(message: Fields): Generator<string> {
	const stop = stopMark(message);
	if (stop === undefined) return;
	yield `**${stop.long}**\n\n`;
	yield* paragraphs(textOf(message.errorMessage));
}
