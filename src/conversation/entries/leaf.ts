import type { Rewound } from "../../catalog/model/counts.ts";
import { memoEach } from "../../shared/memo.ts";
import { fieldsOf } from "../../store/format/fields.ts";
import { BOOKKEEPING, timeOf } from "../../store/format/raw-entry.ts";
import { heldFacts, isHeld } from "../../store/held/held-message.ts";
import type { Session } from "../../store/read/read-session.ts";
import { agentMessageOf } from "../../store/tree/context.ts";
import { rewindOf, rewindPlace } from "../../store/tree/rewind.ts";
import { formatCounted, formatDayTime } from "../../ui/text/format.ts";

/**
 * Id of the entry from which the conversation goes on: the leaf, or if that is bookkeeping (a name, a label), its nearest
 * ancestor that is part of the conversation.
 */
export const conversationLeaf = memoEach(({ tree }: Session): string | undefined => {
	// Every row needs it, and there may be any amount of bookkeeping above the leaf.
	const last = tree.table.pathUp(tree.leafId).find(({ type }) => !BOOKKEEPING.has(type));
	return last?.id ?? tree.leafId ?? undefined;
});

/** Whether a row of this width has room for what is said of the end. */
export function isWideRow(width: number): boolean {
	return width >= 60;
}

/** The sign of the end, from which pi continues, in a row of this width. */
export function endSign(width: number): string {
	return isWideRow(width) ? "◂ pi continues here" : "◂ end";
}

export function isLeaf(session: Session, id: string): boolean {
	return id === session.tree.leafId || id === conversationLeaf(session);
}

/**
 * From where pi goes on in a session whose leaf a name, a label or the like has moved away from the end of the conversation
 * (docs/format.md); undefined for others.
 */
export const sessionRewind = memoEach(({ tree }: Session): Rewound | undefined => {
	const rewind = rewindOf(tree.table, (entry) => (heldFacts(entry)?.role ?? agentMessageOf(entry)?.role) === "user");
	if (rewind === undefined) return undefined;
	const { by, atId: _, ...facts } = rewind;
	const ms = timeOf(by.timestamp);
	return { ...facts, by: by.type, byMs: Number.isNaN(ms) ? 0 : ms };
});

/** The entries that may move the leaf, in words. */
const MOVERS: ReadonlyMap<string, string> = new Map([
	["session_info", "a name"],
	["label", "a label"],
	["usage", "a note of usage"],
	["custom", "an extension's note"],
]);

/** From where pi goes on, in a longer and a shorter form. */
export function rewindForms({ turn, turns, aside }: Rewound): { readonly long: string; readonly short: string } {
	if (aside) return { long: "continues from another branch", short: "other branch" };
	return { long: `continues from turn ${turn} of ${turns}`, short: `from turn ${turn}/${turns}` };
}

/** Sentences about why pi does not continue from the end, and what that hides: "pi continues from turn 3 of 40: a name was …". */
export function rewindSentences(rewound: Rewound, now: number): readonly string[] {
	const { by, byMs, hidden } = rewound;
	const when = byMs === 0 ? "" : `, ${formatDayTime(byMs, now)}`;
	const are = hidden === 1 ? "is" : "are";
	return [
		`pi continues from ${rewindPlace(rewound)}: ${MOVERS.get(by) ?? "an entry"} was added there${when}.`,
		`${formatCounted(hidden, "entry", "entries")} of the conversation ${are} not on its path.`,
	];
}

/** The session that a pi has open, and where it is in it. */
interface OpenInPi {
	readonly open: { readonly path?: string | undefined; readonly leaf: string | null };
	/** When pi said so last, Unix ms. */
	readonly reportedMs: number;
}

/** Sessions with the leaf of pi, and what they were made from. */
const asReadOf = new WeakMap<Session, Session>();

/**
 * The session with the leaf that pi has in its memory, where that is another one than the file's: who goes to another entry in
 * pi leaves no trace in the file before something is said there. What pi has written since its report goes on from its leaf. A very
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

/**
 * The entry whose context pi has when it goes on from this one: a message of the person, or of an extension, is said again,
 * so that it goes on from before it (`resumePoint` in store/actions). Null: before the first entry.
 */
export function goesOnFrom({ tree }: Session, id: string): string | null {
	const entry = tree.byId.get(id);
	const isSaidAgain =
		entry?.type === "custom_message" ||
		(entry?.type === "message" && fieldsOf(fieldsOf(entry).message).role === "user");
	return isSaidAgain ? (tree.parentOf.get(id) ?? null) : id;
}
