import { prefixOf } from "../shared/paths.ts";
import type { TimeSlice } from "../shared/steps.ts";
import { fileKey, rulesOf, systemOf } from "../shared/system.ts";
import type { PlacedEffect } from "./effects.ts";
import type { Grounds, WorktreeGround } from "./grounds.ts";
import type { FileEvent, HeadEvent, May, What } from "./ledger-events.ts";
import { scriptReadsOnly } from "./programs.ts";
import type { ReplacedFile } from "./replaced-files.ts";
import { changeOf, type SessionEvent } from "./session-events.ts";
import type { TreeSnapshot } from "./snapshots.ts";

/** Orders that belong to one event of the ledger: a command may do several things, one after the other. */
export const STEP = 1000;
/** Times of Git have no milliseconds: it may have been until then. */
const REST_OF_SECOND_MS = 999;

type CommandStep = SessionEvent & { readonly act: Extract<SessionEvent["act"], { readonly kind: "command" }> };
type GitMove = Extract<PlacedEffect, { readonly kind: "git" }>;

interface Item {
	readonly timeMs: number;
	readonly step: SessionEvent | undefined;
	readonly head: { readonly head: HeadEvent; readonly ground: WorktreeGround } | undefined;
	readonly taken?: { readonly snapshot: TreeSnapshot; readonly ground: WorktreeGround };
	readonly replaced?: ReplacedFile;
}

/** Brings what all witnesses say into order, and gives each file what happened to it. */
export class LedgerBuilder {
	readonly grounds: Grounds;
	readonly mays: May[] = [];
	readonly prompts: { readonly order: number }[] = [];
	readonly heads: { order: number; head: HeadEvent; ground: WorktreeGround; step: SessionEvent | undefined }[] = [];
	readonly steps: (SessionEvent | undefined)[] = [];
	readonly times: number[] = [];
	readonly files = new Map<string, FileEvent[]>();
	readonly broad = new Map<WorktreeGround, FileEvent[]>();
	/** The moves of HEAD that a command made. */
	readonly #headsOf = new Map<SessionEvent, { readonly head: HeadEvent; readonly ground: WorktreeGround }[]>();
	readonly #directories = new Set<string>();
	/** What a session wrote whole, then or later: by `fileKey`, since its names are not to be those of the files. */
	readonly #written = new Set<string>();
	readonly #spell = (path: string): string => this.grounds.spellings.of(path);

	constructor(grounds: Grounds) {
		this.grounds = grounds;
	}

	async build(steps: readonly SessionEvent[], replaced: readonly ReplacedFile[], slice: TimeSlice): Promise<void> {
		const named = new Set(replaced.map(({ path }) => path));
		let hasTrees = false;
		for (const { act, witness } of steps) {
			if ("path" in act) named.add(act.path);
			const cwd = witness.session.header?.cwd ?? "";
			if (act.kind === "command" && cwd !== "") named.add(rulesOf(cwd).join(cwd, "."));
			// Git knows how files are spelled.
			hasTrees ||= systemOf(cwd).ignoresCase;
			if (act.kind === "command") hasTrees ||= act.effects.some((effect) => isOfTrees(effect));
		}
		await this.grounds.find(named, steps);
		if (hasTrees) await this.grounds.readTrees();
		for (const { act } of steps) if (act.kind === "write") this.#written.add(fileKey(act.path));
		const items: Item[] = steps.map((step) => ({ timeMs: step.endMs, step, head: undefined }));
		for (const file of replaced) items.push({ timeMs: file.timeMs, step: undefined, head: undefined, replaced: file });
		const commands = steps.filter(isCommand);
		for (const ground of this.grounds.all) {
			for (const snapshot of ground.snapshots)
				items.push({ timeMs: snapshot.timeMs, step: undefined, head: undefined, taken: { snapshot, ground } });
			for (const head of ground.heads) {
				const step = commandOf(head, ground, commands);
				if (step === undefined)
					items.push({
						timeMs: head.exactMs ?? head.timeMs + REST_OF_SECOND_MS,
						step: undefined,
						head: { head, ground },
					});
				else this.#headsOf.set(step, [...(this.#headsOf.get(step) ?? []), { head, ground }]);
			}
		}
		items.sort((one, other) => one.timeMs - other.timeMs);
		for (const [index, item] of items.entries()) {
			if (slice.shouldYield()) await slice.yieldToEventLoop();
			this.steps.push(item.step);
			this.times.push(item.timeMs);
			const order = index * STEP;
			if (item.head !== undefined) this.#moveHead(order, item.head, undefined);
			else if (item.taken !== undefined) this.#takeSnapshot(order, item.taken.ground, item.taken.snapshot);
			else if (item.step !== undefined) this.#takeStep(order, item.step);
			else if (item.replaced !== undefined) {
				const { path, before, after } = item.replaced;
				this.#add(this.grounds.canonical(path), order, undefined, { kind: "replaced", before, after });
			}
		}
	}

