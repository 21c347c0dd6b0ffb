import { type Comment, commentedTexts } from "../catalog/model/marks.ts";
import { fenced, inlineCode, paragraphs, quotation } from "../conversation/markdown/markdown-parts.ts";
import { eachLine } from "../conversation/render/diff-lines.ts";
import { messageOf } from "../shared/attempt.ts";
import { nameFrom } from "../shared/paths.ts";
import { readTextFileAsync } from "../store/files/open-file.ts";
import { errorCode } from "../store/files/store-error.ts";
import type { Session } from "../store/read/read-session.ts";
import { formatCount, formatCounted, withoutMiddle } from "../ui/text/format.ts";
import { quote } from "../ui/text/width.ts";
import { type CarriedLines, type CarryOptions, carryComments } from "./carry-comments.ts";
import { editTurn } from "./edit-turns.ts";
import { mayHaveChanged } from "./files-at.ts";
import { nameOf } from "./known.ts";

/** A comment with its lines, where these are now. */
export interface PlacedComment {
	readonly comment: Comment;
	/** The absolute path of their file now; undefined for the conversation. */
	readonly path: string | undefined;
	/** The number of the first one in its file now, from 1; undefined for none. */
	readonly line: number | undefined;
	/** Number of lines from there to the last one. */
	readonly count: number;
	/** What became of them since: "was line 40", "the line is gone"; "" for nothing. */
	readonly change: string;
	readonly excerpt: Excerpt;
}

/** The lines with those around them. */
interface Excerpt {
	readonly lines: readonly string[];
	/** The index of the first one that is meant. */
	readonly index: number;
	/** The number of the first line. */
	readonly first: number | undefined;
	/** The lines that are meant as they were, if they were changed since. */
	readonly old?: readonly string[];
}

/** Lines before and after a line that are shown with it. */
const AROUND = 2;

/** Lines from an index on with those around them. */
export function excerptOf(
	lines: readonly string[],
	at: number,
	count: number,
): { readonly lines: readonly string[]; index: number } {
	const from = Math.max(0, at - AROUND);
	return { lines: lines.slice(from, at + count + AROUND), index: at - from };
}

interface ReviewOptions extends CarryOptions {
	/** Whether the files are on another machine. */
	readonly isRemote: boolean;
}

/** Finds the lines in the files as they are now: through the ledger, else by their text. By the keys of the comments. */
export async function placeComments(
	comments: readonly Comment[],
	session: Session,
	{ isRemote, ...options }: ReviewOptions,
): Promise<ReadonlyMap<string, PlacedComment>> {
	const places = new Map(await placeByText(comments, isRemote));
	const followed = isRemote ? [] : comments.filter(({ path, kind }) => path !== undefined && kind !== "removed");
	if (followed.length === 0) return places;
	const cwd = session.header?.cwd ?? "";
	for (const [comment, carried] of await carryComments(followed, session, options))
		places.set(comment.key, placeCarried(comment, carried, cwd));
	return places;
}

/** The same by their text alone, which takes less time. */
export async function placeByText(
	comments: readonly Comment[],
	isRemote: boolean,
): Promise<ReadonlyMap<string, PlacedComment>> {
	const places = new Map<string, PlacedComment>();
	for (const [path, ofFile] of Map.groupBy(comments, (comment) => comment.path)) {
		const text = path === undefined || isRemote ? undefined : await readLines(path);
		for (const comment of ofFile) places.set(comment.key, placeIn(comment, text));
	}
	return places;
}

async function readLines(path: string): Promise<readonly string[] | string> {
	try {
		return [...eachLine(await readTextFileAsync(path))];
	} catch (error) {
		return errorCode(error) === "ENOENT" ? "the file is gone" : messageOf(error);
	}
}

/** `text`: the lines of the file, or why they are not known. */
function placeIn(comment: Comment, text: readonly string[] | string | undefined): PlacedComment {
	const { line, kind } = comment;
	if (kind === "removed") return notThere(comment, "removed");
	if (text === undefined) return { ...notThere(comment, ""), line };
	if (typeof text === "string") return notThere(comment, text);
	const indices = indicesOfLines(comment, text);
	return indices.length === 0
		? notThere(comment, goneWords(comment))
		: placeAt(comment, { path: comment.path, text, indices }, []);
}

function placeCarried(comment: Comment, { path, text, indices, event }: CarriedLines, cwd: string): PlacedComment {
	const by = event !== undefined && (mayHaveChanged(event) || event.what.kind === "head") ? nameOf(event) : "";
	const since = by === "" ? "" : ` since ${by}`;
	if (text === undefined) return { ...notThere(comment, `the file is gone${since}`), path };
	if (indices.length === 0) return { ...notThere(comment, `${goneWords(comment)}${since}`), path };
	const changes = [
		...(path === comment.path ? [] : [`was in ${nameFrom(comment.path ?? "", cwd)}`]),
		...(event === undefined ? [] : [by === "" ? "changed since" : `changed since by ${by}`]),
	];
	const place = placeAt(comment, { path, text, indices }, changes);
	if (event === undefined) return place;
	return { ...place, excerpt: { ...place.excerpt, old: commentedTexts(comment) } };
}

function goneWords({ count = 1 }: Comment): string {
	return count === 1 ? "the line is gone" : "the lines are gone";
}

function notThere(comment: Comment, change: string): PlacedComment {
	const { path, line, lines, index, count = 1 } = comment;
	const excerpt = { lines, index, first: line === undefined ? undefined : line - index };
	return { comment, path, line: undefined, count, change, excerpt };
}

