import { memoEach } from "../../shared/memo.ts";
import { blocksIn, type Fields, fieldsOf, textOf } from "../../store/format/fields.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { formatDayTime, formatDuration, formatSize } from "../../ui/text/format.ts";
import { type Line, span, type Tone } from "../../ui/text/line.ts";
import { sanitizeLine, startOf } from "../../ui/text/sanitize.ts";
import { cutLine } from "../../ui/text/width.ts";
import { type BlockOf, type EntryBlock, messageFields } from "../blocks/block.ts";
import { answerSpeaker, entryBlocks } from "../blocks/entry-blocks.ts";
import { type EntryKind, entryKind, stopMark } from "../entries/entry-kind.ts";
import { outlineOf } from "../entries/outline.ts";
import { type Preamble, preambleIn } from "../entries/preamble.ts";
import { rowText } from "../entries/row-text.ts";
import { type Step, stepOf } from "../entries/step.ts";
import { systemText } from "../entries/system-text.ts";
import { callOf } from "../entries/tool-call.ts";
import { sumOf, tokenWords } from "../entries/turn-sum.ts";
import { priceWords } from "../entries/usage-words.ts";
import { damageBlocks, runBlocks, turnWords } from "./below-blocks.ts";
import { foldKey, isOpen, type ReaderContext } from "./context.ts";
import { inGutter, marginOf, signedParts, withFacts, withMargin } from "./facts.ts";
import { foldedParts, unfoldedParts } from "./folded.ts";
import { codeParts, FIRST_LINE, imageParts, markdownParts, rowPart, textParts } from "./parts.ts";
import { BLANK, type Block, FAILED, FOLDED, NO_ROWS, type Part, UNFOLDED } from "./piece.ts";
import { promptBlock } from "./prompt-block.ts";
import { changeParts, commandBlock, fileParts, outputParts, stepTitle } from "./step-parts.ts";

/** All of an entry, and what is known at its place in the conversation; made one after the other, as they are taken. */
export function* readerBlocks(index: number, context: ReaderContext): Generator<Block> {
	const entry = context.path[index];
	if (entry === undefined) return;
	for (const block of entryRows(entry, index, context)) yield inGutter(block);
}

function* entryRows(entry: SessionEntry, index: number, context: ReaderContext): Generator<Block> {
	if (isFirstOfRun(index, context)) yield dividerBlock("its own task", "summary");
	const blocks = withFacts(ownBlocks(entry, context), entry, context);
	const spacedBlocks = isAmongRows(index, context)
		? blocks.map((block) => (block === BLANK ? NO_ROWS : { ...block, gap: false }))
		: blocks;
	yield* context.options.page ? withMargin(spacedBlocks, marginOf(index, context)) : spacedBlocks;
	// A result has them below its title.
	if (entryKind(entry) !== "result") yield* runBlocks(entry, context);
	yield detailsBlock(entry, index, context);
	yield* damageBlocks(entry, context);
}

/** Whether what stands before an entry was copied from the session that asked for this run. */
function isFirstOfRun(index: number, { path, forkedMs }: ReaderContext): boolean {
	if (forkedMs === undefined || index === 0) return false;
	const isCopied = (at: number): boolean => timeOf(path[at]?.timestamp) < forkedMs;
	return isCopied(index - 1) && !isCopied(index);
}

const NOTES: ReadonlySet<EntryKind> = new Set<EntryKind>(["model", "thinking-level", "label", "name", "usage"]);

/** Entries without rows of their own, such as calls, that may stand between two entries of one row. */
const MOST_BETWEEN = 4;

/** Whether an entry is one row, and the next one that is shown as well, so that no blank row is between them. */
function isAmongRows(index: number, context: ReaderContext): boolean {
	const [entry, next] = [context.path[index], context.path[index + 1]];
	if (entry === undefined || next === undefined) return false;
	if (NOTES.has(entryKind(entry))) return NOTES.has(entryKind(next));
	if (!isFoldedRead(entry, context)) return false;
	const later = context.path.slice(index + 1, index + 1 + MOST_BETWEEN);
	const isShown = (one: SessionEntry): boolean =>
		entryKind(one) !== "calls" || ownBlocks(one, context).some(({ parts }) => parts.length > 0);
	const nextEntry = later.find(isShown);
	return nextEntry !== undefined && isFoldedRead(nextEntry, context);
}

