import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { notedWorktree } from "../catalog/git/git-notes.ts";
import { COMMIT, findGit } from "../catalog/git/git-repository.ts";
import { dirname, join } from "../shared/paths.ts";
import { readTextFileAsync } from "../store/files/open-file.ts";
import { isDirectory } from "../store/files/paths.ts";
import { errorCode, explain } from "../store/files/store-error.ts";
import { emptyRepository, innermost, type RepositoryFacts, repositoryFacts } from "./found-repository.ts";
import { type GitPlace, type GitReason, gitEnvironment, isReason, readGit } from "./git-process.ts";
import { entriesOf, type TreeChange, type TreeEntry, type TreeFile, treeChanges, treeFile } from "./git-trees.ts";
import { ObjectReader } from "./object-reader.ts";

/** What moved HEAD of a worktree. */
export interface HeadMove {
	/** Unix ms, to the second. */
	readonly timeMs: number;
	/** HEAD afterwards. */
	readonly commit: string;
	/** HEAD before; undefined if there was none, or if it is not known. */
	readonly before: string | undefined;
	/** "commit: SUBJECT", "checkout: moving from A to B", "reset: moving to A", …. */
	readonly message: string;
}

export interface CommitName {
	readonly hash: string;
	/** Unix ms, to the second. */
	readonly committedMs: number;
	readonly authorMs: number;
	readonly author: string;
	readonly summary: string;
}

/** A commit that a ref keeps, but no branch. */
interface SnapshotCommit {
	readonly commit: string;
	/** Unix ms, to the second. */
	readonly committedMs: number;
	/** The ref from which it is reached. */
	readonly ref: string;
	readonly message: string;
}

interface FirstParents {
	/** @default HEAD */
	readonly revision?: string | undefined;
	/** Only commits that were committed until then, Unix ms. */
	readonly untilMs?: number | undefined;
	/** Only those in front of the first that was committed until then: a history may have any length. */
	readonly sinceMs?: number | undefined;
	/** How many at most. */
	readonly most?: number | undefined;
}

interface LookedAt extends RepositoryFacts {
	readonly top: string;
	readonly gitDir: string;
	readonly common: string;
	readonly head: string;
	readonly signal: AbortSignal | undefined;
}

/** Nothing of the configuration, of the working tree or of a terminal changes what `git log` prints. */
const LOG = [
	...["log", "--encoding=UTF-8", "--no-color", "--no-show-signature", "--no-notes", "--no-decorate", "--no-follow"],
	...[
		"--no-ext-diff",
		"--no-textconv",
		"--no-relative",
		"--submodule=short",
		"--ignore-submodules=none",
		"-O/dev/null",
	],
];
/** Those of pi-rewind, checkpoint-pi and pi-rewind-hook before its version 1.8, of pi-rewind-hook since then, and of atomic. */
const SNAPSHOT_REFS = ["refs/pi-checkpoints", "refs/pi-rewind", "refs/atomic-checkpoints"];
const NAME_FORMAT = "%H%x00%ct%x00%at%x00%an%x00%s";
const REVISION = /^[0-9a-f]{7,64}(?:[~^]\d*)*$/;
const SECOND_MS = 1000;
/** Longer paths are none that Git could have been given. */
const LONGEST_PATH = 4096;

/**
 * A repository that is looked at, and the only way to ask Git for it. Git gets objects and refs to read, never the working tree, the index
 * or a program: objects through an empty repository of our own, which has its objects but not its configuration, and refs in an
 * environment that begins empty. Names go by standard input. Nothing is ever written, locked or fetched.
 */
export class Repository {
	/** The top of the working tree, as the directory was typed. */
	readonly top: string;
	/** The Git directory of this worktree, and the one that all worktrees share. */
	readonly gitDir: string;
	readonly common: string;
	/** What is checked out: "HEAD", or in a worktree that is gone what was: a ref, or the hash of a commit. */
	readonly head: string;
	/** Whether the history is cut off, as in a shallow clone. */
	readonly isShallow: boolean;
	readonly #objectFormat: string;
	readonly #refs: GitPlace;
	readonly #reader: ObjectReader;

