import { visible } from "../../catalog/query/hidden.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { passagesOf } from "../entries/passages.ts";
import { type Place, placeOf, shortPath } from "../entries/place.ts";
import { shortTitle } from "../entries/session-title.ts";
import { addEntry, emptySum, type Sum, sumParts } from "../entries/turn-sum.ts";
import { conversationMarkdown, entryMarkdown } from "./markdown.ts";
import { plainLine, withoutControls } from "./plain-text.ts";

/** A part of a session to be opened in an editor, saved or copied. */
export interface Excerpt {
	/** The entry, its turn, or the whole path through it, from the first prompt to the end. */
	readonly of: "entry" | "turn" | "branch";
	readonly session: Session;
	readonly entryId: string;
	readonly title: string;
}

/** An image of an entry to be opened in a viewer or saved. */
export interface ImageExcerpt extends Omit<Excerpt, "of"> {
	readonly of: "image";
	readonly base64: string;
}

export function excerptEntries({
	of,
	session,
	entryId,
}: Pick<Excerpt, "of" | "session" | "entryId">): readonly SessionEntry[] {
	const entry = session.tree.byId.get(entryId);
	if (entry === undefined) return [];
	if (of === "entry") return [entry];
	return [...passagesOf(session, { of, entryId })].flatMap(({ path, from, to }) => path.slice(from, to));
}

/** An excerpt as Markdown without control characters, in pieces, some of which are empty: the text may have any length. */
export function* excerptMarkdown(excerpt: Excerpt, home: string): Generator<string> {
	for (const piece of markdownPieces(excerpt, home)) yield withoutControls(piece);
}

function* markdownPieces(excerpt: Excerpt, home: string): Generator<string> {
	const { of, session, title } = excerpt;
	const place = placeOf(session, home);
	const entries = excerptEntries(excerpt);
	const [only] = entries;
	if (of === "entry") {
		if (only !== undefined) yield* entryMarkdown(only, session, place);
		return;
	}
	if (of === "branch") yield* headMarkdown(title, entries, session, place);
	yield* conversationMarkdown(entries, session, place);
}

/** The title of a session, and below it the sums over the entries, in pieces. */
export function* headMarkdown(
	title: string,
	entries: readonly SessionEntry[],
	session: Session,
	place: Place,
): Generator<string> {
	const sum = emptySum();
	for (const entry of entries) {
		addEntry(sum, entry, session, place);
		yield "";
	}
	yield headWithSum(title, sum, place);
}

/** The same for sums that are known already. */
export function headWithSum(title: string, sum: Sum, { cwd, home }: Place): string {
	const facts = [shortPath(cwd, { cwd: "", home }), ...sumParts(sum)].filter((part) => part !== "");
	return `# ${shortTitle(plainLine(title))}\n\n${plainLine(facts.join(" · "))}\n\n`;
}

/** Characters of a file name, without its extension. */
const MAX_NAME = 60;

/** Names of devices on Windows, with any extension: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])$/;

/** A file name for an excerpt, without extension, from the letters and digits of the title: "refactor-the-import-parser". */
export function excerptName({ of, title, entryId }: Pick<Excerpt | ImageExcerpt, "of" | "title" | "entryId">): string {
	const words =
		visible(title)
			.slice(0, 1000)
			.toLowerCase()
			.normalize("NFC")
			.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	let name = words[0]?.slice(0, MAX_NAME) ?? "session";
	for (const word of words.slice(1)) {
		if (name.length + 1 + word.length > MAX_NAME) break;
		name += `-${word}`;
	}
	if (DEVICE.test(name)) name = `session-${name}`;
	return of === "branch" ? name : `${name}-${of}-${entryId.replace(/[^A-Za-z0-9]/g, "").slice(0, 8)}`;
}
