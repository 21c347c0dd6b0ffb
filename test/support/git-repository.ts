import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A real Git repository in which commits are made at given times. */
export class GitRepository {
	readonly path: string;

	constructor(path: string) {
		this.path = path;
		mkdirSync(path, { recursive: true });
		this.git("init", "--quiet", "--initial-branch=main");
	}

	git(...args: readonly string[]): string {
		return this.gitAt(Date.UTC(2026, 0, 1), ...args);
	}

	/** The same with a time (Unix ms) for what is committed. */
	gitAt(timeMs: number, ...args: readonly string[]): string {
		return this.#run(timeMs, {}, args);
	}

	/** The same with more variables of the environment. */
	gitWith(variables: Readonly<Record<string, string>>, ...args: readonly string[]): string {
		return this.#run(Date.UTC(2026, 0, 1), variables, args);
	}

	#run(timeMs: number, variables: Readonly<Record<string, string>>, args: readonly string[]): string {
		const date = `${Math.floor(timeMs / 1000)} +0000`;
		const person = {
			GIT_AUTHOR_NAME: "Jane",
			GIT_AUTHOR_EMAIL: "j@x",
			GIT_COMMITTER_NAME: "Jane",
			GIT_COMMITTER_EMAIL: "j@x",
		};
		return execFileSync("git", ["-C", this.path, ...args], {
			encoding: "utf8",
			env: {
				...process.env,
				...person,
				...variables,
				GIT_AUTHOR_DATE: date,
				GIT_COMMITTER_DATE: date,
				GIT_CONFIG_GLOBAL: "/dev/null",
				GIT_CONFIG_NOSYSTEM: "1",
			},
		}).trim();
	}

	/** Writes what belongs to it of some files, as they are on a test's disk. */
	put(disk: ReadonlyMap<string, string>): void {
		for (const [path, text] of disk) {
			if (!path.startsWith(`${this.path}/`)) continue;
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, text);
		}
	}

	/** Commits all that there is; returns the hash. */
	commit(timeMs: number, message: string): string {
		this.git("add", "--all");
		this.gitAt(timeMs, "commit", "--quiet", "--allow-empty", "-m", message);
		return this.git("rev-parse", "HEAD");
	}

	file(name: string): string {
		return join(this.path, name);
	}
}
