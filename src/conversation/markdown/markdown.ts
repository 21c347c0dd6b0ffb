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
import { type Step, stepDuration } from "../entries/step.ts";
import { systemPlainText } from "../entries/system-text.ts";
import { languageOfPath } from "../render/code-lines.ts";
import { fenced, folded, htmlLine, inlineCode, paragraphs, quotation, quoted } from "./markdown-parts.ts";
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

interface MarkdownLook {
	/** Whether outputs, thoughts and long changes are folded, as GitHub does it; else all is read as it stands. @default false */
	readonly isFolded?: boolean;
}

/** Entries of a conversation as Markdown, in pieces, some of which may be empty. */
export function* conversationMarkdown(
	entries: Iterable<SessionEntry>,
	session: Session,
	place: Place,
	look: MarkdownLook = {},
): Generator<string> {
	for (const { heading, isHeaded, pieces } of entriesMarkdown(entries, session, place, "", look)) {
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
	look: MarkdownLook = {},
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
		yield { entry, heading, isHeaded, pieces: () => entryMarkdown(entry, session, place, look) };
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
export function* entryMarkdown(
	entry: SessionEntry,
	session: Session,
	place: Place,
	{ isFolded = false }: MarkdownLook = {},
): Generator<string> {
	const label = session.tree.labels.get(entry.id);
	if (label !== undefined) yield `*⚑ ${plainLine(rowText(label.text))}*\n\n`;
	const writing = { kind: entryKind(entry), isFolded };
	for (const block of entryBlocks(entry, { session, place })) yield* blockMarkdown(block, writing);
}

interface Writing extends Required<MarkdownLook> {
	readonly kind: EntryKind;
}

/** A text that is not part of the conversation itself. */
function aside(about: string, text: string, { isFolded }: Writing): Iterable<string> {
	if (!isFolded) return quoted(about, text);
	return /\S/.test(text) ? folded(htmlLine(about), quotation(text)) : [];
}

function* blockMarkdown(block: EntryBlock, writing: Writing): Generator<string> {
	const { kind } = writing;
	switch (block.type) {
		case "speaker":
			return;
		case "fold":
			// In a conversation it is folded away; alone it is all that the entry has.
			if (kind === "custom") yield* fenced("json", block.text());
			return;
		case "divider":
			if (!SUMMARIES.has(kind)) yield `*${plainLine(block.text)}*\n\n`;
			for (const below of block.below ?? []) yield* blockMarkdown(below, writing);
			return;
		case "prose":
			if (block.of === "summary") return yield* aside(SUMMARIES.get(kind) ?? "summary", block.text, writing);
			return yield* paragraphs(block.text);
		case "text":
			return yield* paragraphs(block.text);
		case "thought":
			return yield* aside("thinking", block.text, writing);
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
			if (block.isEntry) yield* aside("system", systemPlainText(block.message), writing);
			return;
		case "step":
			return yield* stepMarkdown(block, writing);
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
function* stepMarkdown({ step, blocks }: BlockOf<"step">, writing: Writing): Generator<string> {
	const { kind, isFolded } = writing;
	const [command] = blocks;
	const outcome = [...step.outcome.map(({ text }) => text), stepDuration(step)].filter((part) => part !== "").join(" ");
	if (isFolded && blocks.some((block) => (block.type === "change" ? isLong(block.edit) : block.type !== "note"))) {
		const argument = step.argument === "" ? "" : ` <code>${htmlLine(step.argument)}</code>`;
		const title = `<b>${htmlLine(step.verb)}</b>${argument}${outcome === "" ? "" : ` · ${htmlLine(outcome)}`}`;
		return yield* folded(title, bodyMarkdown(step, blocks, writing));
	}
	if (command?.type !== "command") {
		const title = [`**${plainLine(step.verb)}**`, inlineCode(step.argument)].filter((part) => part !== "").join(" ");
		yield `${title}${outcome === "" ? "" : ` · ${outcome}`}\n\n`;
		return yield* bodyMarkdown(step, blocks, writing);
	}
	const isPerson = kind === "command";
	const head = [isPerson ? `**${command.verb}**` : "", step.outcome.length > 0 || isPerson ? outcome : ""];
	const title = head.filter((part) => part !== "").join(" ");
	if (title !== "") yield `${title}\n\n`;
	yield* bodyMarkdown(step, blocks, writing);
}

/** What stands below the title of a step. */
function* bodyMarkdown({ verb }: Step, blocks: readonly EntryBlock[], writing: Writing): Generator<string> {
	const [command, ...rest] = blocks;
	if (command?.type !== "command") {
		for (const block of blocks) yield* blockMarkdown(block, writing);
		return;
	}
	const input = command.text === "" ? "" : `${writing.kind === "command" ? "$" : verb} ${command.text}`;
	const outputs = rest.filter((block) => block.type === "output");
	yield* fenced("console", input, ...outputs.map(({ text }) => text));
	for (const block of rest) if (block.type !== "output") yield* blockMarkdown(block, writing);
}

/** Lines of a change that are read without being unfolded. */
const FEW_LINES = 20;

function isLong({ text }: FileEdit): boolean {
	return text.split("\n", FEW_LINES + 1).length > FEW_LINES;
}

function* changeMarkdown(edit: FileEdit): Generator<string> {
	if (edit.of === "file") return yield* fenced(languageOfPath(edit.path) ?? "", edit.text);
	yield* fenced("diff", diffText(edit));
}

/** A change as a diff: as pi wrote it, else its lines with their signs. */
export function diffText({ of, text, lines }: FileEdit): string {
	if (of === "diff") return text;
	return Array.from(lines(undefined), (line) => `${SIGNS[line.kind]}${line.text}`).join("\n");
}

const SIGNS = { same: " ", removed: "-", added: "+", gap: "", note: "" } as const;
