import type { RemovedWorktree } from "../../../catalog/git/git-notes.ts";
import { COMMIT } from "../../../catalog/git/git-repository.ts";
import type { Choice } from "../../../changes/answer.ts";
import { formatCount, shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { sessionsIn } from "../list/session-groups.ts";
import type { Effect, ResumeRequest } from "../state/effect.ts";
import { type EffectQuestion, type MenuItem, type MenuOverlay, openOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";
import { questionMenu } from "./ask.ts";
import { destinationPrompt } from "./destination-prompt.ts";

/** A session to resume whose directory does not exist; `worktree`: it was in one that can be made again. */
interface MissingDirectory {
	readonly request: ResumeRequest;
	readonly worktree?: RemovedWorktree;
}

/** The choices that pi offers, and the worktree to be made again. `cwd`: where the program runs. */
export function missingDirectoryQuestion(
	{ request, worktree }: MissingDirectory,
	{ cwd, home }: { readonly cwd: string; readonly home: string },
): EffectQuestion {
	const here = shortenHome(cwd, home);
	return {
		title: "The session's directory does not exist",
		body: [{ text: shortenHome(request.cwd, home), tone: "warning", shape: "row" }],
		choices: [
			...(worktree === undefined ? [] : [worktreeChoice(worktree, request)]),
			{ label: `Resume in ${here}`, effect: { type: "resume", request: { ...request, cwd } } },
			{ label: `Fork into ${here} and resume the fork`, effect: { type: "resume-fork", request: { ...request, cwd } } },
			{ label: "Cancel" },
		],
		danger: false,
	};
}

function worktreeChoice(worktree: RemovedWorktree, request: ResumeRequest): Choice<Effect> {
	const head = COMMIT.test(worktree.head) ? `at ${worktree.head.slice(0, 8)}` : `of branch ${worktree.head}`;
	return {
		label: sanitizeLine(`Make its worktree ${head} again, and resume there`),
		effect: { type: "make-worktree", worktree, request },
	};
}

/** The same question with further choices: another directory for this session, or for all of the missing one. */
export function missingDirectoryMenu(state: State, missing: MissingDirectory): MenuOverlay {
	const { request, worktree } = missing;
	const rows = sessionsIn(state, request.cwd);
	const elsewhere: MenuItem = {
		label: "Resume in another directory…",
		change: (now) => openOverlay(now, destinationPrompt(now, { resume: request })),
	};
	const move: MenuItem = {
		label: `Move the directory's ${formatCount(rows.length)} sessions to another one…`,
		change: (now) => openOverlay(now, destinationPrompt(now, { rows, archives: true })),
	};
	const menu = questionMenu(state, missingDirectoryQuestion(missing, state.environment));
	const first = worktree === undefined ? 0 : 1;
	return { ...menu, items: menu.items.toSpliced(first, 0, elsewhere, ...(rows.length < 2 ? [] : [move])) };
}
