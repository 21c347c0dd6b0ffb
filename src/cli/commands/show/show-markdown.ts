import { branchName } from "../../../conversation/entries/branch-name.ts";
import type { Passage, PassageScope } from "../../../conversation/entries/passages.ts";
import { type Place, placeOf } from "../../../conversation/entries/place.ts";
import { preambleIn } from "../../../conversation/entries/preamble.ts";
import { titleText } from "../../../conversation/entries/session-title.ts";
import { headMarkdown } from "../../../conversation/markdown/excerpt.ts";
import {
	type EntryMarkdown,
	entriesMarkdown,
	entryMarkdown,
	speakerBefore,
} from "../../../conversation/markdown/markdown.ts";
import { plainLine, withoutControls } from "../../../conversation/markdown/plain-text.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import type { ReadTarget } from "../../find/find-target.ts";
import { jsonText } from "../../print/json.ts";
import { printJsonText, printPieces } from "../../print/output.ts";
import { isOfEntry, Limit, namedEntry, passagesFrom } from "./limit.ts";

/** Prints a conversation as the Markdown that the browser saves; with `--json` as an object with the continuation. */
export async function showMarkdown(read: ReadTarget, scope: PassageScope, args: Arguments): Promise<void> {
	const limit = new Limit(args.maxChars, read.offset);
	const isFull = args.full === true;
	if (args.json) return printPart(read, scope, limit, isFull);
	await printPieces(pieces(read, scope, limit, isFull));
	if (limit.next !== undefined) await printPieces([`\n${limit.notice(read.name)}\n`]);
}

/** The last entry that `showMarkdown` prints, at least in part. */
export function lastInMarkdown(read: ReadTarget, scope: PassageScope, args: Arguments): SessionEntry | undefined {
	let last: SessionEntry | undefined;
	const limit = new Limit(args.maxChars, read.offset);
	for (const { entry } of conversationText(read, scope, limit, args.full === true)) last = entry;
	return last;
}

/** Prints one object, so that nothing in the text can be mistaken for its metadata. */
async function printPart(read: ReadTarget, scope: PassageScope, limit: Limit, isFull: boolean): Promise<void> {
	const { row } = read;
	let text = "";
	for (const { text: piece } of conversationText(read, scope, limit, isFull)) text += piece;
	const { next } = limit;
	const address = next && `${read.name}#${next.entryId}@${next.offset}`;
	const { path, id, cwd, modified } = row;
	const facts = { path, id, title: titleText(row), cwd, modified, text };
	await printJsonText(jsonText({ ...facts, next: next === undefined ? null : { ...next, address } }));
}

function* pieces(read: ReadTarget, scope: PassageScope, limit: Limit, isFull: boolean): Generator<string> {
	const { session, row, offset, home } = read;
	if (offset === undefined && scope.of !== "entry" && scope.of !== "turn") {
		for (const { path, from, to } of passagesFrom(read, scope)) {
			yield* headMarkdown(titleText(row), path.slice(from, to), session, placeOf(session, home));
			break;
		}
	}
	let fence = "";
	let wasSkipping = limit.isSkipping;
	for (const { whole, text } of conversationText(read, scope, limit, isFull)) {
		// The code fence was opened in the skipped text.
		if (wasSkipping && !limit.isSkipping) {
			wasSkipping = false;
			if (fence !== "" && text !== "") yield `${fence}\n`;
		}
		yield text;
		if (limit.next !== undefined) break;
		fence = fence === "" ? openedBy(whole) : whole === `${fence}\n\n` ? "" : fence;
	}
	if (limit.next !== undefined && fence !== "") yield `\n${fence}`;
}

/**
 * The conversation in pieces: each as it would be without a limit (`whole`), and the part that is printed (`text`). `isFull`: with the
 * system prompt that it begins with.
 */
function* conversationText(
	read: ReadTarget,
	scope: PassageScope,
	limit: Limit,
	isFull: boolean,
): Generator<{ readonly entry: SessionEntry; readonly whole: string; readonly text: string }> {
	const { session, home } = read;
	const place = placeOf(session, home);
	for (const passage of passagesFrom(read, scope)) {
		let above = passage.leaves === undefined ? "" : headingOf(passage, session, place);
		for (const { entry: one, heading, isHeaded, pieces } of entriesOf(session, passage, scope, place, isFull)) {
			limit.begin(namedEntry(scope, one.id));
			const head = above + heading;
			if (isHeaded || above !== "") yield { entry: one, whole: head, text: limit.text(head) };
			else if (!isOfEntry(scope)) limit.leaveOut(head);
			above = "";
			for (const piece of pieces()) {
				const whole = withoutControls(piece);
				yield { entry: one, whole, text: limit.text(whole) };
				if (limit.next !== undefined) return;
			}
			if (limit.next !== undefined) return;
		}
	}
}

function* entriesOf(
	session: Session,
	{ path, from, to }: Passage,
	scope: PassageScope,
	place: Place,
	isFull: boolean,
): Generator<EntryMarkdown> {
	const isWhole = scope.of === "active" || scope.of === "all" || scope.of === "branch";
	const preamble = isWhole && from === 0 && !isFull ? preambleIn(path)?.ids : undefined;
	const entries = path.slice(from, to).filter(({ id }) => preamble?.has(id) !== true);
	if (scope.of !== "entry") {
		yield* entriesMarkdown(entries, session, place, speakerBefore(path, from));
		return;
	}
	for (const entry of entries)
		yield { entry, heading: "", isHeaded: false, pieces: () => entryMarkdown(entry, session, place) };
}

/** The fence that a piece of Markdown opens; "" for none. */
function openedBy(piece: string): string {
	return /^(`{3,})\S*\n$/.exec(piece)?.[1] ?? "";
}

const NAME_CELLS = 80;

/** The heading of a branch beside the active path: what it is called, and where it leaves. */
function headingOf({ path, from, leaves }: Passage, session: Session, place: Place): string {
	const name = plainLine(branchName(path, from, session, place, NAME_CELLS));
	return `# Branch: ${name}${leaves ? ` (from ${plainLine(leaves.id)})` : ""}\n\n`;
}
