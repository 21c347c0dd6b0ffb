import { homedir } from "node:os";
import packageFile from "../../../../package.json" with { type: "json" };
import { fieldsOf, textOf } from "../../../conversation/entries/fields.ts";
import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { leftOutLines, maskedLine, pictureLines } from "../../../conversation/share/notice-lines.ts";
import { type PreparedShare, prepareShare } from "../../../conversation/share/prepare-share.ts";
import { TimeSlice } from "../../../shared/time-slice.ts";
import type { Given } from "../../arguments/given.ts";
import type { ReadTarget } from "../../find/read-target.ts";
import type { Mistake } from "../../print/mistake.ts";
import { remark } from "../../print/output.ts";
import { withProgressNote } from "../../print/progress-note.ts";
import { type Allowed, findingLines } from "./findings.ts";
import { readEnvSecrets } from "./read-env-secrets.ts";
import { type ShareFormat, sharePieces } from "./save-share.ts";

/** What is to be shared of a session, or that there is nothing. */
export async function shareOf(
	read: ReadTarget,
	{ all = false }: Given,
	allowed: Allowed,
): Promise<PreparedShare | Mistake> {
	const { session, row, entry } = read;
	const entryId = entry?.id ?? conversationLeaf(session);
	if (entryId === undefined) return { mistake: `there is nothing in ${row.path}` };
	const secrets = await readEnvSecrets(textOf(fieldsOf(session.header).cwd));
	const request = { session, title: sessionTitle(row), entryId, all, allowed, home: homedir(), secrets };
	return withProgressNote(new TimeSlice().run(prepareShare(request)), () => `Looking through ${row.path} …`);
}

/** Says on stderr what was found in it, and what is not in it: before anything is written. */
export function tellShare(prepared: PreparedShare, format: ShareFormat): void {
	const pictures = format === "html" ? pictureLines(prepared) : [];
	for (const line of [...findingLines(prepared), maskedLine(prepared), ...leftOutLines(prepared), ...pictures])
		remark(line);
}

/** It as a file or a pipe gets it, in pieces; each call begins anew. */
export function piecesOf(prepared: PreparedShare, format: ShareFormat): Promise<() => Iterable<string>> {
	return sharePieces(prepared, format, { version: packageFile.version, now: Date.now() });
}
