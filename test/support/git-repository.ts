import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Not the process that each commit starts to look whether there is something to pack. */
const NO_MAINTENANCE = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "maintenance.auto", GIT_CONFIG_VALUE_0: "false" };

/** In one shell: to start a process from that of the tests takes longer than Git takes. */
const COMMIT = 'cd "$0"; git add --all; git commit --quiet --allow-empty -m "$1"; git rev-parse HEAD';

/** A real Git repository in which commits are made at given times. */
export class GitRepository {
	readonly path: string;

	constructor(path: string) {
		this.path = path;
		if (existsSync(this.file(".git"))) return;
		// As `git init` makes it, without a process.
		for (const directory of ["objects", "refs", "info"])
			mkdirSync(this.file(join(".git", directory)), { recursive: true });
		writeFileSync(this.file(".git/HEAD"), "ref: refs/heads/main\n");
		writeFileSync(this.file(".git/config"), `[core]\n\trepositoryformatversion = 0\n\tlogallrefupdates = true\n`);
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

	#run(
		timeMs: number,
		variables: Readonly<Record<string, string>>,
		args: readonly string[],
		program: readonly [string, ...string[]] = ["git", "-C", this.path],
	): string {
		const date = `${Math.floor(timeMs / 1000)} +0000`;
		const person = {
			GIT_AUTHOR_NAME: "Jane",
			GIT_AUTHOR_EMAIL: "j@x",
			GIT_COMMITTER_NAME: "Jane",
			GIT_COMMITTER_EMAIL: "j@x",
		};
		const [command, ...first] = program;
		return execFileSync(command, [...first, ...args], {
			encoding: "utf8",
			env: {
				...process.env,
				...person,
				...variables,
				GIT_AUTHOR_DATE: date,
				GIT_COMMITTER_DATE: date,
				GIT_CONFIG_GLOBAL: "/dev/null",
				GIT_CONFIG_NOSYSTEM: "1",
				...NO_MAINTENANCE,
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
		return this.#run(timeMs, {}, [COMMIT, this.path, message], ["sh", "-ec"]);
	}

	file(name: string): string {
		return join(this.path, name);
	}
}
