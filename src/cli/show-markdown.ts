import { homedir } from "node:os";
import { headMarkdown } from "../app/conversation/excerpt.ts";
import { conversationMarkdown, entryMarkdown } from "../app/conversation/markdown.ts";
import { isSilent, type Passage, passagesOf, type Scope } from "../app/conversation/passages.ts";
import { placeOf } from "../app/conversation/place.ts";
import { plainLine, withoutControls } from "../app/conversation/text-chunks.ts";
import { sessionTitle } from "../app/list/draw-row.ts";
import type { SessionEntry } from "../store/format/schema.ts";
import type { Session } from "../store/read/read-session.ts";
import type { Given } from "./given.ts";
import { Limit } from "./limit.ts";
import { printPieces } from "./output.ts";
import type { ReadTarget } from "./read-target.ts";

/** Prints a conversation as the Markdown that the browser saves. */
export async function showMarkdown({ session, row, name }: ReadTarget, scope: Scope, given: Given): Promise<void> {
	const limit = new Limit(given.maxChars);
	await printPieces(pieces(session, scope, sessionTitle(row), limit));
	if (limit.isReached) await printPieces([`\n${limit.notice(name)}\n`]);
}

function* pieces(session: Session, scope: Scope, title: string, limit: Limit): Generator<string> {
	const place = placeOf(session, homedir());
	for (const passage of passagesOf(session, scope)) {
		if (passage.leaves !== undefined && isSilent(passage)) continue;
		const entries = passage.path.slice(passage.from, passage.to);
		if (passage.leaves !== undefined) yield headingOf(passage);
		else if (scope.of !== "entry" && scope.of !== "turn") yield* headMarkdown(title, entries, session, place);
		let at = entries[0];
		const passed = function* (): Generator<SessionEntry> {
			for (at of entries) yield at;
		};
		const texts =
			scope.of === "entry"
				? entries.values().flatMap((entry) => entryMarkdown(entry, session, place))
				: conversationMarkdown(passed(), session, place);
		let fence = "";
		for (const text of texts) {
			if (at !== undefined) yield limit.start(withoutControls(text), at);
			if (limit.isReached) {
				yield `\n${fence}`;
				return;
			}
			fence = fence === "" ? openedBy(text) : text === `${fence}\n\n` ? "" : fence;
		}
	}
}

/** The fence that a piece of Markdown opens; "" for none. */
function openedBy(piece: string): string {
	return /^(`{3,})\S*\n$/.exec(piece)?.[1] ?? "";
}

/** Above a branch beside the active path: where it leaves. */
function headingOf({ leaves }: Passage): string {
	return `# Another branch${leaves ? `, from ${plainLine(leaves.id)}` : ""}\n\n`;
}
