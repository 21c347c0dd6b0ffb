import { execFile } from "node:child_process";
import type { RemovedWorktree } from "../../../../catalog/git/git-notes.ts";
import type { Action } from "../../state/action.ts";

/** Makes a removed worktree again; undefined on success, else the error of Git. */
export function makeWorktree({ repository, path, head }: RemovedWorktree): Promise<Action | undefined> {
	const args = ["-C", repository, "worktree", "add", "--", path, head];
	return new Promise((resolve) => {
		execFile("git", args, { encoding: "utf8" }, (error, _, stderr) => {
			if (error === null) return resolve(undefined);
			const reason = stderr.trim() || (error.code === "ENOENT" ? "git is not installed" : error.message);
			resolve({
				type: "ask",
				question: {
					title: "Git could not make the worktree",
					about: path,
					body: reason.split("\n"),
					choices: [{ label: "Close" }],
					danger: false,
				},
			});
		});
	});
}
