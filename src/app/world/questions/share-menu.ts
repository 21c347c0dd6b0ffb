import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Note } from "../../../changes/answer.ts";
import { titleNotes } from "../../../changes/engine/question-notes.ts";
import { formatCounted, shortenHome } from "../../../ui/text/format.ts";
import { familiesOf, runsBelow } from "../list/families.ts";
import type { MenuItem, MenuOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";
import { questionMenu } from "./ask.ts";

/** Asks in which form the conversations of sessions are saved, each from its first prompt to its leaf. */
export function shareMenu(state: State, rows: readonly SessionRow[]): MenuOverlay {
	const isOne = rows.length === 1;
	const families = familiesOf(state.catalog.rows);
	const family = [...new Set(rows.flatMap((row) => [row, ...runsBelow(row, families)]))];
	const runs = family.length - rows.length;
	const withRuns = (what: string, to: "html" | "markdown"): MenuItem => ({
		label: `Save with ${formatCounted(runs, "run")} as ${what}`,
		effect: { type: "share-sessions", rows: family, to },
	});
	return questionMenu(state, {
		title: isOne ? "Save or share" : `Save or share ${formatCounted(rows.length, "session")}`,
		body: [...titleNotes(rows), ...shareNotes(state, isOne ? "file" : "directory")],
		choices: [
			{
				label: isOne ? "Save as a web page" : "Save as web pages",
				effect: { type: "share-sessions", rows, to: "html" },
			},
			{ label: "Save as Markdown", effect: { type: "share-sessions", rows, to: "markdown" } },
			...(runs === 0 ? [] : [withRuns("web pages", "html"), withRuns("Markdown", "markdown")]),
			...(isOne
				? [{ label: "Copy as Markdown", effect: { type: "share-sessions", rows, to: "clipboard" } } as const]
				: []),
		],
		danger: false,
	});
}

/** Where shared files are saved, and that they have to be read before they are handed on. */
export function shareNotes({ environment }: State, what: "file" | "directory" = "file"): readonly Note[] {
	const { cwd, savesTo = cwd, home } = environment;
	const where = shortenHome(savesTo, home);
	const place =
		what === "file" ? `Files go to ${where}, under a free name.` : `Files go to a new directory in ${where}.`;
	const masked =
		"Keys, passwords, mail addresses and your home directory are masked where their form gives them away: read it before you share it.";
	return [place, masked].map((text) => ({ text, tone: "muted" }));
}
