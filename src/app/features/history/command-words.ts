import type { SessionRow } from "../../../catalog/model/row.ts";
import { type Change, pathOf } from "../../../changes/kinds/change.ts";
import type { CommandWords } from "../../../changes/kinds/kind.ts";
import { kindOfPlan, madeOf } from "../../../changes/kinds/kinds.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";

type Rows = ReadonlyMap<string, SessionRow>;

/** Characters of an id that are enough to distinguish sessions. */
const ID_LENGTH = 8;

/** A change as the shell command that makes it; if there is no such command, the words of the journal. */
export function commandOf(change: Change, rows: Rows, home: string): readonly [verb: string, rest: string] {
	const { plan, undo, what } = change;
	const path = plan?.path ?? (undo === undefined ? undefined : pathOf(undo));
	if (path === undefined) return ["", what];
	const words: CommandWords = {
		session: shortId(path, rows),
		entry: (id) => id?.slice(0, ID_LENGTH) ?? "…",
		quoted: (text) => quoted(text ?? "…"),
		directory: (directory) => shortenHome(directory, home),
	};
	return kindOf(change)?.commandOf(words) ?? ["", what];
}

/** The current title of the session of a change; the title in the journal if the session is not listed. */
export function subjectOf(change: Change, rows: Rows): CleanText {
	const { plan, undo, what } = change;
	const path = undo === undefined ? plan?.path : pathOf(undo);
	const row = (path === undefined ? undefined : rows.get(path)) ?? rows.get(plan?.path ?? "");
	if (row !== undefined) return sessionTitle(row);
	const quotedTexts = [...what.matchAll(/“(.*?)”/g)];
	return sanitizeLine(quotedTexts.at(kindOf(change)?.kind.titleAt ?? 0)?.[1] ?? "");
}

/** The kind of a change and its command; undefined if the journal says only that the change was begun. */
function kindOf({ plan, undo, what, receipt }: Change) {
	if (undo !== undefined) {
		const { kind, made } = madeOf({ plan, undo, what, receipt });
		return { kind, commandOf: (words: CommandWords) => kind.commandOf(made, words) };
	}
	if (plan === undefined) return undefined;
	const kind = kindOfPlan(plan);
	return { kind, commandOf: (words: CommandWords) => kind.commandOf({ plan, undo, what, receipt }, words) };
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
	return `"${text.replace(/["\\$`]/g, "\\$&")}"`;
}

/** The start of the id of a session. For a session that is not listed it is taken from the file name, where pi writes it. */
function shortId(path: string, rows: Rows): CleanText {
	const known = rows.get(path)?.id;
	const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).replace(/\.jsonl$/, "");
	const id = known === undefined || known === "" ? name.slice(name.indexOf("_") + 1) : known;
	return cleanText(id.slice(0, ID_LENGTH));
}
