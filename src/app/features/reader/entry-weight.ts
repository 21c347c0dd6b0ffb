import { type Fields, fieldsOf, textOf } from "../../../conversation/entries/fields.ts";
import { HeldMessage } from "../../../store/held/held-message.ts";
import type { Session } from "../../../store/read/read-session.ts";

/** What every entry takes, in characters: its row and the blank one below. */
const LEAST = 80;
/** The most of a thought or an output that counts: unless somebody unfolds it, only its ends are shown. */
const MOST_OF_FOLDED = 1500;
/** The most of the line of a held message that counts, in bytes. */
const MOST_OF_HELD_PROMPT = 4000;
const MOST_OF_HELD_ANSWER = 16_000;
/** Bytes of a line besides its content. */
const AROUND: Readonly<Record<HeldMessage["facts"]["role"], number>> = { user: 230, assistant: 600, toolResult: 300 };
/** Blocks of one message that are looked at. */
const MOST_BLOCKS = 500;

const FOLDED_ROLES: ReadonlySet<unknown> = new Set(["toolResult", "bashExecution"]);

/**
 * About how much there is to read in the entry at this index of a session, in characters. All positions in the conversation
 * stand on this: it must be cheap, always the same for an entry, and never 0; it need not be exact.
 */
export function entryWeight({ entries }: Session, index: number): number {
	const entry = entries[index];
	if (entry instanceof HeldMessage) return heldWeight(entry);
	const fields = fieldsOf(entry);
	const message = fieldsOf(fields.message);
	const said =
		contentWeight(message.content) +
		contentWeight(fields.content) +
		textOf(fields.summary).length +
		textOf(message.output).length +
		textOf(fieldsOf(message.details).diff).length;
	return LEAST + (FOLDED_ROLES.has(message.role) ? Math.min(said, MOST_OF_FOLDED) : said);
}

/**
 * By the bytes of its line, without parsing it. They hold more than is read: calls, signatures, usage, and a prompt of many
 * bytes is mostly an image.
 */
function heldWeight({ size, facts: { role, says } }: HeldMessage): number {
	const isFolded = role === "toolResult" || (role === "assistant" && !says);
	const most = isFolded ? MOST_OF_FOLDED : role === "user" ? MOST_OF_HELD_PROMPT : MOST_OF_HELD_ANSWER;
	return LEAST + Math.max(0, Math.min(size - AROUND[role], most));
}

function contentWeight(content: unknown): number {
	if (typeof content === "string") return content.length;
	if (!Array.isArray(content)) return 0;
	let weight = 0;
	for (let index = 0; index < Math.min(content.length, MOST_BLOCKS); index++)
		weight += blockWeight(fieldsOf(content[index]));
	return weight;
}

function blockWeight({ text, thinking }: Fields): number {
	return textOf(text).length + Math.min(textOf(thinking).length, MOST_OF_FOLDED);
}
