import { shortenHome } from "../../ui/text/format.ts";
import { span } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { openAtDirectory } from "../features/maintenance/maintenance-actions.ts";
import { CANCEL, menu, sentence, titleRow } from "../world/screen/menus.ts";
import { type ResumeRequest, windowOf } from "../world/state/effect.ts";
import type { MenuOverlay, Question } from "../world/state/overlays.ts";
import type { State } from "../world/state/state.ts";

/** The menu for a question of an effect. */
export function questionMenu(state: State, { title, about, body, choices, danger }: Question): MenuOverlay {
	const head = about === undefined ? [] : [titleRow(sanitizeLine(about))];
	const rows = body.flatMap((text) => sentence(state, text));
	return menu(title, [...head, ...rows], { items: choices, danger });
}

/** For a session whose directory is missing: the three choices that pi offers, and where the directory may be now. */
export function missingDirectoryMenu(state: State, request: ResumeRequest): MenuOverlay {
	const { cwd, home } = state.environment;
	const here = shortenHome(cwd, home);
	return menu(
		"The session's directory does not exist",
		[[span(sanitizeLine(shortenHome(request.cwd, home)), "warning")]],
		{
			items: [
				{ label: "See where its project may be now", change: (now) => openAtDirectory(now, request.cwd) },
				{ label: `Resume in ${here}`, effect: { type: "resume", request: { ...request, cwd } } },
				{
					label: `Fork into ${here} and resume the fork`,
					effect: { type: "fork", path: request.path, cwd, resume: true, ...windowOf(request) },
				},
				CANCEL,
			],
		},
	);
}
