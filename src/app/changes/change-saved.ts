import { capital } from "../../ui/text/format.ts";
import type { SavedFile } from "../features/saved/effects/saved-file.ts";
import type { Journal } from "../journal/journal.ts";
import type { Effect } from "../world/effect.ts";
import { newToken } from "../world/effects/noted-file.ts";
import { sentence } from "../world/effects/reason.ts";
import type { Message } from "../world/state.ts";
import { tellNoted, withNote } from "./with-note.ts";

/**
 * Saves, renames or deletes a saved query, with a note in the journal before and after. Rejects with what could not be done,
 * and why; then nothing is changed.
 */
export async function changeSaved(
	{ what, done, changes }: Extract<Effect, { type: "save-query" }>,
	{ journal, saved }: { readonly journal: Journal; readonly saved: SavedFile },
): Promise<Message> {
	const note = { type: "query", path: "", token: newToken() } as const;
	const { unnoted } = await withNote(journal, { what, plan: note }, () => {
		saved.append(note.token, changes);
		return { undo: note };
	});
	return tellNoted(done, unnoted);
}

/** Notes whether the saved queries stand above the list; without the note they are as they were in the next run. */
export function showSaved(shown: boolean, saved: SavedFile): Message | undefined {
	try {
		saved.append(newToken(), [{ shown }]);
		return undefined;
	} catch (error) {
		return { text: `${capital(sentence(error))}; in the next run it is as it was`, tone: "warning" };
	}
}
