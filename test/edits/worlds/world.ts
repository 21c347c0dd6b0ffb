import { spawnSync } from "node:child_process";
import { lutimesSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type Author, Authors } from "./authors.ts";
import { Chance } from "./chance.ts";
import { fileOnDisk, isIgnored, type Snapshot, scan } from "./disk.ts";
import type { WorldSession } from "./world-session.ts";

/** Something that was done, with the files that it changed. */
export interface Deed {
	/** Which operation it belongs to: "git mv", "by hand: edit". */
	readonly operation: string;
	/** Whether it is a command whose words say what it does to which files. */
	readonly isPlain: boolean;
	readonly author: Author;
	readonly text: string;
	/** By path; undefined if it is gone. */
	readonly changed: ReadonlyMap<string, string | undefined>;
}

/** What an operation may say of itself. */
export interface Operation {
	readonly name: string;
	readonly isPlain: boolean;
}

const PERSON: Author = { session: "", entryId: "", how: "hand" };

const START = Date.UTC(2025, 2, 3, 8);

/** Directories with files, the sessions that worked in them, and the truth about each moment. */
export class World {
	readonly dir: string;
	readonly home: string;
	readonly agentDir: string;
	readonly seed: number;
	readonly chance: Chance;
	readonly isGit: boolean;
	readonly sessions: WorldSession[] = [];
	readonly deeds: Deed[] = [];
	readonly authors = new Authors();
	/** The repository and its worktrees, as they are now. */
	readonly now = new Map<string, Snapshot>();
	/** Unix ms. */
	clock: number;
	operation: Operation = { name: "begin", isPlain: false };
	readonly #env: NodeJS.ProcessEnv;

	/** Everything is made below `dir`, which is there; `home` is that of the person. */
	constructor(dir: string, home: string, seed: number) {
		this.dir = dir;
		this.home = home;
		this.agentDir = join(home, ".pi", "agent");
		this.seed = seed;
		this.chance = new Chance(seed);
		this.clock = START + seed * 1000;
		this.isGit = !this.chance.is(0.12);
		mkdirSync(home, { recursive: true });
		const settings = [
			"[user]",
			"name = Ada",
			"email = ada@example.org",
			"[init]",
			"defaultBranch = main",
			"[gc]",
			"auto = 0",
		];
		settings.push("[advice]", "detachedHead = false", "[core]", "quotePath = false", "");
		writeFileSync(join(home, ".gitconfig"), settings.join("\n"));
		this.#env = {
			...{ HOME: home, TZ: "UTC", LC_ALL: "C.UTF-8", PATH: process.env.PATH },
			...{ GIT_CEILING_DIRECTORIES: dir, GIT_CONFIG_NOSYSTEM: "1", GIT_EDITOR: "true" },
		};
	}

	/** The directory of the repository. */
	get root(): string {
		return join(this.dir, "app");
	}

	/** Where the one other worktree is, if there is one. */
	get side(): string {
		return join(this.dir, "side");
	}

	wait(fromSeconds: number, toSeconds: number): void {
		this.clock += 1000 * (fromSeconds + this.chance.below(toSeconds - fromSeconds)) + this.chance.below(1000);
	}

	/** Runs a command line at this moment; tests and runs of pi are none, and change nothing. */
	shell(command: string, cwd: string): { readonly output: string; readonly exitCode: number } {
		if (/^(?:npm|pi) /.test(command)) return { output: "", exitCode: 0 };
		const date = `@${Math.floor(this.clock / 1000)} +0000`;
		const env = { ...this.#env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
		const { stdout, stderr, status } = spawnSync("sh", ["-c", command], { cwd, env, encoding: "utf8" });
		return { output: stdout + stderr, exitCode: status ?? 1 };
	}

	/** What a person does, between two entries: a command, or something to the disk. Returns whether it succeeded. */
	byHand(text: string, work: () => void, root?: string): boolean;
	byHand(command: string, work?: undefined, root?: string): boolean;
	byHand(text: string, work: (() => void) | undefined, root = this.root): boolean {
		this.wait(60, 3600);
		let exitCode = 0;
		if (work === undefined) ({ exitCode } = this.shell(text, root));
		else work();
		this.look(PERSON, text);
		this.wait(5, 60);
		return exitCode === 0;
	}

	/** A directory whose files count from now on. */
	addRoot(root: string): void {
		this.now.set(root, new Map());
		this.look(PERSON, `made ${relative(this.dir, root)}`);
	}

	removeRoot(root: string): void {
		rmSync(root, { recursive: true, force: true });
		this.look(PERSON, `removed ${relative(this.dir, root)}`);
		this.now.delete(root);
	}

	/** Takes the disk as it is now; `only`: the one path that may have changed, absolute. */
	look(author: Author, text: string, only?: string): void {
		const changed = new Map<string, string | undefined>();
		for (const [root, old] of this.now) {
			const name = only === undefined ? "" : relative(root, only);
			if (name.startsWith("..")) continue;
			const now = name === "" ? scan(root, old) : withFile(root, name, old);
			const names = [...new Set([...old.keys(), ...now.keys()])].filter((one) => old.get(one) !== now.get(one));
			this.authors.take(root, names, old, now, author);
			for (const one of names) {
				changed.set(join(root, one), now.get(one)?.blob);
				// The disk says when a file was changed, in the time of the world.
				if (now.has(one)) lutimesSync(join(root, one), this.clock / 1000, this.clock / 1000);
			}
			this.now.set(root, now);
		}
		const { name, isPlain } = this.operation;
		this.deeds.push({ operation: name, isPlain, author, text, changed });
	}

	/** Files of a directory that can be worked on, by name: no links, nothing of the project's own settings. */
	files(root: string, isWanted: (name: string) => boolean = () => true): readonly string[] {
		const all = [...(this.now.get(root) ?? [])];
		const plain = all.filter(([name, { isLink }]) => !isLink && !isIgnored(name) && !/^\.gitignore$|\.bin$/.test(name));
		return plain.map(([name]) => name).filter(isWanted);
	}

	folders(root: string): readonly string[] {
		return [...new Set(this.files(root).map((name) => dirname(name)))].filter((name) => name !== ".");
	}

	text(root: string, name: string): string {
		return this.now.get(root)?.get(name)?.bytes.toString() ?? "";
	}
}

function withFile(root: string, name: string, old: Snapshot): Snapshot {
	const file = fileOnDisk(root, name, old);
	const now = new Map(old);
	if (file === undefined) now.delete(name);
	else now.set(name, file);
	return now;
}
