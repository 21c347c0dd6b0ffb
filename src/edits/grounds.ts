import { readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { findGit } from "../catalog/git/git-repository.ts";
import { attempt } from "../shared/attempt.ts";
import { basename, dirname, isOfThisSystem, isWithin, join, nameFrom, prefixOf, resolve } from "../shared/paths.ts";
import { mapInTurn } from "../shared/steps.ts";
import { fileKey, rulesOf, Spellings } from "../shared/system.ts";
import { isReason } from "./git-process.ts";
import type { TreeFile } from "./git-trees.ts";
import type { HeadEvent, NamedFile } from "./ledger-events.ts";
import { Repository } from "./repository.ts";
import type { SessionEvent } from "./session-events.ts";
import { readSnapshots, type TreeSnapshot } from "./snapshots.ts";

/** A clone that stands for the repository of sessions of another machine. */
export interface CloneOf {
	/** The top of the repository there. */
	readonly top: string;
	/** The clone here. */
	readonly here: string;
}

/** A repository, or a worktree, in which sessions worked, and what its Git tells. */
export class WorktreeGround {
	/** The top of the working tree, as sessions name it. */
	readonly top: string;
	readonly repository: Repository;
	/** The commit that was checked out when the first session began here; undefined for none. */
	base: string | undefined;
	/** Whether no reflog says so: it is the newest one from before. */
	isBaseGuessed = false;
	/** What HEAD did since, oldest first. */
	heads: readonly HeadEvent[] = [];
	/** What other tools kept of its files since, oldest first. */
	snapshots: readonly TreeSnapshot[] = [];
	/** Why Git cannot tell; "" for no reason. */
	reason = "";
	readonly #changes = new Map<HeadEvent, ReadonlyMap<string, TreeFile | undefined>>();
	readonly #named = new Map<string, TreeFile | undefined>();
	#blobs = new Map<string, Buffer>();
	/** The files that are checked out while events are brought into order. */
	#now: Set<string> | undefined;
	readonly #spellings: Spellings;

	constructor(top: string, repository: Repository, spellings: Spellings) {
		this.top = top;
		this.repository = repository;
		this.#spellings = spellings;
	}

	has(path: string): boolean {
		return isWithin(path, this.top);
	}

	/** With "/" between its parts, as Git has it. */
	nameOf(path: string): string {
		return nameFrom(path, this.top);
	}

	pathOf(name: string): string {
		return this.#spellings.of(rulesOf(this.top).join(this.top, name));
	}

	/** Reads what HEAD did since a time, Unix ms. */
	async readHeads(sinceMs: number): Promise<void> {
		const moves = await this.repository.headMoves();
		if (isReason(moves)) {
			this.reason = moves.reason;
			return;
		}
		const begun = moves.findLastIndex(({ timeMs }) => timeMs <= sinceMs);
		const later = await mapInTurn(moves.slice(begun + 1), async (move): Promise<HeadEvent> => {
			const isCommit = move.message.startsWith("commit");
			return { ...move, exactMs: isCommit ? await this.repository.madeMs(move) : undefined, isGuess: false };
		});
		if (begun >= 0) {
			this.base = moves[begun]?.commit;
			this.heads = later;
		} else {
			const [first] = moves;
			const isBirth = first !== undefined && first.before === undefined && /^commit \(initial\)/.test(first.message);
			const revision = first?.before ?? first?.commit ?? "HEAD";
			const untilMs = first?.timeMs;
			const since = isBirth ? [] : await this.repository.firstParents({ revision, untilMs, sinceMs });
			if (isReason(since)) {
				this.reason = since.reason;
				return;
			}
			const commits = since.toReversed();
			const [oldest] = commits;
			const start = oldest === undefined ? { revision, untilMs } : { revision: `${oldest.hash}~` };
			// The first commit of all has none before it.
			const older = isBirth ? [] : await this.repository.firstParents({ ...start, most: 1 });
			this.base = isReason(older) ? undefined : older[0]?.hash;
			this.isBaseGuessed = true;
			const guessed = commits.map(
				(commit, index): HeadEvent => ({
					...{ commit: commit.hash, before: commits[index - 1]?.hash ?? this.base, timeMs: commit.committedMs },
					...{ message: `commit: ${commit.summary}`, isGuess: true },
				}),
			);
			const last = guessed.at(-1)?.commit ?? this.base;
			this.heads = [
				...guessed,
				...later.map((head) => (head.before === undefined && last !== undefined ? { ...head, before: last } : head)),
			];
		}
		await this.#readChanges();
	}

	async #readChanges(): Promise<void> {
		let commit = this.base;
		const movedHeads = this.heads.flatMap((head) => {
			const parent = head.before ?? commit;
			commit = head.commit;
			return parent === head.commit ? [] : [{ head, parent }];
		});
		if (movedHeads.length === 0) return;
		const pairs = movedHeads.map(({ head, parent }) => ({ before: parent, after: head.commit }));
		const differences = await this.repository.differences(pairs);
		if (isReason(differences)) {
			this.reason = differences.reason;
			return;
		}
		for (const [index, { head }] of movedHeads.entries()) {
			const changes = new Map<string, TreeFile | undefined>();
			for (const { path: name, after } of differences[index] ?? []) {
				const path = this.pathOf(name);
				// Where letter case does not count, the same file may have another name by then.
				if (after !== undefined || !changes.has(path)) changes.set(path, after);
			}
			this.#changes.set(head, changes);
		}
	}

	/** The files that a move of HEAD changed, as they were then; undefined for one that was removed. */
	changesOf(head: HeadEvent): ReadonlyMap<string, TreeFile | undefined> {
		return this.#changes.get(head) ?? new Map();
	}

	async readTree(): Promise<void> {
		this.#now = new Set();
		const tree = this.base === undefined ? undefined : await this.repository.tree(this.base);
		if (tree !== undefined && !isReason(tree)) for (const name of tree.keys()) this.#now.add(this.pathOf(name));
	}

	/** Follows a move of HEAD. */
	moveTo(changes: ReadonlyMap<string, TreeFile | undefined>): void {
		for (const [path, after] of changes) {
			if (after === undefined) this.#now?.delete(path);
			else this.#now?.add(path);
		}
	}

	hasNow(path: string): boolean {
		return this.#now?.has(path) ?? false;
	}

	hasBelow(path: string): boolean {
		return this.filesBelow(path).some((file) => file !== path);
	}

	/** The files of that name or below it that are checked out at this point of the order. */
	filesBelow(path: string): readonly string[] {
		const all = this.#now;
		if (all === undefined) return [];
		if (all.has(path)) return [path];
		const prefix = prefixOf(path);
		return [...all].filter((file) => file.startsWith(prefix));
	}

	/** Reads files (absolute paths) of trees that commands named, so that `fileIn` knows them. */
	async readNamed(files: readonly NamedFile[]): Promise<void> {
		for (const [tree, ofTree] of Map.groupBy(files, (file) => file.tree)) {
			const names = ofTree.map(({ path }) => ({ commit: tree, path: this.nameOf(path) }));
			const entries = await this.repository.find(names);
			if (isReason(entries)) continue;
			for (const [index, { path }] of ofTree.entries()) this.#named.set(`${tree} ${path}`, entries[index]);
		}
	}

	/** A file of a tree that a command named; "unknown" where that cannot be found. */
	fileIn({ tree, path }: NamedFile): TreeFile | undefined | "unknown" {
		const key = `${tree} ${path}`;
		return this.#named.has(key) ? this.#named.get(key) : "unknown";
	}

	async readBlobs(ids: ReadonlySet<string>): Promise<void> {
		const missing = [...ids].filter((id) => !this.#blobs.has(id));
		if (missing.length === 0) return;
		const blobs = await this.repository.blobs(missing);
		if (isReason(blobs)) this.reason = blobs.reason;
		else for (const [id, bytes] of blobs) this.#blobs.set(id, bytes);
	}

	blob(id: string): Buffer | undefined {
		return this.#blobs.get(id);
	}

	forgetBlobs(): void {
		this.#blobs = new Map();
	}
}

const MOST_BELOW = 2000;
/** Links that are followed from one to the next. */
const MOST_LINKS = 8;

/** Where the links at a path lead, also if nothing is there any longer. */
function targetOf(path: string): string {
	let target = path;
	for (let count = 0; count < MOST_LINKS; count++) {
		const link = attempt(() => readlinkSync(target));
		if (link === undefined) break;
		target = resolve(dirname(target), link);
	}
	return attempt(() => realpathSync(target)) ?? target;
}

/** The repositories of all files, each that of the innermost one around it. */
export class Grounds {
	readonly #byTop = new Map<string, WorktreeGround>();
	readonly #byDirectory = new Map<string, WorktreeGround | undefined>();
	readonly #canonical = new Map<string, string>();
	/** Of all files: as Git has their names, else as sessions have named them first. */
	readonly spellings = new Spellings();
	readonly #clone: CloneOf | undefined;
	readonly #isHere: boolean;
	/** Why Git could not be asked about a directory; by directory. */
	readonly reasons = new Map<string, string>();

	/** `isHere`: whether the files are on this machine; `clone`: what stands for them otherwise. */
	constructor(isHere: boolean, clone?: CloneOf) {
		this.#isHere = isHere;
		this.#clone = clone;
	}

	get all(): readonly WorktreeGround[] {
		return [...this.#byTop.values()];
	}

	/** Finds the repositories of files, and reads what HEAD did in them since the first step. */
	async find(paths: Iterable<string>, steps: readonly SessionEvent[]): Promise<void> {
		const directories = new Set<string>();
		for (const path of paths) directories.add(/[/\\]$/.test(path) ? path : rulesOf(path).dirname(path));
		for (const { act, witness } of steps) {
			const cwd = witness.session.header?.cwd ?? "";
			if (cwd !== "") directories.add(cwd);
			if (act.kind === "command")
				for (const effect of act.effects) if (effect.kind === "git") directories.add(effect.directory);
		}
		for (const directory of directories) await this.#groundOf(directory);
		for (const ground of this.all) {
			const firstMs = steps.reduce((first, step) => {
				const cwd = step.witness.session.header?.cwd ?? "";
				const isIn = ("path" in step.act && ground.has(step.act.path)) || ground.has(cwd);
				return isIn ? Math.min(first, step.startMs) : first;
			}, Number.POSITIVE_INFINITY);
			const hasSteps = Number.isFinite(firstMs);
			await ground.readHeads(hasSteps ? firstMs : Date.now());
			if (hasSteps) ground.snapshots = await readSnapshots(ground, firstMs, steps);
		}
	}

	async #groundOf(directory: string): Promise<WorktreeGround | undefined> {
		const key = fileKey(directory);
		if (this.#byDirectory.has(key)) return this.#byDirectory.get(key);
		const ground = await this.#openGround(directory);
		this.#byDirectory.set(key, ground);
		return ground;
	}

	async #openGround(directory: string): Promise<WorktreeGround | undefined> {
		if (this.#clone !== undefined) {
			const { top, here } = this.#clone;
			if (!isWithin(directory, top)) return undefined;
			return this.#byTop.get(top) ?? this.#opened(top, here);
		}
		if (!this.#isHere) return undefined;
		const git = await findGit(directory);
		if (git !== undefined && this.#byTop.has(git.top)) return this.#byTop.get(git.top);
		return this.#opened(undefined, directory);
	}

	async #opened(top: string | undefined, directory: string): Promise<WorktreeGround | undefined> {
		const repository = await Repository.open(directory);
		if (repository === undefined) return undefined;
		if (isReason(repository)) {
			this.reasons.set(directory, repository.reason);
			return undefined;
		}
		const name = top ?? repository.top;
		// A repository of dotfiles is not that of every project that was once below it.
		if (name === homedir() && directory !== name) return undefined;
		const knownGround = this.#byTop.get(name);
		if (knownGround !== undefined) {
			repository.close();
			return knownGround;
		}
		const ground = new WorktreeGround(name, repository, this.spellings);
		this.#byTop.set(name, ground);
		return ground;
	}

	/** The repository that a file is in. */
	of(path: string): WorktreeGround | undefined {
		const { dirname: above } = rulesOf(path);
		for (let at = fileKey(path); ; at = above(at)) {
			if (this.#byDirectory.has(at)) return this.#byDirectory.get(at);
			if (above(at) === at) return undefined;
		}
	}

	/** Whether the repository of the directory of a file was looked for. */
	isKnown(path: string): boolean {
		return this.#byDirectory.has(fileKey(rulesOf(path).dirname(path)));
	}

	/** Whether there is a file of that name now. */
	isFileNow(path: string): boolean {
		return this.#isHere && (attempt(() => statSync(path).isFile()) ?? false);
	}

	/** The files below a directory now; none if they are more than a command of a session usually moves. */
	filesBelowNow(directory: string): readonly string[] {
		if (!this.#isHere || !isOfThisSystem(directory)) return [];
		const files: string[] = [];
		const directories = [directory];
		for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
			const parent = at;
			for (const entry of attempt(() => readdirSync(parent, { withFileTypes: true })) ?? []) {
				if (entry.isDirectory()) directories.push(join(parent, entry.name));
				else if (entry.isFile()) files.push(join(parent, entry.name));
			}
			if (files.length + directories.length > MOST_BELOW) return [];
		}
		return files;
	}

	/** The top of the working tree around a directory of this machine; undefined if it is in no repository. */
	async topOf(directory: string): Promise<string | undefined> {
		return (await this.#groundOf(directory))?.top;
	}

	async readTrees(): Promise<void> {
		for (const ground of this.all) await ground.readTree();
	}

	/** What the first commit of each repository has of files; "unknown" outside of one. */
	async filesAtBase(paths: readonly string[]): Promise<ReadonlyMap<string, TreeFile | undefined | "unknown">> {
		const files = new Map<string, TreeFile | undefined | "unknown">();
		for (const [ground, own] of Map.groupBy(paths, (path) => this.of(path))) {
			const base = ground?.base;
			const entries =
				ground === undefined || base === undefined
					? undefined
					: await ground.repository.find(own.map((path) => ({ commit: base, path: ground.nameOf(path) })));
			if (ground !== undefined && isReason(entries)) ground.reason = entries.reason;
			for (const [index, path] of own.entries())
				files.set(path, entries === undefined || isReason(entries) ? "unknown" : entries[index]);
		}
		return files;
	}

	/** The file that a path leads to, through links that are there now, if it stays in its repository. */
	canonical(path: string): string {
		if (!this.#isHere || !isOfThisSystem(path)) return this.spellings.of(path);
		const knownPath = this.#canonical.get(path);
		if (knownPath !== undefined) return knownPath;
		const named = this.canonicalName(path);
		const real = targetOf(named);
		const result = this.spellings.of(real === named ? named : this.#inside(named, real));
		this.#canonical.set(path, result);
		return result;
	}

	/** The same where the last name of the path is not followed: a link is moved or removed itself. */
	canonicalName(name: string): string {
		const path = this.spellings.of(name);
		if (!this.#isHere || !isOfThisSystem(path)) return path;
		const parent = dirname(path);
		if (parent === path) return path;
		const real = attempt(() => realpathSync(parent));
		return real === undefined || real === parent
			? path
			: this.spellings.of(this.#inside(path, join(real, basename(path))));
	}

	#inside(path: string, real: string): string {
		const ground = this.of(path);
		return ground === undefined || ground.has(real) ? real : path;
	}

	close(): void {
		for (const ground of this.all) ground.repository.close();
	}
}
