import { formatCount } from "../../ui/text/format.ts";
import { destinationPrompt } from "../features/maintenance/destination-field.ts";
import { sessionsIn } from "../world/list/session-groups.ts";
import { questionMenu } from "../world/questions/ask.ts";
import { type MissingDirectory, missingDirectoryQuestion } from "../world/questions/missing-directory.ts";
import { type MenuItem, type MenuOverlay, openOverlay } from "../world/state/overlays.ts";
import type { State } from "../world/state/state.ts";

/** The question about a session whose directory is missing, with another directory to resume it in, or for all sessions of that one. */
export function missingDirectoryMenu(state: State, missing: MissingDirectory): MenuOverlay {
	const { home } = state.environment;
	const { request } = missing;
	const rows = sessionsIn(state, request.cwd);
	const elsewhere: MenuItem = {
		label: "Resume in another directory…",
		change: (now) => openOverlay(now, destinationPrompt({ type: "destination", resume: request }, home)),
	};
	const move: MenuItem = {
		label: `Move the directory’s ${formatCount(rows.length)} sessions to another one…`,
		change: (now) => openOverlay(now, destinationPrompt({ type: "destination", rows, archives: true }, home)),
	};
	const menu = questionMenu(state, missingDirectoryQuestion(missing, state.environment));
	const first = missing.worktree === undefined ? 0 : 1;
	return { ...menu, items: menu.items.toSpliced(first, 0, elsewhere, ...(rows.length < 2 ? [] : [move])) };
}
