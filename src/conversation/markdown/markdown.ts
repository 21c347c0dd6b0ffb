import { fieldsOf } from "../../store/format/fields.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { formatDayTime } from "../../ui/text/format.ts";
import type { BlockOf, EntryBlock } from "../blocks/block.ts";
import { entryBlocks } from "../blocks/entry-blocks.ts";
import type { FileEdit } from "../blocks/file-edit.ts";
import { type EntryKind, entryKind } from "../entries/entry-kind.ts";
import { describeImages } from "../entries/images.ts";
import type { Place } from "../entries/place.ts";
import { rowText } from "../entries/row-text.ts";
import { stepDuration } from "../entries/step.ts";
import { systemPlainText } from "../entries/system-text.ts";
import { languageOfPath } from "../render/code-lines.ts";
import { fenced, inlineCode, paragraphs, quoted } from "./markdown-parts.ts";
import { plainLine } from "./plain-text.ts";

/** Bookkeeping, which is left out of a conversation. */
const SILENT: ReadonlySet<EntryKind> = new Set<EntryKind>(["label", "name", "custom", "usage", "context-edit"]);
const BY_MODEL: ReadonlySet<EntryKind> = new Set<EntryKind>(["answer", "calls", "result"]);

export interface EntryMarkdown {
	readonly entry: SessionEntry;
	/** A heading with the speaker; "" if it is not known, or the entry says nothing. */
	readonly heading: string;
	/** Whether the heading is needed: the speaker changes, or the text begins here. */
	readonly isHeaded: boolean;
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

/** One entry as Markdown, in pieces. What the reader folds to its title is left out. */
export function* entryMarkdown(entry: SessionEntry, session: Session, place: Place): Generator<string> {
	const label = session.tree.labels.get(entry.id);
	if (label !== undefined) yield `*⚑ ${plainLine(rowText(label.text))}*\n\n`;
	for (const block of entryBlocks(entry, { session, place })) yield* blockMarkdown(block, entryKind(entry));
}

function* blockMarkdown(block: EntryBlock, kind: EntryKind): Generator<string> {
	switch (block.type) {
		case "speaker":
			return;
		case "fold":
			// In a conversation it is folded away; alone it is all that the entry has.
			if (kind === "custom") yield* fenced("json", block.text());
			return;
		case "divider":
			if (!SUMMARIES.has(kind)) yield `*${plainLine(block.text)}*\n\n`;
			for (const below of block.below ?? []) yield* blockMarkdown(below, kind);
			return;
		case "prose":
			if (block.of === "summary") return yield* quoted(SUMMARIES.get(kind) ?? "summary", block.text);
			return yield* paragraphs(block.text);
		case "text":
			return yield* paragraphs(block.text);
		case "thought":
			return yield* quoted("thinking", block.text);
		case "stop":
			yield `**${plainLine(block.text)}**\n\n`;
			return yield* paragraphs(block.error);
		case "note":
			for (const line of block.text.split("\n")) yield `*${plainLine(line)}*\n\n`;
			return;
		case "image":
			return yield `*[${plainLine(describeImages([block.image]))}]*\n\n`;
		case "system":
			// A compaction repeats the whole prompt.
			if (block.isEntry) yield* quoted("system", systemPlainText(block.message));
			return;
		case "step":
			return yield* stepMarkdown(block, kind);
		case "json":
			return yield* fenced("json", block.text);
		case "lines":
			return yield* fenced("", block.text);
		case "change":
			return yield* changeMarkdown(block.edit);
		case "code":
			if (/\S/.test(block.text)) yield* fenced(block.language ?? "", block.text);
			return;
		case "command":
		case "output":
			return yield* fenced("", block.text);
	}
}

const SUMMARIES: ReadonlyMap<EntryKind, string> = new Map([
	["compaction", "compaction: a summary of all before"],
	["branch-summary", "summary of the branch left"],
]);

/** "**edit** `src/a.ts` · +2 −1", and what came of it; a command is in one fence with its output. */
function* stepMarkdown({ step, blocks }: BlockOf<"step">, kind: EntryKind): Generator<string> {
	const [command, ...rest] = blocks;
	const outcome = [...step.outcome.map(({ text }) => text), stepDuration(step)].filter((part) => part !== "").join(" ");
	if (command?.type !== "command") {
		const title = [`**${plainLine(step.verb)}**`, inlineCode(step.argument)].filter((part) => part !== "").join(" ");
		yield `${title}${outcome === "" ? "" : ` · ${outcome}`}\n\n`;
		for (const block of blocks) yield* blockMarkdown(block, kind);
		return;
	}
	const isPerson = kind === "command";
	const head = [isPerson ? `**${command.verb}**` : "", step.outcome.length > 0 || isPerson ? outcome : ""];
	const title = head.filter((part) => part !== "").join(" ");
	if (title !== "") yield `${title}\n\n`;
	const input = command.text === "" ? "" : `${isPerson ? "$" : command.verb} ${command.text}`;
	const outputs = rest.filter((block) => block.type === "output");
	yield* fenced("console", input, ...outputs.map(({ text }) => text));
	for (const block of rest) if (block.type !== "output") yield* blockMarkdown(block, kind);
}

function* changeMarkdown({ path, of, text, lines }: FileEdit): Generator<string> {
	if (of === "file") return yield* fenced(languageOfPath(path) ?? "", text);
	if (of === "diff") return yield* fenced("diff", text);
	const signed = Array.from(lines(undefined), (line) => `${SIGNS[line.kind]}${line.text}`);
	yield* fenced("diff", signed.join("\n"));
}

const SIGNS = { same: " ", removed: "-", added: "+", gap: "", note: "" } as const;