	private constructor(found: LookedAt) {
		const { gitDir, signal } = found;
		({ top: this.top, gitDir: this.gitDir, common: this.common, head: this.head } = found);
		[this.isShallow, this.#objectFormat] = [found.isShallow, found.objectFormat];
		// A working tree without files, and an index that is not there.
		const places = { GIT_DIR: gitDir, GIT_WORK_TREE: gitDir, GIT_INDEX_FILE: join(gitDir, "no index") };
		this.#refs = { directory: gitDir, env: gitEnvironment({ ...places, GIT_NO_REPLACE_OBJECTS: "1" }), signal };
		this.#reader = new ObjectReader(() => this.#objects());
	}

	/**
	 * The innermost repository that a directory is in; of one that is gone, that of the worktree which it was, else of what is left above it.
	 * Undefined if it is in none.
	 */
	static async open(directory: string, signal?: AbortSignal): Promise<Repository | GitReason | undefined> {
		const isThere = isDirectory(directory);
		const worktree = isThere ? undefined : notedWorktree(directory, { env: process.env, home: homedir() });
		const isNoted = worktree !== undefined && isDirectory(worktree.repository);
		const bare = isNoted ? worktree.repository : "";
		const isBare = bare !== "" && ["HEAD", "objects", "refs"].every((name) => existsSync(join(bare, name)));
		// Only where it was noted that its worktree had been here, a bare repository is taken.
		let place = isBare
			? { top: bare, gitDir: bare, common: bare }
			: await innermost(isNoted ? worktree.repository : directory);
		for (;;) {
			// A repository of dotfiles is not that of every project that was once below it.
			if (place === undefined || (!isThere && !isNoted && place.top === homedir())) return undefined;
			const facts = await repositoryFacts(place, signal);
			if (isReason(facts)) return facts;
			if (facts !== undefined) {
				const kind = isNoted ? { top: worktree.path, head: refOf(worktree.head) } : { head: "HEAD" };
				return new Repository({ ...place, ...facts, ...kind, signal });
			}
			// A ".git" that is no repository: Git goes on above it.
			if (dirname(place.top) === place.top) return undefined;
			place = await findGit(dirname(place.top));
		}
	}

	/** What moved HEAD of this worktree, the oldest first; none if nothing is noted, or if the worktree is gone. */
	async headMoves(): Promise<readonly HeadMove[] | GitReason> {
		if (this.head !== "HEAD") return [];
		if (existsSync(join(this.common, "reftable"))) return this.#reflog();
		const log = await readTextFileAsync(join(this.gitDir, "logs", "HEAD")).catch((error: unknown) => {
			return errorCode(error) === "ENOENT" ? "" : { reason: `its reflog cannot be read: ${explain(error)}` };
		});
		if (isReason(log)) return log;
		return log.split("\n").flatMap((line) => {
			const [, before = "", commit, seconds, message = ""] =
				/^([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d+) [-+]\d+(?:\t(.*))?$/.exec(line) ?? [];
			if (commit === undefined) return [];
			return [{ timeMs: Number(seconds) * 1000, commit, before: /^0+$/.test(before) ? undefined : before, message }];
		});
	}

	/** The reflog where it is not a file of lines. */
	async #reflog(): Promise<readonly HeadMove[] | GitReason> {
		const log = await this.#names([...LOG, "-g", "--format=%H%x00%gd%x00%gs", "--date=unix", "HEAD", "--"]);
		if (isReason(log)) return log;
		return log.toReversed().map(([commit = "", selector = "", message = ""], index, all) => {
			const seconds = /@\{(\d+)\}$/.exec(selector)?.[1];
			return { timeMs: Number(seconds) * 1000, commit, before: all[index - 1]?.[0], message };
		});
	}

	/**
	 * When a commit was made, Unix ms: its object is as old, until it is packed. Undefined if that is not known, or if it is of another second:
	 * it may have been fetched since.
	 */
	async madeMs({ commit, timeMs }: Pick<HeadMove, "commit" | "timeMs">): Promise<number | undefined> {
		const object = join(this.common, "objects", commit.slice(0, 2), commit.slice(2));
		const ms = (await stat(object).catch(() => undefined))?.mtimeMs ?? 0;
		// Times that were copied may have been cut to seconds.
		return ms > timeMs && ms < timeMs + SECOND_MS ? ms : undefined;
	}

	/** The history of a revision by first parents, the newest first; none where nothing is committed yet. */
	async firstParents({
		revision,
		untilMs,
		sinceMs,
		most,
	}: FirstParents = {}): Promise<readonly CommitName[] | GitReason> {
		const limits = [
			...(untilMs === undefined ? [] : [`--min-age=${Math.floor(untilMs / 1000)}`]),
			...(sinceMs === undefined ? [] : [`--max-age=${Math.floor(sinceMs / 1000) + 1}`]),
			...(most === undefined ? [] : [`--max-count=${most}`]),
		];
		const format = ["--encoding=UTF-8", `--format=${NAME_FORMAT}`, "--first-parent"];
		let reason: GitReason = { reason: "Git does not know it" };
		// The branch of a worktree that is gone may be gone, too.
		for (const one of revision === undefined ? new Set([this.head, "HEAD"]) : [revision]) {
			const names = await this.#names(["rev-list", ...format, ...limits, "--end-of-options", one, "--"]);
			if (!isReason(names)) return names.map(commitName);
			if (one === "HEAD" && /bad revision 'HEAD'/.test(names.reason)) return [];
			reason = unknownRevision(one, names);
		}
		return reason;
	}

	/** Runs Git for lines of fields; lines with one field, the heads of `rev-list`, are left out. */
	async #names(args: readonly string[]): Promise<readonly (readonly string[])[] | GitReason> {
		const output = await readGit(args, this.#refs);
		if (isReason(output)) return output;
		return output.split("\n").flatMap((line) => (line.includes("\0") ? [line.split("\0")] : []));
	}

	/** The commit that a revision names. */
	async resolve(revision: string): Promise<string | GitReason> {
		const args = ["rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`];
		const hash = await readGit(args, this.#refs);
		return isReason(hash) ? unknownRevision(revision, hash) : hash.trim();
	}

	/** Whether there may be refs of these names, or below them: most repositories have none, and Git need not be started. */
	async mayHaveRefs(names: readonly string[]): Promise<boolean> {
		if ([...names, "reftable"].some((name) => existsSync(join(this.common, name)))) return true;
		const packed = await readTextFileAsync(join(this.common, "packed-refs")).catch(() => "");
		return names.some((name) => packed.includes(` ${name}`));
	}

	/** The commits behind the refs of tools that keep snapshots, committed since a time (Unix ms). */
	async snapshotCommits(sinceMs: number): Promise<readonly SnapshotCommit[] | GitReason> {
		if (!(await this.mayHaveRefs(SNAPSHOT_REFS))) return [];
		const which = [...SNAPSHOT_REFS.map((ref) => `--glob=${ref}`), `--max-age=${Math.floor(sinceMs / 1000)}`];
		const output = await readGit([...LOG, "-z", "--source", ...which, "--format=%H %ct %S%n%B"], this.#refs);
		if (isReason(output)) return output;
		return output.split("\0").flatMap((one) => {
			const [, commit, seconds, ref = "", message = ""] = /^([0-9a-f]+) (\d+) ([^\n]*)\n(.*)$/s.exec(one) ?? [];
			return commit === undefined ? [] : [{ commit, committedMs: Number(seconds) * 1000, ref, message }];
		});
	}

	/** The files that differ between pairs of commits, without renames; `before` undefined: all files are new. */
	async differences(
		pairs: readonly { readonly before: string | undefined; readonly after: string }[],
	): Promise<readonly (readonly TreeChange[])[] | GitReason> {
		if (pairs.length === 0) return [];
		const all = pairs.flatMap(({ before, after }) => (before === undefined ? [after] : [before, after]));
		const strange = all.find((hash) => !COMMIT.test(hash));
		if (strange !== undefined) return unknownRevision(strange);
		const alone = pairs.flatMap(({ before, after }) => (before === undefined ? [after] : []));
		const trees = await this.#reader.read(alone.map((hash) => `${hash}^{tree}`));
		if (isReason(trees)) return trees;
		const treeOf = new Map(alone.map((hash, index) => [hash, trees[index]?.id]));
		const none = this.#objectFormat === "sha256" ? EMPTY_SHA256 : EMPTY_SHA1;
		const lines = pairs.map(({ before, after }) => {
			return before === undefined ? `${none} ${treeOf.get(after) ?? after}` : `${after} ${before}`;
		});
		const args = ["diff-tree", "--stdin", "-r", "-z", "--raw", "--always", "--no-renames", "--ignore-submodules=none"];
		const output = await readGit(args, await this.#objects(), `${lines.join("\n")}\n`);
		if (isReason(output)) return output;
		const changes = treeChanges(output);
		if (changes.length !== pairs.length) return { reason: "git failed: it does not have all of the commits" };
		return changes;
	}

	/** The files at paths in commits (hashes, also short ones, perhaps with `~` and `^`); undefined for what is not there, or is a directory. */
	async find(
		names: readonly { readonly commit: string; readonly path: string }[],
	): Promise<readonly (TreeFile | undefined)[] | GitReason> {
		const trees = new Map<string, ReadonlyMap<string, TreeEntry>>();
		const files: (TreeFile | undefined)[] = names.map(() => undefined);
		const strange = names.find(({ commit }) => !REVISION.test(commit));
		if (strange !== undefined) return unknownRevision(strange.commit);
		let open = names.map(({ commit, path }, index) => {
			return { index, tree: `${commit}^{tree}`, parts: Buffer.from(path).toString("latin1").split("/") };
		});
		for (let depth = 0; open.length > 0; depth++) {
			const missingTrees = [...new Set(open.map(({ tree }) => tree))].filter((tree) => !trees.has(tree));
			const objects = await this.#reader.read(missingTrees);
			if (isReason(objects)) return objects;
			for (const [index, tree] of missingTrees.entries()) {
				const object = objects[index];
				if (object?.type !== "tree") return { reason: `Git does not have ${tree.replace("^{tree}", "")}` };
				trees.set(tree, entriesOf(object.content, object.id.length / 2));
			}
			open = open.flatMap(({ index, tree, parts }) => {
				const entry = trees.get(tree)?.get(parts[depth] ?? "");
				const isLast = depth === parts.length - 1;
				if (entry !== undefined && isLast) files[index] = treeFile(entry.mode, entry.id);
				return entry?.mode === DIRECTORY && !isLast ? [{ index, tree: entry.id, parts }] : [];
			});
		}
		return files;
	}

	/** All files of a commit, by their paths. */
	async tree(commit: string): Promise<ReadonlyMap<string, TreeFile> | GitReason> {
		const args = ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit];
		const output = COMMIT.test(commit) ? await readGit(args, await this.#objects()) : unknownRevision(commit);
		if (isReason(output)) return output;
		const files = new Map<string, TreeFile>();
		for (const line of output.split("\0")) {
			const [, mode = "", id = "", path = ""] = /^(\d+) [a-z]+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
			const file = treeFile(mode, id);
			if (file !== undefined) files.set(path, file);
		}
		return files;
	}

	/** Contents as Git stores them, by the names of their objects; what the repository does not have is left out. */
	async blobs(ids: Iterable<string>): Promise<ReadonlyMap<string, Buffer> | GitReason> {
		const names = [...new Set(ids)].filter((id) => COMMIT.test(id));
		const objects = await this.#reader.read(names);
		if (isReason(objects)) return objects;
		return new Map(
			objects.flatMap((object) => (object?.type === "blob" ? [[object.id, object.content] as const] : [])),
		);
	}

	/** What `git blame --porcelain` says of lines of a file in a commit. */
	async blame(
		commit: string,
		path: string,
		{ from, to }: { readonly from: number; readonly to: number },
	): Promise<string | GitReason> {
		if (!COMMIT.test(commit)) return unknownRevision(commit);
		if (path.includes("\0") || Buffer.byteLength(path) > LONGEST_PATH) return { reason: "Git does not have the file" };
		const how = ["--porcelain", "--encoding=UTF-8", "--no-textconv", "--no-ignore-revs-file", `-L${from},${to}`];
		return readGit(["blame", ...how, commit, "--", path], await this.#objects());
	}

	/** Commits themselves, in a format of `git log`. */
	async show(format: string, commits: readonly string[]): Promise<string | GitReason> {
		if (commits.length === 0) return "";
		const args = [...LOG, "--no-walk=unsorted", "--stdin", `--format=${format}`];
		return readGit(args, await this.#objects(), `${commits.filter((hash) => COMMIT.test(hash)).join("\n")}\n`);
	}

	/** The names of commits; what the repository does not have is left out. */
	async commitNames(commits: readonly string[]): Promise<readonly CommitName[] | GitReason> {
		const names = await this.show(NAME_FORMAT, commits);
		if (isReason(names)) return names;
		return names.split("\n").flatMap((line) => (line.includes("\0") ? [commitName(line.split("\0"))] : []));
	}

	/** Ends the process that reads objects. */
	close(): void {
		this.#reader.close();
	}

	/** Where Git has the objects, and no configuration but ours. */
	async #objects(): Promise<GitPlace> {
		const directory = await emptyRepository(this.#objectFormat);
		if (directory === undefined) return this.#refs;
		const env = {
			...{ GIT_DIR: directory, GIT_WORK_TREE: directory, GIT_OBJECT_DIRECTORY: join(this.common, "objects") },
			...(this.isShallow ? { GIT_SHALLOW_FILE: join(this.common, "shallow") } : {}),
		};
		return { ...this.#refs, directory, env: gitEnvironment(env) };
	}
}

const EMPTY_SHA1 = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const EMPTY_SHA256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";
const DIRECTORY = "40000";

/** The ref of a branch, or the commit itself. */
function refOf(head: string): string {
	return COMMIT.test(head) ? head : `refs/heads/${head}`;
}

function unknownRevision(revision: string, reason?: GitReason): GitReason {
	const isUnknown = reason === undefined || /single revision|bad revision|unknown revision/.test(reason.reason);
	if (!isUnknown) return reason;
	return { reason: revision === "HEAD" ? "nothing is committed yet" : `Git does not know ${revision}` };
}

function commitName([hash = "", committed, authored, author = "", summary = ""]: readonly string[]): CommitName {
	return { hash, committedMs: Number(committed) * 1000, authorMs: Number(authored) * 1000, author, summary };
}
