import { fieldsOf, textOf } from "../../store/format/fields.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { entryKind, stopMark } from "../entries/entry-kind.ts";
import type { Place } from "../entries/place.ts";
import { describeRow } from "../entries/row.ts";
import { contentHead, joinWords } from "../entries/row-text.ts";
import { addEntry, emptySum, type Sum } from "../entries/turn-sum.ts";
import type { Branch } from "./branch.ts";

/** UTF-16 units of a prompt that a filter looks in. */
const FILTERED_UNITS = 200;

/** What a branch is made from while its entries are walked. */
export interface Draft {
	kind: Branch["kind"];
	readonly path: SessionEntry[];
	readonly parent: number | undefined;
	readonly forkAt: number;
	readonly before: string | undefined;
	readonly sum: Sum;
	entries: number;
	firstPrompt: string | undefined;
	lastPrompt: string | undefined;
	/** All prompts, in lower case. */
	prompts: string;
	lastWords: string;
	label: string | undefined;
}

export function newDraft(start: Pick<Branch, "parent" | "forkAt" | "before">, kind: Branch["kind"]): Draft {
	const { parent, forkAt, before } = start;
	return {
		...{ kind, parent, forkAt, before, path: [], sum: emptySum(), entries: 0 },
		...{ firstPrompt: undefined, lastPrompt: undefined, prompts: "", lastWords: "", label: undefined },
	};
}

/** A branch to which more is added; it stays as it is. */
export function reopen({ path, sum, ...branch }: Branch): Draft {
	return { ...branch, path: path.slice(), sum: { ...sum, files: new Map(sum.files) } };
}

export function addToPath(draft: Draft, entry: SessionEntry, session: Session, place: Place): void {
	draft.path.push(entry);
	draft.entries += 1;
	addEntry(draft.sum, entry, session, place);
	draft.label = session.tree.labels.get(entry.id)?.text ?? draft.label;
	const kind = entryKind(entry);
	if (kind === "answer") draft.lastWords = lastWordsOf(entry) || draft.lastWords;
	if (kind !== "prompt") return;
	const { text } = describeRow(entry, session, place);
	if (draft.firstPrompt === undefined) draft.firstPrompt = text;
	else draft.lastPrompt = text;
	draft.prompts += `\n${text.slice(0, FILTERED_UNITS).toLowerCase()}`;
}

export function finishDraft(draft: Draft): Branch {
	const { label, lastWords, firstPrompt, before, prompts } = draft;
	const name = firstPrompt ?? (before === undefined ? "(no prompt)" : `again: ${before}`);
	const words = [label ?? "", name, lastWords].join("\n").toLowerCase() + prompts;
	return { ...draft, id: draft.path.at(-1)?.id ?? "", name, words };
}

/** UTF-16 units at the end of an answer in which its last words are looked for. */
const LOOKED_AT = 600;
/** A last line that is no longer than this is taken whole, else only its last sentence. */
const SHORT = 60;
/** Blocks of an answer that are looked at, from its end. */
const BLOCKS = 50;
/** What Markdown puts around a line. */
const MARKS = /^(?:[\s>#*+_`-]|\d+[.)]\s)+|[\s*_`]+$/g;

/** How a branch ended, by its last answer: that it was cut off or failed, and its last sentence. Not yet cleaned. */
export function lastWordsOf(answer: SessionEntry): string {
	const message = fieldsOf(fieldsOf(answer).message);
	const stop = stopMark(message);
	const failure = stop?.tone === "error" ? textOf(message.errorMessage).slice(0, LOOKED_AT) : "";
	return joinWords(stop === undefined ? "" : `${stop.short}:`, failure || lastSentence(endOf(message.content))).replace(
		/:$/,
		"",
	);
}

/** The end of the last text in a message's content. */
function endOf(content: unknown): string {
	if (!Array.isArray(content)) return tailOf(textOf(content));
	for (const block of content.slice(-BLOCKS).toReversed()) {
		const { type, text } = fieldsOf(block);
		if (type === "text" && /\S/.test(textOf(text).slice(-LOOKED_AT))) return tailOf(textOf(text));
	}
	return contentHead(content);
}

/** The end of a text; if it is cut, from the beginning of a word, behind "…". */
function tailOf(text: string): string {
	if (text.length <= LOOKED_AT) return text;
	const tail = text.slice(-LOOKED_AT - 1);
	return `…${tail.slice(tail.search(/\s/) + 1)}`;
}

function lastSentence(text: string): string {
	const lines = text.split("\n").map((line) => line.replace(MARKS, ""));
	const line = lines.findLast((each) => /[\p{L}\p{N}]/u.test(each)) ?? "";
	if (line.length <= SHORT) return line;
	return line.split(/(?<=[.!?;。！？])\s+/u).findLast((sentence) => /[\p{L}\p{N}]/u.test(sentence)) ?? line;
}
