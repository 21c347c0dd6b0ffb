import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { branchName } from "../entries/branch-name.ts";
import { headWithSum } from "../markdown/excerpt.ts";
import { conversationMarkdown } from "../markdown/markdown.ts";
import { plainLine, withoutControls } from "../markdown/plain-text.ts";
import { leftOutLines, type PreparedShare } from "./prepare-share.ts";
import { shareItems } from "./share-items.ts";

/** What is shared as Markdown that can stand in an issue, in pieces: what tools said is folded. At the end, what is not in it. */
export function* shareMarkdown(prepared: PreparedShare): Generator<string> {
	for (const piece of markdownPieces(prepared)) yield withoutControls(piece);
	const notices = leftOutLines(prepared);
	if (notices.length > 0) yield `---\n\n${notices.map((line) => `*${line}*`).join("\n\n")}\n`;
}

/** With more, GitHub refuses an issue or a comment: "body is too long (maximum is 65536 characters)". */
const MOST_CHARACTERS = 65_536;

/** Markdown that is measured while it is read. `note`: then a sentence if it is more than an issue can have, else "". */
export function measured(pieces: () => Iterable<string>) {
	let characters = 0;
	return {
		*pieces(): Generator<string> {
			characters = 0;
			for (const piece of pieces()) {
				characters += piece.length;
				yield piece;
			}
		},
		note(): string {
			if (characters <= MOST_CHARACTERS) return "";
			return `It has ${formatCount(characters)} characters; GitHub accepts at most ${formatCount(MOST_CHARACTERS)} in an issue or a comment: attach it as a file.`;
		},
	};
}

const NAME_CELLS = 80;

/** The conversation; each other branch between two lines where it begins. */
function* markdownPieces({ shared, heading, place, survey }: PreparedShare): Generator<string> {
	yield headWithSum(heading, survey.sum, place);
	let line: SessionEntry[] = [];
	for (const item of shareItems(shared)) {
		if (item.type === "entry") {
			line.push(item.entry);
			continue;
		}
		// Where other branches are left out, the conversation goes on.
		if (item.type === "left-out") continue;
		yield* conversationMarkdown(line, shared.session, place, { isFolded: true });
		line = [];
		if (item.type === "branch") {
			const name = plainLine(branchName(item.beginning, 0, shared.session, place, NAME_CELLS));
			yield `---\n\n*⊞ “${name}”: a branch of ${formatCounted(item.entries, "entry", "entries")} begins here*\n\n`;
		} else yield "*its end*\n\n---\n\n";
	}
	yield* conversationMarkdown(line, shared.session, place, { isFolded: true });
}
