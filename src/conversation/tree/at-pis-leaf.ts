import { isHeld } from "../../store/held/held-sessions.ts";
import type { Session } from "../../store/read/read-session.ts";

/** The session that a pi has open, and where it is in it. */
export interface OpenInPi {
	readonly open: { readonly path?: string | undefined; readonly leaf: string | null };
	/** When pi said so last, Unix ms. */
	readonly reportedMs: number;
}

/** Sessions with the leaf of pi, and what they were made from. */
const asReadOf = new WeakMap<Session, Session>();

/**
 * The session with the leaf that pi has in its memory, where that is another one than the file's: who goes to another entry in
 * pi leaves no trace in the file before something is said there. What pi has written since it told goes on from its leaf. A very
 * large session is left as the file has it, since much of what is known of it is known by its entries.
 */
export function atPisLeaf(session: Session, host: OpenInPi | undefined): Session {
	const read = asRead(session);
	if (host === undefined || host.open.path !== read.path) return read;
	const { leaf } = host.open;
	const last = read.entries.at(-1);
	const isNewer = last !== undefined && Date.parse(last.timestamp) > host.reportedMs;
	const isKnown = leaf === null || read.tree.byId.has(leaf);
	if (leaf === read.tree.leafId || isNewer || !isKnown || isHeld(read)) return read;
	if (session !== read && session.tree.leafId === leaf) return session;
	// Outlines and drawings are known by the entries, and are others from here on.
	const moved = { ...read, entries: [...read.entries], tree: { ...read.tree, leafId: leaf } };
	asReadOf.set(moved, read);
	return moved;
}

/** The session as its file has it. */
export function asRead(session: Session): Session {
	return asReadOf.get(session) ?? session;
}