function isFoldedRead(entry: SessionEntry, context: ReaderContext): boolean {
	const step = stepOf(entry, context.session, context.place);
	return step !== undefined && isRead(step) && !isOpen(context, foldKey(entry, READ), context.options.toolsOpen);
}

/** The name of what folds where a file was read. */
const READ = "read";

/** Whether a step has read a file: one row, since nothing of that is of interest unless it is looked for. */
function isRead({ name, end }: Step): boolean {
	return name === "read" && end === "ok";
}

function* ownBlocks(entry: SessionEntry, context: ReaderContext): Generator<Block> {
	if (isLabelSeen(entry, context)) return;
	const preamble = preambleOf(context.path);
	if (preamble?.ids.has(entry.id) && entryKind(entry) !== "system") return yield choiceBlock(preamble, entry, context);
	for (const block of entryBlocks(entry, context)) yield* drawBlock(block, entry, context);
}

/** Whether copying an entry takes what this block of it says. */
function isCopiedBlock(block: EntryBlock, entry: SessionEntry): boolean {
	switch (block.type) {
		case "prose":
		case "text":
		case "output":
		case "change":
			return entryKind(entry) !== "command";
		case "code":
			return block.name !== "code";
		case "system":
			return block.isEntry;
		default:
			return false;
	}
}

function* drawBlock(
	block: EntryBlock,
	entry: SessionEntry,
	context: ReaderContext,
	inside?: "step" | "system",
): Generator<Block> {
	const isCopied = isCopiedBlock(block, entry);
	for (const drawn of drawnBlocks(block, entry, context, inside)) yield isCopied ? { ...drawn, isCopied } : drawn;
}

/** Whether an entry only sets a label that stands beside another entry of this conversation. */
function isLabelSeen(entry: SessionEntry, { session, path, options }: ReaderContext): boolean {
	if (entry.type !== "label") return false;
	const { targetId, label, timestamp } = fieldsOf(entry);
	const target = textOf(targetId);
	const present = session.tree.labels.get(target);
	if (present === undefined || present.text !== label || present.timestamp !== timestamp) return false;
	const labeled = path[outlineOf(session).level(target)];
	// In a pane, calls without an answer have no row with facts.
	return labeled?.id === target && (options.page || entryKind(labeled) !== "calls");
}

/** `inside`: the group whose blocks stand close together. */
function* drawnBlocks(
	block: EntryBlock,
	entry: SessionEntry,
	context: ReaderContext,
	inside?: "step" | "system",
): Generator<Block> {
	const gap = inside === undefined;
	const folded = (name: string, parts: (text: string) => readonly Part[], text: string): Block => ({
		parts: foldedParts(text, foldKey(entry, name), parts, context),
		gap,
	});
	switch (block.type) {
		case "speaker":
			if (block.of === "message") yield dividerBlock(block.name || "custom", "summary");
			else if (block.of === "answer" && saysNothing(entry))
				yield { parts: textParts("(empty)", { tone: "muted" }), gap: true };
			return;
		case "divider":
			yield { ...dividerBlock(block.text, block.tone), gap: block.below === undefined };
			for (const below of block.below ?? []) yield* drawBlock(below, entry, context);
			return;
		case "prose":
			return yield block.of === "prompt" ? promptBlock(block.text) : { parts: markdownParts(block.text), gap };
		case "text":
			return yield { parts: textParts(block.text), gap };
		case "thought":
			return yield thoughtBlock(block, entry, context);
		case "stop": {
			const text = `${block.text}${block.error === "" ? "" : `: ${block.error}`}`;
			const sign = block.tone === "error" ? FAILED : undefined;
			return yield { parts: textParts(text, { tone: block.tone, bold: true }), sign, gap };
		}
		case "note":
			return yield { parts: textParts(block.text, { tone: block.tone, sign: inside === "system" ? "  " : "" }), gap };
		case "image":
			return yield { parts: imageParts(block.image), gap };
		case "json":
			if (block.title === "") return yield folded("json", jsonParts, block.text);
			return yield { parts: [...textParts(block.title, { tone: "verb" }), ...jsonParts(block.text)], gap };
		case "fold":
			return yield { ...foldBlock(block, entry, context), gap };
		case "system":
			if (block.isEntry) return yield systemBlock(block, entry, context);
			for (const below of block.blocks) yield* drawBlock(below, entry, context, "system");
			return yield BLANK;
		case "step":
			return yield* drawStep(block, entry, context);
		case "command":
			return;
		case "lines":
			return yield folded(block.name, (text) => textParts(text, { tone: "muted" }), block.text);
		case "change": {
			const parts = changeParts(block.edit, foldKey(entry, block.name), context);
			return yield { parts: parts.map((part) => ({ ...part, isWide: true })), gap };
		}
		case "code":
			if (block.name !== "code") return yield { parts: readParts(block, entry, context), gap };
			return yield folded(block.name, (text) => codeParts(text, block.language), block.text);
		case "output":
			return yield { parts: outputParts(block, foldKey(entry, block.name), context), gap };
	}
}