	#add(name: string, order: number, step: SessionEvent | undefined, what: What): void {
		const path = this.#spell(name);
		const events = this.files.get(path);
		if (events === undefined) this.files.set(path, [{ order, step, what }]);
		else events.push({ order, step, what });
	}

	#addBroad(ground: WorktreeGround | undefined, order: number, step: SessionEvent | undefined, what: What): void {
		if (ground === undefined) return;
		const events = this.broad.get(ground) ?? [];
		this.broad.set(ground, events);
		events.push({ order, step, what });
	}

	#takeStep(order: number, step: SessionEvent): void {
		const { act } = step;
		if (act.kind === "prompt") this.prompts.push({ order });
		else if (act.kind === "jump")
			this.mays.push({ order, step, text: "a branch was left", paths: undefined, named: [], isWide: false });
		else if (act.kind === "command") this.#takeCommand(order, { ...step, act }, step);
		else this.#add(this.grounds.canonical(act.path), order, step, { kind: "step" });
	}

	#takeCommand(order: number, { act }: CommandStep, step: SessionEvent): void {
		const { command: text, effects, hasFailed } = act;
		const heads = [...(this.#headsOf.get(step) ?? [])];
		const moves = effects.filter(
			(effect): effect is PlacedEffect & GitMove => effect.kind === "git" && effect.does === "move",
		);
		let isAllAdded = false;
		for (const [at, effect] of effects.entries()) {
			const place = order + Math.min(at, STEP - 3);
			const isCertain = hasFailed === false;
			if (hasFailed === true && effect.ifFailed === "no") continue;
			if (effect.kind === "may") {
				const { isWide, script } = effect;
				if (script !== undefined && this.#readsOnly(script)) continue;
				const [paths, named] = [effect.paths?.map(this.#spell), effect.named.map(this.#spell)];
				this.mays.push({ order: place, step, text, paths, named, isWide });
				for (const path of paths ?? [])
					if (!this.#isDirectory(path))
						this.#add(this.grounds.canonical(path), place, step, { kind: "lost", why: text });
				for (const path of named)
					if (this.#isKnown(path)) this.#add(this.grounds.canonical(path), place, step, { kind: "named" });
				continue;
			}
			// What stands behind "||" runs only where something before it failed.
			const isAlternative = effect.ifSucceeded === "perhaps";
			if (effect.kind !== "git" && (!isCertain || isAlternative)) {
				const paths = ("from" in effect ? [effect.from, effect.to] : [effect.path]).map(this.#spell);
				this.mays.push({ order: place + 0.5, step, text, paths, named: [], isWide: false });
				// Of a line that failed, its last command most likely did.
				if (hasFailed === undefined || (hasFailed && effect === effects.at(-1))) continue;
			}
			if (effect.kind === "git") {
				const ground = this.grounds.of(effect.directory);
				if (isAlternative && effect.does === "reset" && heads.length === 0) {
					// The reflog has each reset: it has most likely not run.
					const paths = ground && [ground.top];
					this.mays.push({ order: place + 0.5, step, text, paths, named: [], isWide: false });
				} else if (effect.does === "move") {
					const isLast = effect === moves.at(-1);
					const count = isLast ? heads.length : Math.min(1, heads.length);
					for (const head of heads.splice(0, count)) this.#moveHead(place, head, step);
					if (isAllAdded && effect.subcommand === "commit" && hasFailed !== undefined && count > 0)
						this.#addBroad(ground, place, step, { kind: "clean" });
				} else {
					// Where it moves HEAD, the files are those of the new one.
					if (effect.does === "reset") for (const head of heads.splice(0, 1)) this.#moveHead(place, head, step);
					this.#takeGit(place, step, effect, ground);
					if (effect.does === "add" && effect.paths === undefined) isAllAdded = true;
				}
			} else this.#takeEffect(place, step, effect);
		}
		for (const head of heads) this.#moveHead(order + STEP - 2, head, step);
	}

	#moveHead(
		order: number,
		{ head, ground }: { readonly head: HeadEvent; readonly ground: WorktreeGround },
		step: SessionEvent | undefined,
	): void {
		this.heads.push({ order, head, ground, step });
		// Who commits by hand has perhaps worked before.
		if (step === undefined) this.prompts.push({ order });
		const changes = ground.changesOf(head);
		for (const [path, after] of changes) this.#add(path, order, step, { kind: "head", head, after });
		ground.moveTo(changes);
		if (step === undefined && /^reset/.test(head.message))
			this.mays.push({ order, step, text: "git reset, by hand", paths: [ground.top], named: [], isWide: false });
	}

	#takeSnapshot(order: number, ground: WorktreeGround, snapshot: TreeSnapshot): void {
		const what: What = { kind: "snapshot", snapshot };
		const last = this.broad.get(ground)?.findLast((event) => event.what.kind === "snapshot")?.order ?? order;
		const [may, ...others] = this.mays.filter((one) => one.order > last);
		const isOnly =
			others.every(({ step }) => step === may?.step) && !this.prompts.some((prompt) => prompt.order > last);
		for (const path of snapshot.changes.keys()) {
			// What changed since the snapshot before, and nobody says so, the only command between them did.
			const isTold = this.files.get(path)?.some((event) => event.order > last) ?? false;
			if (may?.step?.act.kind === "command" && isOnly && !isTold)
				this.#add(path, may.order, may.step, { kind: "lost", why: may.text });
			this.#add(path, order, undefined, what);
		}
		this.#addBroad(ground, order, undefined, what);
	}

	#takeGit(
		order: number,
		step: SessionEvent,
		effect: PlacedEffect & GitMove,
		ground: WorktreeGround | undefined,
	): void {
		if (effect.does === "add" || effect.does === "restore") {
			const what: What = effect.does === "add" ? { kind: "added" } : { kind: "restored", file: "index" };
			const head = (ground && this.#headAt(ground)) ?? "HEAD";
			const tree = effect.does === "restore" ? effect.tree : undefined;
			const whatAt = (path: string): What => {
				if (tree === undefined) return what;
				const file = { tree: tree.replace(/^HEAD(?=$|[~^])/, head), path };
				return { kind: "restored", file: tree === "HEAD" ? "head" : file };
			};
			if (effect.paths === undefined) this.#addBroad(ground, order, step, what);
			for (const path of effect.paths ?? [])
				for (const file of this.#filesBelow(this.#spell(path))) this.#add(file, order, step, whatAt(file));
		} else if (effect.does === "stash")
			this.#addBroad(ground, order, step, { kind: "stashed", untracked: effect.untracked });
		else if (effect.does === "pop") this.#addBroad(ground, order, step, { kind: "popped" });
		else if (effect.does === "reset") this.#addBroad(ground, order + 0.5, step, { kind: "restored", file: "head" });
	}

	#headAt(ground: WorktreeGround): string | undefined {
		return this.heads.findLast((one) => one.ground === ground)?.head.commit ?? ground.base;
	}

	#takeEffect(
		order: number,
		step: SessionEvent,
		effect: Exclude<PlacedEffect, { readonly kind: "may" | "git" }>,
	): void {
		const path = "path" in effect ? this.grounds.canonicalName(effect.path) : "";
		const isDone = step.act.kind === "command" && step.act.hasFailed === false && effect.ifSucceeded === "yes";
		switch (effect.kind) {
			case "write":
				this.#add(this.grounds.canonical(path), order, step, { kind: "written", text: effect.text });
				return;
			case "append":
				this.#add(this.grounds.canonical(path), order, step, { kind: "appended", text: effect.text });
				return;
			case "create":
				if (effect.isDirectory) this.#directories.add(path);
				else this.#add(this.grounds.canonical(path), order, step, { kind: "created" });
				return;
			case "remove":
				for (const file of this.#filesBelow(path))
					this.#add(file, order, step, { kind: "removed", isCommitted: isDone && effect.isCommitted });
				this.#directories.delete(path);
				return;
			case "mode":
				for (const file of effect.isRecursive || !this.#isDirectory(path) ? this.#filesBelow(path) : [])
					this.#add(file, order, step, { kind: "mode", isExecutable: effect.isExecutable });
				return;
			case "link":
				this.#link(order, step, { ...effect, path: this.#spell(effect.path) });
				return;
			case "rewrite":
				this.#add(this.grounds.canonical(path), order, step, { kind: "rewritten", apply: effect.apply });
				return;
			case "move":
			case "copy":
				this.#transfer(order, step, effect);
				return;
		}
	}

	#transfer(
		order: number,
		step: SessionEvent,
		effect: Extract<PlacedEffect, { readonly kind: "move" | "copy" }>,
	): void {
		const [from, target] = [this.grounds.canonicalName(effect.from), this.grounds.canonicalName(effect.to)];
		const rules = rulesOf(from);
		const inside = rules.join(target, rules.basename(from));
		const isInside = this.#isDirectory(target) || this.#filesNow(inside).length > 0;
		const to = isInside ? inside : target;
		const isMove = effect.kind === "move";
		const moved = this.#filesNow(to).map((file) => rules.join(from, rules.relative(to, file)));
		const below = this.#filesBelow(from);
		// Where the disk says what is in a directory, it is no file itself.
		const files = moved.length > 0 && !this.files.has(from) ? below.filter((file) => file !== from) : below;
		for (const file of new Set([...files, ...moved])) {
			const copy = file === from ? to : rules.join(to, rules.relative(from, file));
			if (copy === file) continue;
			this.#add(copy, order, step, { kind: "from", path: file, isMove, byGit: effect.by === "git" });
			if (isMove) this.#add(file, order, step, { kind: "away", to: copy });
		}
		if (this.#directories.has(from)) {
			this.#directories.add(to);
			if (isMove) this.#directories.delete(from);
		}
	}

	/** Without Git, the disk says what was moved or copied to a directory, but for what a session has written there itself. */
	#filesNow(directory: string): readonly string[] {
		if (this.grounds.of(directory) !== undefined) return [];
		return this.grounds.filesBelowNow(directory).filter((file) => !this.#written.has(fileKey(file)));
	}

	#isKnown(path: string): boolean {
		if (this.files.has(path)) return true;
		const ground = this.grounds.of(path);
		// Without Git, the disk says what is a file.
		return ground === undefined ? this.grounds.isFileNow(path) : ground.hasNow(path);
	}

	#link(order: number, step: SessionEvent, { path, target }: Extract<PlacedEffect, { readonly kind: "link" }>): void {
		const { join: joined, basename } = rulesOf(path);
		const link = this.#isDirectory(path) ? joined(path, basename(target)) : path;
		this.#add(link, order, step, { kind: "linked", target });
	}

	/** Whether a script is as a session has written it, and that text only reads. */
	#readsOnly(script: string): boolean {
		const events = this.files.get(this.grounds.canonical(script));
		const last = events?.findLast(({ what, step }) => what.kind !== "named" && step?.act.kind !== "read");
		if (last?.what.kind === "written") return scriptReadsOnly(last.what.text);
		const change = last?.step && changeOf(last.step);
		return last?.step?.act.kind === "write" && change?.tool === "write" && scriptReadsOnly(change.content);
	}

	#isDirectory(path: string): boolean {
		if (this.#directories.has(path)) return true;
		const prefix = prefixOf(path);
		return (
			(this.grounds.of(path)?.hasBelow(path) ?? false) || this.files.keys().some((file) => file.startsWith(prefix))
		);
	}

	/** The file of that name, or all below the directory of that name, as far as they are known. */
	#filesBelow(path: string): readonly string[] {
		const prefix = prefixOf(path);
		const below = new Set([
			...(this.grounds.of(path)?.filesBelow(path) ?? []),
			...this.files.keys().filter((file) => file.startsWith(prefix)),
		]);
		return below.size === 0 || this.files.has(path) ? [path, ...below] : [...below];
	}
}

