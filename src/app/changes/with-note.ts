import { errorCode } from "../../store/files/store-error.ts";
import type { Journal } from "../journal/journal.ts";
import type { Group, Plan, Undo } from "../journal/journal-schema.ts";
import { CannotError, sentence } from "../world/effects/reason.ts";

/** A change that is about to be made. */
interface Begun {
	/** In words, for the journal and for errors: "rename “Lexer” to “Parser”". */
	readonly what: string;
	/** Rejects with why it cannot be begun. */
	readonly plan: Plan | Promise<Plan>;
	/** What it is a part of. */
	readonly group?: Group | undefined;
}

/** What making a change must tell. */
interface Made {
	/** The way back; undefined when all was so already, and nothing was done. */
	readonly undo?: Undo | undefined;
	/** Id of the entry that was appended, if one was. */
	readonly entryId?: string | undefined;
}

/**
 * Makes a change between two notes in the journal: before it, what is going to be done; after it, the way back, or that
 * nothing was done. `unnoted`: why the second note could not be written although the change is made; such a change may not
 * be undoable. `id`: of the change in the journal. Rejects with a `CannotError`; what `make` rejects with must have left everything as it was.
 */
export async function withNote<Result extends Made>(
	journal: Journal,
	{ what, plan, group }: Begun,
	make: () => Result | Promise<Result>,
): Promise<{ readonly made: Result; readonly unnoted: unknown; readonly id: string }> {
	let id: string;
	try {
		id = await journal.begin(what, await plan, group);
	} catch (error) {
		throw new CannotError(what, error);
	}
	// Where it cannot be noted that nothing was done, the next undo finds that out from the files.
	const discard = (): Promise<void> => journal.discard(id).catch(() => undefined);
	let made: Result;
	try {
		made = await make();
	} catch (error) {
		// So it does where the thread died: nobody knows what was done.
		if (errorCode(error) !== "worker-ended") await discard();
		throw new CannotError(what, error);
	}
	const { undo, entryId } = made;
	if (undo === undefined) {
		await discard();
		return { made, unnoted: undefined, id };
	}
	try {
		await journal.done(id, undo, entryId);
		return { made, unnoted: undefined, id };
	} catch (error) {
		return { made, unnoted: error, id };
	}
}

/** What was done, with a warning where that could not be noted. */
export function tellNoted(
	done: string,
	unnoted: unknown,
): { readonly text: string; readonly tone: "text" | "warning" } {
	if (unnoted === undefined) return { text: done, tone: "text" };
	return { text: `${done}; it may not be possible to undo that, since ${sentence(unnoted)}`, tone: "warning" };
}