function saysNothing(entry: SessionEntry): boolean {
	const message = messageFields(entry);
	const isBlank = ({ type, text }: Fields): boolean => type === "text" && textOf(text).trim() === "";
	return stopMark(message) === undefined && blocksIn(message.content).every(isBlank);
}

function jsonParts(json: string): readonly Part[] {
	return codeParts(json, "json", "muted");
}

/** A file that was read; folded, only the title of its step is there. */
function readParts({ text, language }: BlockOf<"code">, entry: SessionEntry, context: ReaderContext): readonly Part[] {
	const key = foldKey(entry, READ);
	const { toolsOpen } = context.options;
	if (!isOpen(context, key, toolsOpen)) return [hiddenPart(text, key)];
	const parts = fileParts(text, language, callOf(entry, context.session) ?? { args: {} });
	return toolsOpen ? parts : unfoldedParts(parts, key);
}

/** A step: its title, the command, the runs that it started, and all else. */
function* drawStep({ step, blocks }: BlockOf<"step">, entry: SessionEntry, context: ReaderContext): Generator<Block> {
	const file = isRead(step) ? blocks.find((block) => block.type === "code") : undefined;
	const isFolded = file !== undefined && isFoldedRead(entry, context);
	const isPicture = blocks.some(({ type }) => type === "image");
	const size = file === undefined || isPicture ? "" : formatSize(Buffer.byteLength(file.text));
	const fold = file && { key: foldKey(entry, READ), isFolded, size };
	const [first, ...rest] = blocks;
	const isCommand = first?.type === "command";
	if (isCommand) yield { ...commandBlock(first, step), isCopied: entryKind(entry) === "command" };
	else yield { ...stepTitle(step, fold), isCopied: isFolded };
	if (entryKind(entry) === "result") yield* runBlocks(entry, context);
	// Such as the time after which a command is stopped.
	for (const block of isCommand ? rest : blocks)
		if (isCommand && block.type === "lines" && block.name === "arguments")
			yield { parts: [detailPart(block.text, entry, context)], gap: false };
		else yield* drawBlock(block, entry, context, "step");
	yield BLANK;
}

/** What changes from here on, or was noted; a summary has its sign in the gutter. */
function dividerBlock(text: string, tone: Tone): Block {
	const [, sign, words = ""] = /^(≡ )?(.*)/s.exec(text) ?? [];
	const line: Line = [{ text: sanitizeLine(words), tone }];
	return {
		parts: [{ text, draw: (width) => [{ line: cutLine(line, width) }] }],
		sign: sign === undefined ? undefined : span(sign, tone),
		gap: true,
	};
}

/** What `o` unfolds below an entry: its time and id; of an answer the model, the tokens and the price, of a prompt the sum of its turn. */
function detailsBlock(entry: SessionEntry, index: number, context: ReaderContext): Block {
	const isShown = isOpen(context, foldKey(entry, DETAILS), context.options.withDetails === true);
	return { parts: [detailPart(isShown ? detailWords(entry, index, context) : "", entry, context)], gap: true };
}

const DETAILS = "details";

/** A text that is only there while the details of its entry are. */
function detailPart(text: string, entry: SessionEntry, context: ReaderContext): Part {
	const key = foldKey(entry, DETAILS);
	if (!isOpen(context, key, context.options.withDetails === true)) return hiddenPart(text, key);
	const [part = hiddenPart(text, key)] = textParts(text, { tone: "muted" });
	return { ...part, unfolded: key };
}