function isOfTrees(effect: PlacedEffect): boolean {
	return (
		/^(?:move|copy|remove|mode)$/.test(effect.kind) ||
		(effect.kind === "git" && (effect.does === "restore" || effect.does === "add") && effect.paths !== undefined) ||
		(effect.kind === "may" && effect.named.length > 0)
	);
}

function isCommand(step: SessionEvent): step is CommandStep {
	return step.act.kind === "command";
}

/** The command during which HEAD moved, if there is one that can have moved it. */
function commandOf(
	{ timeMs, exactMs }: HeadEvent,
	ground: WorktreeGround,
	commands: readonly CommandStep[],
): SessionEvent | undefined {
	const [fromMs, untilMs] = exactMs === undefined ? [timeMs, timeMs + REST_OF_SECOND_MS] : [exactMs, exactMs];
	const running = commands.filter(({ startMs, endMs }) => fromMs <= endMs && untilMs >= startMs);
	const mover = running.findLast(({ act }) =>
		act.effects.some(
			(effect) => effect.kind === "git" && /^(?:move|stash|reset)$/.test(effect.does) && ground.has(effect.directory),
		),
	);
	return (
		mover ??
		running.find(
			({ act, witness }) =>
				act.effects.some(({ kind }) => kind === "may") && ground.has(witness.session.header?.cwd ?? ""),
		)
	);
}
