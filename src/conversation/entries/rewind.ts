import type { Rewound } from "../../catalog/model/counts.ts";
import { timeOf } from "../../store/format/raw-entry.ts";
import { heldFacts } from "../../store/held/held-message.ts";
import type { Session } from "../../store/read/read-session.ts";
import { messageOf } from "../../store/tree/context.ts";
import { rewindOf, rewindPlace } from "../../store/tree/rewind.ts";
import { formatCounted, formatDayTime } from "../../ui/text/format.ts";

/** Sessions whose leaf was moved away from the end of the conversation (docs/format.md). */

const known = new WeakMap<Session, { readonly rewound: Rewound | undefined }>();

/** From where pi goes on in a session whose leaf a name, a label or the like has moved; undefined for others. */
export function sessionRewind(session: Session): Rewound | undefined {
	let found = known.get(session);
	if (found === undefined) {
		found = { rewound: findRewound(session) };
		known.set(session, found);
	}
	return found.rewound;
}

function findRewound({ entries, tree }: Session): Rewound | undefined {
	const rewind = rewindOf(
		entries,
		({ id }) => tree.parentOf.get(id),
		(entry) => (heldFacts(entry)?.role ?? messageOf(entry)?.role) === "user",
	);
	if (rewind === undefined) return undefined;
	const { by, atId: _, ...facts } = rewind;
	const ms = timeOf(by.timestamp);
	return { ...facts, by: by.type, byMs: Number.isNaN(ms) ? 0 : ms };
}

/** The entries that may move the leaf, in words. */
const MOVERS: ReadonlyMap<string, string> = new Map([
	["session_info", "a name"],
	["label", "a label"],
	["usage", "a note of usage"],
	["custom", "an extension's note"],
]);

/** From where pi goes on, in a longer and a shorter form. */
export function rewindForms({ turn, turns, aside }: Rewound): { readonly long: string; readonly short: string } {
	if (aside) return { long: "goes on from another branch", short: "other branch" };
	return { long: `goes on from turn ${turn} of ${turns}`, short: `from turn ${turn}/${turns}` };
}

/** Sentences about why pi does not go on from the end, and what that hides: "pi goes on from turn 3 of 40: a name was …". */
export function rewindSentences(rewound: Rewound, now: number): readonly string[] {
	const { by, byMs, hidden } = rewound;
	const when = byMs === 0 ? "" : `, ${formatDayTime(byMs, now)}`;
	const are = hidden === 1 ? "is" : "are";
	return [
		`pi goes on from ${rewindPlace(rewound)}: ${MOVERS.get(by) ?? "an entry"} was added there${when}.`,
		`${formatCounted(hidden, "entry", "entries")} of the conversation ${are} not on its path.`,
	];
}