function detailWords(entry: SessionEntry, index: number, context: ReaderContext): string {
	const kind = entryKind(entry);
	const words =
		kind === "prompt"
			? turnWords(index, context)
			: kind === "answer" || kind === "calls"
				? answerWords(entry, context)
				: [];
	return [...words, formatDayTime(timeOf(entry.timestamp)), rowText(entry.id)]
		.filter((word) => word !== "")
		.join(" · ");
}

function answerWords(entry: SessionEntry, { session, place }: ReaderContext): readonly string[] {
	const { name, facts, usage } = answerSpeaker(messageFields(entry));
	return [name, ...facts, tokenWords(sumOf([entry], session, place)), priceWords(usage)];
}

/** The first line of what the model thought, or all of it. */
function thoughtBlock(
	{ name, text, durationMs }: BlockOf<"thought">,
	entry: SessionEntry,
	context: ReaderContext,
): Block {
	const key = foldKey(entry, name);
	const head = durationMs === undefined ? "thought" : `thought for ${formatDuration(durationMs)}`;
	if (text.trim() === "")
		return { parts: [rowPart([span(`${head} (withheld by the provider)`, "muted")])], sign: FOLDED, gap: true };
	if (isOpen(context, key, context.options.thinkingOpen)) {
		const title = rowPart([span(head, "muted")], { key });
		return { parts: [title, ...markdownParts(text, { tone: "muted" })], sign: UNFOLDED, gap: true };
	}
	const first = sanitizeLine(startOf(text.trimStart(), FIRST_LINE));
	const line: Line = [span(`${head}: `, "muted"), { text: first, tone: "muted" }];
	return { parts: [rowPart(line, { key, hidden: text })], sign: FOLDED, gap: true };
}

const preambleOf = memoEach((path: ReaderContext["path"]) => preambleIn(path));

/** The choice of a model or a thinking level in the preamble, which is said in its row. */
function choiceBlock(preamble: Preamble, entry: SessionEntry, context: ReaderContext): Block {
	const { owner, hasPrompt, words } = preamble;
	if (entry === owner) return { parts: [{ ...rowPart([span(sanitizeLine(words), "muted")]), text: words }], gap: true };
	if (!hasPrompt) return NO_ROWS;
	const key = foldKey(owner, "system");
	const parts = partsOf(entryBlocks(entry, context), entry, context);
	if (isOpen(context, key, context.options.toolsOpen)) return { parts, gap: true };
	return { parts: parts.map(({ text }) => hiddenPart(text, key)), gap: false };
}

/** What is folded away in a row of another part. */
function hiddenPart(text: string, fold: string): Part {
	return { text, fold, draw: () => [] };
}

function partsOf(blocks: Iterable<EntryBlock>, entry: SessionEntry, context: ReaderContext, inside?: "system"): Part[] {
	return Array.from(blocks, (block) => [...drawBlock(block, entry, context, inside)])
		.flat()
		.flatMap(signedParts);
}

/** A message of the system as one row, with what it says below it when it is open. */
function systemBlock({ message, blocks }: BlockOf<"system">, entry: SessionEntry, context: ReaderContext): Block {
	const preamble = preambleOf(context.path);
	const words = preamble?.owner === entry ? preamble.words : `system · ${systemText(message)}`;
	const key = foldKey(entry, "system");
	const open = isOpen(context, key, context.options.toolsOpen);
	const line: Line = [span(words, "muted")];
	const parts = partsOf(blocks, entry, context, "system");
	const hidden = parts.map(({ text }) => text).join("\n");
	const rows = open ? [rowPart(line, { key }), ...parts] : [rowPart(line, { key, hidden })];
	return { parts: rows, sign: open ? UNFOLDED : FOLDED, gap: true };
}

/** A title in a row, and the text below it when it is open. */
function foldBlock({ name, title, text }: BlockOf<"fold">, entry: SessionEntry, context: ReaderContext): Block {
	const key = foldKey(entry, name);
	const open = isOpen(context, key, context.options.toolsOpen);
	const line: Line = [span(title, "muted")];
	if (!open) return { parts: [rowPart(line, { key, hidden: text() })], sign: FOLDED, gap: false };
	const parts = [{ ...rowPart(line, { key }), text: title }, ...textParts(text(), { sign: "  " })];
	return { parts, sign: UNFOLDED, gap: false };
}
