import type { SessionEntry } from "../../store/format/schema.ts";
import { excerptMarkdown } from "../conversation/excerpt.ts";
import { conversationMarkdown } from "../conversation/markdown.ts";
import { withoutControls } from "../conversation/text-chunks.ts";
import { sumParts } from "../conversation/turn-sum.ts";
import { formatCounted } from "../text/format.ts";
import { leftOutLines, leftOutWords, maskedLine } from "./notice-lines.ts";
import type { PreparedShare } from "./prepare-share.ts";
import { shareItems } from "./share-items.ts";

/** What is shared as Markdown, in pieces: as the browser saves a branch, and at the end what is not in it. */
export function* shareMarkdown(prepared: PreparedShare): Generator<string> {
	const { shared, title, place } = prepared;
	const { session, entryId, all } = shared;
	if (all) for (const piece of allMarkdown(prepared)) yield withoutControls(piece);
	else yield* excerptMarkdown({ of: "branch", session, entryId, title }, place.home);
	const notices = [maskedLine(prepared), ...leftOutLines(prepared)].filter((line) => line !== "");
	if (notices.length > 0) yield `---\n\n${notices.map((line) => `*${line}*`).join("\n\n")}\n`;
}

/** All branches, each between two lines where it begins. */
function* allMarkdown(prepared: PreparedShare): Generator<string> {
	const { shared, title, place, survey } = prepared;
	const facts = [place.cwd, ...sumParts(survey.sum)].filter((part) => part !== "");
	yield `# ${title}\n\n${facts.join(" · ")}\n\n`;
	let line: SessionEntry[] = [];
	for (const item of shareItems(shared)) {
		if (item.type === "entry") {
			line.push(item.entry);
			continue;
		}
		yield* conversationMarkdown(line, shared.session, place);
		line = [];
		if (item.type === "branch")
			yield `---\n\n*⊞ another branch begins here: ${formatCounted(item.entries, "entry", "entries")}*\n\n`;
		else if (item.type === "end") yield "*its end*\n\n---\n\n";
		else yield `*⊘ ${leftOutWords(item)}*\n\n`;
	}
	yield* conversationMarkdown(line, shared.session, place);
}
