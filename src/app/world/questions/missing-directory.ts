import type { RemovedWorktree } from "../../../catalog/git/git-notes.ts";
import { COMMIT } from "../../../catalog/git/git-repository.ts";
import type { Choice } from "../../../changes/answer.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import type { Effect, ResumeRequest } from "../state/effect.ts";
import type { Question } from "../state/overlays.ts";

/** A session to resume whose directory does not exist; `worktree`: it was in one that can be made again. */
export interface MissingDirectory {
	readonly request: ResumeRequest;
	readonly worktree?: RemovedWorktree;
}

/** The choices that pi offers, and the worktree to be made again. `cwd`: where the program runs. */
export function missingDirectoryQuestion(
	{ request, worktree }: MissingDirectory,
	{ cwd, home }: { readonly cwd: string; readonly home: string },
): Question {
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
