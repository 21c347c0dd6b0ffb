import type { Digest } from "../../../conversation/digest/digest.ts";
import { briefRows } from "../../../conversation/digest/digest-rows.ts";
import { sessionSum } from "../../../conversation/glance/session-sum.ts";
import { digestRowOf } from "../../../conversation/tree/tree-rows.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { State } from "../state/state.ts";

/** The digest of the opened session, remembered; undefined until a large one has been counted. */
export function selectDigest({ detail: { session }, environment }: State): Digest | undefined {
	return session && sessionSum(session, environment.home)?.digest();
}

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
