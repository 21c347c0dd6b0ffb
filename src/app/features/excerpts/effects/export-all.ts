import { mkdir, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { SessionRow } from "../../../../catalog/model/row.ts";
import type { Message } from "../../../../changes/engine/answer.ts";
import { describeOutcome, eachSession } from "../../../../changes/engine/each-session.ts";
import { conversationLeaf } from "../../../../conversation/entries/leaf.ts";
import { sessionTitle } from "../../../../conversation/entries/session-title.ts";
import { errorCode, explain } from "../../../../store/files/store-error.ts";
import { isDamaged } from "../../../../store/format/diagnostic.ts";
import { readChecked } from "../../../../store/held/read-checked.ts";
import { formatCount, formatCounted, formatSize, shortenHome } from "../../../../ui/text/format.ts";
import { quote } from "../../../../ui/text/width.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import type { EffectOf } from "../../../world/effects/runners.ts";
import { dayOf, numbered } from "../../../world/effects/write-file.ts";
import { saveExcerpt } from "./export-excerpt.ts";

/** A session that was saved. */
interface Saved {
	/** Size of its file, in bytes. */
	readonly size: number;
	readonly isDamaged: boolean;
}

/**
 * Saves the conversation of each session, from the first prompt to its leaf, as Markdown files in a new directory. The
 * message names the sessions that could not be read. Rejects if the directory cannot be created.
 */
export async function exportAll(
	{ rows }: EffectOf<"export-all">,
	{ disk, terminal }: Pick<Capabilities, "disk" | "terminal">,
): Promise<Message> {
	const { cwd, home } = disk;
	const directory = await makeDirectory(cwd, dayOf(new Date(disk.clock()))).catch((error: unknown) => {
		throw new Error(`Cannot save the sessions in ${cwd}: ${explain(error)}`, { cause: error });
	});
	const one = async (row: SessionRow): Promise<Saved> => {
		const title = sessionTitle(row);
		// Parses every line, since a large session that is only held has not been checked.
		const session = await readChecked(row.path);
		const entryId = conversationLeaf(session);
		if (entryId === undefined) throw new Error("there is nothing in it");
		const excerpt = { of: "branch", session, entryId, title } as const;
		const { size } = await saveExcerpt(excerpt, directory, home, `${dayOf(row.created)}-`);
		return { size, isDamaged: isDamaged(session.diagnostics) };
	};
	const each = { nameOf: (row: SessionRow) => quote(sessionTitle(row)), one };
	const outcome = await eachSession(rows, "Saving as Markdown", each, terminal.work);
	// Removes the directory if nothing was saved; `rmdir` fails if it is not empty.
	await rmdir(directory).catch(() => undefined);
	const changed = outcome.done.length;
	const bytes = outcome.done.reduce((sum, { size }) => sum + size, 0);
	const damaged = outcome.done.filter((saved) => saved.isDamaged).length;
	const where = `in ${shortenHome(directory, home)} (${formatSize(bytes)})`;
	const done = changed === 0 ? "Nothing was saved" : `Saved ${formatCounted(changed, "session")} as Markdown ${where}`;
	const [are, them] = damaged === 1 ? ["is", "it"] : ["are", "them"];
	const lost = `${formatCount(damaged)} ${are} damaged: what cannot be read in ${them} is left out`;
	const message = describeOutcome(outcome, { changed, done, left: "are left", notes: damaged === 0 ? [] : [lost] });
	return damaged > 0 && message.tone === "text" ? { ...message, tone: "warning" } : message;
}

/** Creates a directory that only this person can read, as sessions are: "pi-sessions-2026-11-21", "…-2". */
async function makeDirectory(parent: string, day: string): Promise<string> {
	for (let number = 1; ; number++) {
		const path = join(parent, numbered(`pi-sessions-${day}`, number));
		try {
			await mkdir(path, { mode: 0o700 });
			return path;
		} catch (error) {
			if (errorCode(error) !== "EEXIST") throw error;
		}
	}
}