/** `indices`: at least one. */
function placeAt(
	comment: Comment,
	{ path, text, indices }: Pick<PlacedComment, "path"> & Pick<CarriedLines, "indices"> & { text: readonly string[] },
	changes: readonly string[],
): PlacedComment {
	const [at, last] = [indices[0] ?? 0, indices.at(-1) ?? 0];
	const count = last - at + 1;
	const was = comment.line === undefined || comment.line === at + 1 ? [] : [`was ${lineWords(comment)}`];
	const around = excerptOf(text, at, count);
	const excerpt = { ...around, first: at + 1 - around.index };
	return { comment, path, line: at + 1, count, change: [...was, ...changes].join("; "), excerpt };
}

/** "line 40", "lines 40–42". */
function lineWords({ line = 0, count = 1 }: Pick<Comment, "line" | "count">): string {
	return count === 1 ? `line ${formatCount(line)}` : `lines ${formatCount(line)}–${formatCount(line + count - 1)}`;
}

/** The indices of commented lines among others, from the first one on that is found. `numberAt`: the number of the line at an index. */
export function indicesOfLines(
	comment: Comment,
	text: readonly string[],
	numberAt?: (at: number) => number,
): readonly number[] {
	const { line = 1, index } = comment;
	const meant = commentedTexts(comment);
	for (const offset of meant.keys()) {
		const at = indexOfLine({ ...comment, line: line + offset, index: index + offset }, text, numberAt);
		if (at === undefined) continue;
		return meant.flatMap((one, other) => (text[at + other - offset] === one ? [at + other - offset] : []));
	}
	return [];
}

/**
 * The index of a commented line among others: of those with its text the one with most of the same lines around it, then the nearest. Of a
 * line that may be anywhere, such as a bracket, one of these must be the same, too. `numberAt`: the number of the line at an index.
 */
export function indexOfLine(
	{ line = 1, lines, index }: Comment,
	text: readonly string[],
	numberAt: (at: number) => number = (at) => at + 1,
): number | undefined {
	const sought = lines[index] ?? "";
	const isTrivial = !/[\p{L}\p{N}]/u.test(sought);
	const places = text.flatMap((one, at) => {
		if (one !== sought) return [];
		const same = lines.filter((other, offset) => offset !== index && text[at + offset - index] === other).length;
		return isTrivial && same === 0 && lines.length > 1 ? [] : [{ at, same, distance: Math.abs(numberAt(at) - line) }];
	});
	return places.sort((one, other) => other.same - one.same || one.distance - other.distance)[0]?.at;
}

/** "src/auth.ts:42", "src/auth.ts:42-44"; "" for lines of the conversation. */
export function placeName(
	{ path, line = 0, count = 1 }: Pick<Comment, "path" | "line" | "count">,
	cwd: string,
): string {
	const last = count === 1 ? "" : `-${line + count - 1}`;
	return path === undefined ? "" : `${nameFrom(path, cwd)}:${line}${last}`;
}

/** Comments as one prompt, in Markdown. `words`: what the person says first. */
export function* reviewPrompt(placed: Iterable<PlacedComment>, session: Session, words = ""): Generator<string> {
	const all = [...placed];
	const cwd = session.header?.cwd ?? "";
	// What begins a prompt of pi otherwise may be an option, a command or a file.
	yield "# Review\n\n";
	yield* paragraphs(words);
	const isOfFiles = all.some(({ comment }) => comment.path !== undefined);
	const where = isOfFiles ? ` Lines have the numbers that they have now; paths are from ${inlineCode(cwd)}.` : "";
	yield `${formatCounted(all.length, "comment")}.${where}\n\n`;
	for (const [at, place] of all.entries()) {
		const { comment, path, change } = place;
		const { kind, entry, text } = comment;
		const { turn, prompt } = editTurn(session, entry);
		const isOwn = session.tree.byId.has(entry) && (path === undefined || kind !== "same");
		const wrote = isOwn && turn > 0 ? [`turn ${formatCount(turn)} ${quote(prompt)}`] : [];
		const facts = [...(change === "" ? [] : [change]), ...wrote];
		const lines = lineWords(place.line === undefined ? comment : place);
		const name = path === undefined ? "What was said" : `${inlineCode(nameFrom(path, cwd))}, ${lines}`;
		yield `## ${at + 1}. ${name}${facts.length === 0 ? "" : ` (${facts.join("; ")})`}\n\n`;
		if (path === undefined) yield* quotation(commentedTexts(comment).join("\n"));
		else yield* fenced("", excerptLines(place).join("\n"));
		yield* paragraphs(text);
	}
}

/** Lines of a comment that are printed; of more, the first and the last. */
const MOST_LINES = 20;

/** The lines of an excerpt with their numbers: those that are meant begin with ">", or "-" if they are not there any more. */
export function excerptLines({ comment: { kind }, count, excerpt }: PlacedComment): readonly string[] {
	const { lines, index, first, old = [] } = excerpt;
	const width = String((first ?? 0) + lines.length).length;
	const textOf = (sign: string, line: string, number = ""): string =>
		`${sign} ${first === undefined ? "" : `${number.padStart(width)}  `}${line}`;
	const rows = lines.map((line, at) => {
		const isMeant = at >= index && at < index + count;
		return textOf(!isMeant ? " " : kind === "removed" ? "-" : ">", line, String((first ?? 0) + at));
	});
	const cut = (all: readonly string[]): readonly string[] => withoutMiddle(all, MOST_LINES, (words) => `  ${words}`);
	return [
		...rows.slice(0, index),
		...cut(old.map((line) => textOf("-", line))),
		...cut(rows.slice(index, index + count)),
		...rows.slice(index + count),
	];
}
