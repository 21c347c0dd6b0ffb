import type { Session } from "../../store/read/read-session.ts";
import { type Fields, fieldsOf, textOf } from "../conversation/fields.ts";

/** What every entry takes, in characters: its row and the blank one below. */
const LEAST = 80;
/** The most of a thought or an output that counts: unless somebody unfolds it, only its ends are shown. */
const MOST_OF_FOLDED = 1500;
/** Blocks of one message that are looked at. */
const MOST_BLOCKS = 500;

const FOLDED_ROLES: ReadonlySet<unknown> = new Set(["toolResult", "bashExecution"]);

/**
 * About how much there is to read in the entry at this index of a session, in characters. All positions in the conversation
 * stand on this: it must be cheap, always the same for an entry, and never 0; it need not be exact.
 */
export function entryWeight({ entries }: Session, index: number): number {
	const fields = fieldsOf(entries[index]);
	const message = fieldsOf(fields.message);
	const said =
		contentWeight(message.content) +
		contentWeight(fields.content) +
		textOf(fields.summary).length +
		textOf(message.output).length +
		textOf(fieldsOf(message.details).diff).length;
	return LEAST + (FOLDED_ROLES.has(message.role) ? Math.min(said, MOST_OF_FOLDED) : said);
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
