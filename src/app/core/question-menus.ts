import type { RemovedWorktree } from "../../catalog/git/git-notes.ts";
import { COMMIT } from "../../catalog/git/git-repository.ts";
import { formatCount, shortenHome } from "../../ui/text/format.ts";
import { span } from "../../ui/text/line.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import { destinationPrompt } from "../features/maintenance/destination-field.ts";
import { sessionsIn } from "../world/list/session-groups.ts";
import { CANCEL, menu, sentence, titleRow } from "../world/screen/menus.ts";
import { type ResumeRequest, windowOf } from "../world/state/effect.ts";
import { type MenuItem, type MenuOverlay, openOverlay, type Question } from "../world/state/overlays.ts";
import type { State } from "../world/state/state.ts";

/** The menu for a question of an effect. */
export function questionMenu(state: State, { title, about, body, choices, danger }: Question): MenuOverlay {
	const head = about === undefined ? [] : [titleRow(sanitizeLine(about))];
	const rows = body.flatMap((text) => sentence(state, text));
	return menu(title, [...head, ...rows], { items: choices, danger });
}

/**
 * For a session whose directory is missing: the three choices that pi offers, another directory to resume it in, or one that all
 * sessions of the missing directory belong to now, and its worktree to be made again, if it was in one.
 */
export function missingDirectoryMenu(
	state: State,
	{ request, worktree }: { readonly request: ResumeRequest; readonly worktree?: RemovedWorktree },
): MenuOverlay {
	const { cwd, home } = state.environment;
	const here = shortenHome(cwd, home);
	const resumeElsewhere = { type: "destination", resume: request } as const;
	const rows = sessionsIn(state, request.cwd);
	const move = { type: "destination", rows, archives: true } as const;
	return menu(
		"The session's directory does not exist",
		[[span(sanitizeLine(shortenHome(request.cwd, home)), "warning")]],
		{
			items: [
				...(worktree === undefined ? [] : [worktreeItem(worktree, request)]),
				{
					label: "Resume in another directory…",
					change: (now) => openOverlay(now, destinationPrompt(resumeElsewhere, home)),
				},
				...(rows.length < 2
					? []
					: [
							{
								label: `Move the directory’s ${formatCount(rows.length)} sessions to another one…`,
								change: (now: State) => openOverlay(now, destinationPrompt(move, home)),
							},
						]),
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

function worktreeItem(worktree: RemovedWorktree, request: ResumeRequest): MenuItem {
	const head = COMMIT.test(worktree.head) ? `at ${worktree.head.slice(0, 8)}` : `of branch ${worktree.head}`;
	return {
		label: sanitizeLine(`Make its worktree ${head} again, and resume there`),
		effect: { type: "make-worktree", worktree, request },
	};
}
