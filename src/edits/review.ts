import type { Comment } from "../catalog/model/marks.ts";
import { fenced, inlineCode, paragraphs, quotation } from "../conversation/markdown/markdown-parts.ts";
import { eachLine } from "../conversation/render/diff-lines.ts";
import { messageOf } from "../shared/attempt.ts";
import { readTextFileAsync } from "../store/files/open-file.ts";
import { nameFrom } from "../store/files/paths.ts";
import { errorCode } from "../store/files/store-error.ts";
import type { Session } from "../store/read/read-session.ts";
import { formatCount, formatCounted } from "../ui/text/format.ts";
import { quote } from "../ui/text/width.ts";
import { editTurn } from "./edit-turns.ts";

/** A comment with its line, where that is now. */
export interface PlacedComment {
	readonly comment: Comment;
	/** The number of the line in its file now, from 1; undefined for none. */
	readonly number: number | undefined;
	/** What became of the line since: "was line 40", "the line is gone"; "" for nothing. */
	readonly change: string;
	/** The line with those around it, and its index among them. `first`: the number of the first one. */
	readonly excerpt: { readonly lines: readonly string[]; readonly index: number; readonly first: number | undefined };
}

/** Lines before and after a line that are shown with it. */
const AROUND = 2;

/** The line at an index with those around it. */
export function excerptOf(lines: readonly string[], at: number): { readonly lines: readonly string[]; index: number } {
	const from = Math.max(0, at - AROUND);
	return { lines: lines.slice(from, at + AROUND + 1), index: at - from };
}

/** Finds the lines in the files as they are now. `isRemote`: the files are on another machine. */
export async function placeComments(
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
	const { line, lines, index, kind } = comment;
	const excerpt = { lines, index, first: line === undefined ? undefined : line - index };
	if (kind === "removed") return { comment, number: undefined, change: "removed", excerpt };
	if (text === undefined) return { comment, number: line, change: "", excerpt };
	if (typeof text === "string") return { comment, number: undefined, change: text, excerpt };
	const at = indexOfLine(comment, text);
	if (at === undefined) return { comment, number: undefined, change: "the line is gone", excerpt };
	const change = at + 1 === line || line === undefined ? "" : `was line ${formatCount(line)}`;
	const around = excerptOf(text, at);
	return { comment, number: at + 1, change, excerpt: { ...around, first: at + 1 - around.index } };
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

/** "src/auth.ts:42"; "" for a line of the conversation. */
export function placeName({ path, line = 0 }: Comment, cwd: string, number = line): string {
	return path === undefined ? "" : `${nameFrom(path, cwd)}:${number}`;
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
	for (const [at, { comment, number, change, excerpt }] of all.entries()) {
		const { path, line = 0, kind, entry, text } = comment;
		const { turn, prompt } = editTurn(session, entry);
		const isOwn = session.tree.byId.has(entry) && (path === undefined || kind !== "same");
		const wrote = isOwn && turn > 0 ? [`turn ${formatCount(turn)} ${quote(prompt)}`] : [];
		const facts = [...(change === "" ? [] : [change]), ...wrote];
		const name =
			path === undefined ? "What was said" : `${inlineCode(nameFrom(path, cwd))}, line ${formatCount(number ?? line)}`;
		yield `## ${at + 1}. ${name}${facts.length === 0 ? "" : ` (${facts.join("; ")})`}\n\n`;
		if (path === undefined) yield* quotation(excerpt.lines[excerpt.index] ?? "");
		else yield* fenced("", excerptLines({ comment, number, change, excerpt }).join("\n"));
		yield* paragraphs(text);
	}
}

/** The lines of an excerpt with their numbers; the one that is meant begins with ">", or "-" if it was removed. */
export function excerptLines({ comment: { kind }, excerpt }: PlacedComment): readonly string[] {
	const { lines, index, first } = excerpt;
	const width = String((first ?? 0) + lines.length).length;
	return lines.map((line, at) => {
		const sign = at !== index ? " " : kind === "removed" ? "-" : ">";
		return `${sign} ${first === undefined ? "" : `${String(first + at).padStart(width)}  `}${line}`;
	});
}
