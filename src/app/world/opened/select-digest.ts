import { placedPath } from "../../../catalog/places/place.ts";
import type { Digest } from "../../../conversation/digest/digest.ts";
import { digestMarkdown } from "../../../conversation/digest/digest-markdown.ts";
import { briefRows, drawDigestRow } from "../../../conversation/digest/digest-rows.ts";
import { titleText } from "../../../conversation/entries/session-title.ts";
import { sessionSum } from "../../../conversation/glance/session-sum.ts";
import { digestRowOf } from "../../../conversation/tree/tree-rows.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { blanks } from "../../../ui/text/sanitize.ts";
import { layoutFor } from "../screen/layout.ts";
import type { State } from "../state/state.ts";

/** The digest of the opened session, remembered; undefined until a large one has been counted. */
export function selectDigest({ detail: { session }, environment }: State): Digest | undefined {
	return session && sessionSum(session, environment.home)?.digest();
}

/** Part of the text's rows that the digest above it takes. */
const MOST_ABOVE = 0.5;

/** The digest with which the text begins beside a list without a tree, in rows of its width; at a hit there is none. */
export function digestAbove(state: State): readonly Line[] {
	const { list, tree, reader, bottom } = layoutFor(state);
	const isAbove = list !== undefined && tree === undefined && bottom !== undefined && state.tree.hits === undefined;
	const digest = isAbove ? selectDigest(state) : undefined;
	if (digest === undefined || reader === undefined) return NONE;
	const rows = briefRows(digest).slice(0, Math.floor(reader.height * MOST_ABOVE));
	return [...rows.map((row): Line => [{ text: blanks(1) }, ...drawDigestRow(row, reader.width - 2)]), []];
}

const NONE: readonly Line[] = [];

/** The digest of the opened session as Markdown. */
export function digestText({ detail: { row }, environment }: State, digest: Digest): string {
	if (row === undefined) return "";
	const name = row.id === "" ? row.path : placedPath(row.place, row.id);
	return digestMarkdown(digest, {
		title: titleText(row),
		directory: shortenHome(row.cwd, environment.home),
		name,
	});
}

export const NO_DIGEST = "There is no digest yet: open the session, and wait until it is counted";

/** How many rows the digest of a session has above its tree while it is open. */
export function countDigestRows({ environment }: State, session: Session): number {
	const digest = sessionSum(session, environment.home)?.digest();
	return digest === undefined ? 0 : briefRows(digest).length;
}

/** Id of the entry that a row of the digest is about, by the row's key; of a folded one, the first prompt. */
export function digestEntryOf(state: State, key: string): string | undefined {
	const number = digestRowOf(key);
	const digest = number === undefined ? undefined : selectDigest(state);
	if (number === undefined || digest === undefined) return undefined;
	const id = briefRows(digest)[number]?.entryId;
	return id === undefined || state.detail.session?.tree.byId.has(id) !== true ? undefined : id;
}
