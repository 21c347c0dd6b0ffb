import { basename } from "node:path";
import { capital, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/quote.ts";
import type { MarksFile } from "../features/marks/effects/marks-file.ts";
import type { MarkChange } from "../features/marks/marks.ts";
import type { Journal } from "../journal/journal.ts";
import type { Effect } from "../world/effect.ts";
import { newToken } from "../world/effects/noted-file.ts";
import { CannotError } from "../world/effects/reason.ts";
import type { Message } from "../world/state.ts";
import { tellNoted, withNote } from "./with-note.ts";

interface Tools {
	readonly journal: Journal;
	readonly marks: MarksFile;
	/** The title of a session, as the list shows it; undefined when it is not listed. */
	readonly titleOf: (path: string) => string | undefined;
}

/**
 * Pins or tags sessions, with a note in the journal before and after. What is so already is not changed, nor taken back by
 * an undo. Rejects with what could not be done, and why; then nothing is changed.
 */
export async function changeMarks(
	{ paths, changes }: Extract<Effect, { type: "mark" }>,
	{ journal, marks, titleOf }: Tools,
): Promise<Message> {
	const [path = ""] = paths;
	// Of several nobody knows here which one is meant.
	const title = paths.length === 1 ? quote(titleOf(path) ?? basename(path)) : undefined;
	const asked = describe(changes, sessions(changes, title));
	let effective: readonly MarkChange[];
	try {
		effective = marks.withEffect(changes);
	} catch (error) {
		throw new CannotError(asked.now, error);
	}
	if (effective.length === 0) return { text: "Nothing to change: it is so already", tone: "muted" };
	const note = { type: "mark", path, token: newToken() } as const;
	const { unnoted } = await withNote(journal, { what: asked.now, plan: note }, () => {
		marks.append(note.token, effective);
		return { undo: note };
	});
	return tellNoted(describe(effective, sessions(effective, title)).done, unnoted);
}

/** “Lexer”, or "3 sessions". */
function sessions(changes: readonly MarkChange[], title: string | undefined): string {
	return title ?? formatCounted(new Set(changes.map(({ id }) => id)).size, "session");
}

/** What the changes do, before and after they are made: "tag “Lexer” #wip, take off #idea". */
function describe(changes: readonly MarkChange[], whom: string): { readonly now: string; readonly done: string } {
	const pin = changes.find(({ tag }) => tag === undefined);
	if (pin !== undefined) {
		const verb = pin.on ? "pin" : "unpin";
		return { now: `${verb} ${whom}`, done: `${capital(verb)}ned ${whom}` };
	}
	const given = tagsOf(changes, true);
	const taken = tagsOf(changes, false);
	if (given === "") return { now: `take ${taken} off ${whom}`, done: `Took ${taken} off ${whom}` };
	const off = taken === "" ? ["", ""] : [`, take off ${taken}`, `, took off ${taken}`];
	return { now: `tag ${whom} ${given}${off[0]}`, done: `Tagged ${whom} ${given}${off[1]}` };
}

function tagsOf(changes: readonly MarkChange[], on: boolean): string {
	const tags = changes.flatMap((change) => (change.on === on && change.tag !== undefined ? [`#${change.tag}`] : []));
	return [...new Set(tags)].join(" ");
}
