import { homedir } from "node:os";
import { branchHeading, printedRows } from "../../../conversation/document/printed-rows.ts";
import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { isSilent, passagesOf } from "../../../conversation/entries/passages.ts";
import { loadRenderers } from "../../../conversation/render/renderers.ts";
import type { FindingKind } from "../../../conversation/share/found.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { type Line, lineText } from "../../../ui/text/line.ts";
import { prepareSession, sharePieces } from "./masked-share.ts";

export interface RenderOptions {
	/** A page for a browser, Markdown for an issue, or the text that `pi-grove show --full` prints. */
	readonly format: "html" | "markdown" | "text";
	/** An entry of the branch. @default the end of the active one */
	readonly entryId?: string;
	/** All branches, not only one. @default false */
	readonly all?: boolean;
	/** The kinds of private data that are left as they are. @default none: all that is recognized by its form is masked */
	readonly allow?: Iterable<FindingKind>;
	/** The heading. @default the name of the session, else when and where it was */
	readonly title?: string;
	/** Cells of a row of the text. @default 100 */
	readonly width?: number;
	/** Of the person whose session it is. @default that of this machine's */
	readonly home?: string;
}

/** A session as a page, Markdown or text, with private data masked as by `pi-grove export`. Throws if nothing is in it. */
export async function renderSession(
	session: Session,
	{ format, entryId: named, all = false, allow = [], title, width = 100, home = homedir() }: RenderOptions,
): Promise<string> {
	const entryId = named ?? conversationLeaf(session);
	if (entryId === undefined) throw new Error(`there is nothing in ${session.path}`);
	if (!session.tree.byId.has(entryId)) throw new Error(`${session.path} has no entry ${entryId}`);
	const titled = title === undefined ? { title: session.tree.name ?? "session" } : { title, isNamed: true };
	const request = { session, ...titled, entryId, all, allowed: new Set(allow), home, isRemote: false };
	const prepared = await prepareSession(request);
	if (format !== "text") return [...(await sharePieces(prepared, format))()].join("");
	const printing = { width, home: prepared.place.home, full: true, colored: false, renderers: await loadRenderers() };
	const masked = prepared.shared.session;
	const lines: Line[] = [];
	for (const passage of passagesOf(masked, all ? { of: "all" } : { of: "branch", entryId })) {
		if (passage.leaves !== undefined && isSilent(passage)) continue;
		lines.push(...branchHeading(masked, passage, printing));
		for (const { rows } of printedRows(masked, passage, printing)) for (const { line } of rows) lines.push(line);
	}
	return lines.map((line) => `${lineText(line).trimEnd()}\n`).join("");
}
