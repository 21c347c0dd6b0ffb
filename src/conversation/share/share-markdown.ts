import type { SessionEntry } from "../../store/format/schema.ts";
import { formatCounted } from "../../ui/text/format.ts";
import { headWithSum } from "../markdown/excerpt.ts";
import { conversationMarkdown } from "../markdown/markdown.ts";
import { withoutControls } from "../markdown/plain-text.ts";
import { leftOutLines, maskedLine, type PreparedShare } from "./prepare-share.ts";
import { shareItems } from "./share-items.ts";

/** What is shared as Markdown, in pieces: as the browser saves a branch, and at the end what is not in it. */
export function* shareMarkdown(prepared: PreparedShare): Generator<string> {
	for (const piece of markdownPieces(prepared)) yield withoutControls(piece);
	const notices = [maskedLine(prepared), ...leftOutLines(prepared)].filter((line) => line !== "");
	if (notices.length > 0) yield `---\n\n${notices.map((line) => `*${line}*`).join("\n\n")}\n`;
}

/** The conversation; each other branch between two lines where it begins. */
function* markdownPieces({ shared, title, place, survey }: PreparedShare): Generator<string> {
	yield headWithSum(title, survey.sum, place);
	let line: SessionEntry[] = [];
	for (const item of shareItems(shared)) {
		if (item.type === "entry") {
			line.push(item.entry);
			continue;
		}
		// Where other branches are left out, the conversation goes on.
		if (item.type === "left-out") continue;
		yield* conversationMarkdown(line, shared.session, place);
		line = [];
		if (item.type === "branch")
			yield `---\n\n*⊞ another branch begins here: ${formatCounted(item.entries, "entry", "entries")}*\n\n`;
		else yield "*its end*\n\n---\n\n";
	}
	yield* conversationMarkdown(line, shared.session, place);
}
