import type { SessionRow } from "../../catalog/model/row.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { shortenHome } from "../../ui/text/format.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Change } from "../journal/change.ts";
import { pathOf } from "../journal/change.ts";

type Rows = ReadonlyMap<string, SessionRow>;

/** Characters of an id that tell sessions apart. */
const ID_LENGTH = 8;

/** A change as the command of the shell that makes it; what no command makes, in words. */
export function commandOf(change: Change, rows: Rows, home: string): readonly [verb: string, rest: string] {
	const { plan, undo, what } = change;
	const path = plan?.path ?? (undo === undefined ? undefined : pathOf(undo));
	if (path === undefined) return ["", what];
	const session = shortId(path, rows);
	switch (plan?.type ?? undo?.type) {
		case "rename":
			return ["rename", `${session} ${quoted(setBy(change))}`];
		case "label":
			return ["label", `${session}#${entryOf(change)} ${quoted(setBy(change))}`];
		case "leaf":
			if (plan?.type === "leaf" && plan.forward) return ["forward", session];
			return ["resume", `${session}#${entryOf(change)}`];
		case "trash":
			return ["delete", session];
		case "restore":
			// Of version 0.1.0 only the way back from the trash is known.
			return [plan?.type === "restore" ? "restore" : "delete", session];
		case "create":
		case "created":
			return copied(change, session, home);
		case "move":
		case "moved":
		case "mark":
		case "query":
		case undefined:
			return ["", what];
	}
}

/** The session that a change is about, by its title now; of one that is not listed, as the journal calls it. */
export function subjectOf({ plan, undo, what }: Change, rows: Rows): CleanText {
	const path = undo === undefined ? plan?.path : pathOf(undo);
	const row = (path === undefined ? undefined : rows.get(path)) ?? rows.get(plan?.path ?? "");
	if (row !== undefined) return sessionTitle(row);
	const quotedTexts = [...what.matchAll(/“(.*?)”/g)];
	// "set the label “x” in “Title”"
	return sanitizeLine((plan?.type === "label" ? quotedTexts.at(-1) : quotedTexts[0])?.[1] ?? "");
}

function copied({ plan, what }: Change, session: string, home: string): readonly [string, string] {
	if (plan?.type !== "create") return ["fork", session];
	if (plan.entryId !== undefined) return ["branch", `${session}#${plan.entryId.slice(0, ID_LENGTH)}`];
	if (plan.cwd !== undefined) return ["fork", `${session} --to ${shortenHome(plan.cwd, home)}`];
	if (what.startsWith("repair ")) return ["", what];
	return [what.startsWith("branch ") ? "branch" : "fork", session];
}

function setBy({ plan, undo }: Change): string {
	if (plan?.type === "rename" || plan?.type === "label") return plan.set;
	return undo?.type === "rename" || undo?.type === "label" ? (undo.set ?? "…") : "…";
}

function entryOf({ plan, undo }: Change): string {
	if (plan?.type === "label" || plan?.type === "leaf") return plan.entryId.slice(0, ID_LENGTH);
	return undo?.type === "label" ? undo.entryId.slice(0, ID_LENGTH) : "…";
}

/** As a shell takes it: in quotes that keep what is in them. */
function quoted(text: string): string {
	return `"${text.replace(/["\\$`]/g, "\\$&")}"`;
}

/** The id of a session, as far as it is needed; pi writes it into the name of the file. */
function shortId(path: string, rows: Rows): CleanText {
	const known = rows.get(path)?.id;
	const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).replace(/\.jsonl$/, "");
	const id = known === undefined || known === "" ? name.slice(name.indexOf("_") + 1) : known;
	return cleanText(id.slice(0, ID_LENGTH));
}
