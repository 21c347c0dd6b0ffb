import { stat } from "node:fs/promises";
import { dirname, isOfThisSystem, isUnder, isWithin } from "../shared/paths.ts";
import { mapInTurn, type TimeSlice } from "../shared/steps.ts";
import { readTextFileAsync } from "../store/files/open-file.ts";
import type { TreeFile } from "./git-trees.ts";
import type { Grounds, WorktreeGround } from "./grounds.ts";
import { LedgerBuilder, STEP } from "./ledger-builder.ts";
import type { DiskContent, FileEvent, HeadEvent, May } from "./ledger-events.ts";
import { type ReplacedFile, replacedContents } from "./replaced-files.ts";
import { type SessionEvent, sessionEvents, type Witness } from "./session-events.ts";
import { firstAfter, Track, touchOf } from "./text-at.ts";

/** Files that are read and compared at once. */
const FILES_AT_ONCE = 20;

interface OpenOptions {
	/** Whether the files are on this machine, so that the disk is one of the witnesses. */
	readonly readsDisk: boolean;
	readonly slice: TimeSlice;
	/** What pi-grove itself replaced. @default nothing */
	readonly replaced?: readonly ReplacedFile[];
	/** Only what tools, or pi-grove, did to these files is of interest. @default all */
	readonly isWanted?: (path: string) => boolean;
}

/** What all witnesses say of files, in the order of time. */
export class Ledger {
	readonly grounds: Grounds;
	readonly mays: readonly May[];
	/** By session, the number of its edits whose file is not known. */
	readonly unplaced: ReadonlyMap<Witness["session"], number>;
	/** When a person said something, or may have worked by hand. */
	readonly #prompts: readonly { readonly order: number }[];
	/** Moves of HEAD by their orders. */
	readonly heads: readonly {
		readonly order: number;
		readonly head: HeadEvent;
		readonly ground: WorktreeGround;
		readonly step: SessionEvent | undefined;
	}[];
	/** The steps of all sessions, by their orders divided by STEP. */
	readonly #steps: readonly (SessionEvent | undefined)[];
	readonly #times: readonly number[];
	readonly #orders: ReadonlyMap<SessionEvent | undefined, number>;
	readonly #files: ReadonlyMap<string, readonly FileEvent[]>;
	readonly #broad: ReadonlyMap<WorktreeGround, readonly FileEvent[]>;
	readonly #bases = new Map<string, TreeFile | undefined | "unknown">();
	readonly #disk = new Map<string, DiskContent>();
	/** By the marks of what pi-grove replaced. */
	readonly #replaced = new Map<string, ReadonlyArray<string | undefined>>();
	readonly #tracks = new Map<string, Track>();
	readonly #readsDisk: boolean;

	private constructor(building: LedgerBuilder, unplaced: Ledger["unplaced"], readsDisk: boolean) {
		this.unplaced = unplaced;
		this.grounds = building.grounds;
		this.mays = building.mays;
		this.#prompts = building.prompts;
		this.heads = building.heads;
		this.#steps = building.steps;
		this.#times = building.times;
		this.#orders = new Map(building.steps.map((step, index) => [step, index * STEP]));
		this.#files = building.files;
		this.#broad = building.broad;
		this.#readsDisk = readsDisk;
	}

	/** Asks all witnesses. */
	static async open(
		witnesses: readonly Witness[],
		grounds: Grounds,
		{ readsDisk, slice, replaced = [], isWanted = () => true }: OpenOptions,
	): Promise<Ledger> {
		const events: (readonly SessionEvent[])[] = [];
		const unplaced = new Map<Witness["session"], number>();
		for (const witness of witnesses) {
			const { events: all, unplaced: count } = await slice.run(sessionEvents(witness));
			unplaced.set(witness.session, count);
			events.push(all.filter(({ act }) => !("path" in act) || isWanted(act.path)));
		}
		const building = new LedgerBuilder(grounds);
		await building.build(
			withoutCopies(events),
			replaced.filter(({ path }) => isWanted(path)),
			slice,
		);
		return new Ledger(building, unplaced, readsDisk);
	}

	/** All files that something is known of, in the order in which they were first named. */
	get paths(): readonly string[] {
		return [...this.#files.keys()];
	}

	/** What happened to a file by name, in order: steps of sessions and commits. */
	eventsOf(path: string): readonly FileEvent[] {
		return this.#files.get(this.grounds.spellings.of(path)) ?? [];
	}

	/** The last order that belongs to an entry of a session: what it asks for comes after it. */
	orderAt(session: Witness["session"], index: number, timeMs: number): number {
		let at = this.#times.findLastIndex((time) => time <= timeMs);
		const isOurs = (step: SessionEvent | undefined): boolean => step?.witness.session === session;
		for (; at >= 0; at--) {
			const step = this.#steps[at];
			if (step === undefined || !isOurs(step) || step.index <= index) break;
		}
		const ownIndex = this.#steps.findLastIndex((step) => step !== undefined && isOurs(step) && step.index <= index);
		return (Math.max(at, ownIndex) + 1) * STEP - 1;
	}

	/** The orders that belong to a step. */
	orderOf(step: SessionEvent): number {
		return this.#orders.get(step) ?? -1;
	}

	/** Reads what Git and the disk have of files, and of those that became them, so that their histories can be told. */
	async prepare(paths: Iterable<string>): Promise<void> {
		const wantedPaths = new Set<string>();
		const marks = new Set<string>();
		const add = (name: string): void => {
			const path = this.grounds.spellings.of(name);
			if (wantedPaths.has(path) || this.#bases.has(path)) return;
			wantedPaths.add(path);
			for (const { what } of this.eventsOf(path)) {
				if (what.kind === "from") add(what.path);
				if (what.kind === "away") add(what.to);
				if (what.kind === "replaced") for (const mark of [what.before, what.after]) marks.add(mark);
			}
		};
		for (const path of paths) add(path);
		for (const mark of marks) this.#replaced.set(mark, await replacedContents(mark));
		for (const [path, file] of await this.grounds.filesAtBase([...wantedPaths])) this.#bases.set(path, file);
		if (this.#readsDisk)
			await mapInTurn([...wantedPaths].filter(isOfThisSystem), async (path) =>
				this.#disk.set(path, await diskOf(path)),
			);
		const ids = new Map<WorktreeGround, Set<string>>();
		for (const [ground, ofGround] of Map.groupBy(wantedPaths, (path) => this.grounds.of(path))) {
			const whats = ofGround.flatMap((path) => this.eventsOf(path)).map(({ what }) => what);
			const named = whats.flatMap((what) => (what.kind === "restored" ? what.file : []));
			await ground?.readNamed(named.filter((file) => typeof file === "object"));
		}
		for (const path of wantedPaths) {
			const ground = this.grounds.of(path);
			if (ground === undefined) continue;
			const ofGround = ids.get(ground) ?? new Set<string>();
			ids.set(ground, ofGround);
			const base = this.#bases.get(path);
			if (base !== undefined && base !== "unknown") ofGround.add(base.id);
			for (const { what } of this.#eventsWithBroad(path)) {
				let file = what.kind === "head" ? what.after : undefined;
				if (what.kind === "snapshot") file = what.snapshot.changes.get(path);
				if (what.kind === "restored" && typeof what.file === "object") {
					const named = ground.fileIn(what.file);
					file = named === "unknown" ? undefined : named;
				}
				if (file !== undefined) ofGround.add(file.id);
			}
		}
		for (const [ground, ofGround] of ids) await ground.readBlobs(ofGround);
	}

	/** Files one by one, each prepared; the text of one is forgotten behind it. */
	async *each<File>(files: readonly File[], pathOf: (file: File) => string, slice: TimeSlice): AsyncGenerator<File> {
		for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
			const some = files.slice(at, at + FILES_AT_ONCE);
			await this.prepare(some.map(pathOf));
			for (const file of some) {
				yield file;
				this.#tracks.clear();
				if (slice.shouldYield()) await slice.yieldToEventLoop();
			}
			this.forget();
		}
	}

	/** Forgets the texts of the files that were asked about. */
	forget(): void {
		this.#tracks.clear();
		this.#bases.clear();
		this.#disk.clear();
		this.#replaced.clear();
		for (const ground of this.grounds.all) ground.forgetBlobs();
	}

	/** The history of a file that was prepared. */
	track(name: string): Track {
		const path = this.grounds.spellings.of(name);
		const knownTrack = this.#tracks.get(path);
		if (knownTrack !== undefined) return knownTrack;
		const ground = this.grounds.of(path);
		const events = this.#eventsWithBroad(path);
		const disk = this.#disk.get(path);
		const last: FileEvent | undefined = disk && {
			order: this.#steps.length * STEP,
			step: undefined,
			what: { kind: "disk", content: disk },
		};
		const track = new Track({
			path,
			events: last === undefined ? events : [...events, last],
			base: this.#bases.has(path) ? this.#bases.get(path) : "unknown",
			blob: (id) => ground?.blob(id),
			fileIn: (file) => (ground === undefined ? "unknown" : ground.fileIn(file)),
			replaced: (mark) => this.#replaced.get(mark) ?? [],
			wasLeft: (from, to) =>
				this.mays.some(({ step, order }) => step?.act.kind === "jump" && order > from && order <= to),
			track: (other) => (this.#files.has(other) ? this.track(other) : undefined),
		});
		this.#tracks.set(path, track);
		return track;
	}

	/** What may have changed a file between two orders, by how much its words say so. */
	maysBetween(
		name: string,
		from: number,
		to: number,
	): { readonly named: readonly May[]; readonly any: readonly May[] } {
		const path = this.grounds.spellings.of(name);
		const [named, any]: [May[], May[]] = [[], []];
		const ground = this.grounds.of(path);
		for (let at = firstAfter(this.mays, from); at < this.mays.length; at++) {
			const may = this.mays[at];
			if (may === undefined || may.order > to) break;
			const touch = touchOf(may, path);
			if (touch === "named") named.push(may);
			else if (touch === "any" && isNear(may, path, ground)) any.push(may);
		}
		return { named, any };
	}

	/** How often a person may have worked by hand between two orders. */
	pausesBetween(from: number, to: number): number {
		return firstAfter(this.#prompts, to) - firstAfter(this.#prompts, from);
	}

	#eventsWithBroad(path: string): readonly FileEvent[] {
		const ownEvents = this.eventsOf(path);
		const ground = this.grounds.of(path);
		const broad = (ground && this.#broad.get(ground)) ?? [];
		return broad.length === 0 ? ownEvents : [...ownEvents, ...broad].sort((one, other) => one.order - other.order);
	}
}

/** Whether a command that does not name a file ran in its repository, or in a directory around it. */
function isNear({ step }: May, path: string, ground: WorktreeGround | undefined): boolean {
	const cwd = step?.witness.session.header?.cwd ?? "";
	return cwd === "" || isUnder(path, cwd) || (ground !== undefined && isWithin(cwd, ground.top));
}

async function diskOf(path: string): Promise<DiskContent> {
	try {
		const stats = await stat(path);
		if (!stats.isFile()) return "other";
		const text = await readTextFileAsync(path);
		return text.includes("\uFFFD") ? "other" : { text, isExecutable: (stats.mode & 0o100) !== 0 };
	} catch (error) {
		const isMissing = error instanceof Error && "code" in error && /^(?:ENOENT|ENOTDIR)$/.test(String(error.code));
		// A missing file is gone where its directory, or the one above, is there.
		const above = [dirname(path), dirname(dirname(path))];
		const isGone = isMissing && (await mapInTurn(above, isDirectoryNow)).includes(true);
		return isGone ? { text: undefined, isExecutable: false } : "unread";
	}
}

async function isDirectoryNow(path: string): Promise<boolean> {
	return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

/** What a fork has copied was done once: by the session that is asked about, else by the first that has it. */
function withoutCopies(events: readonly (readonly SessionEvent[])[]): readonly SessionEvent[] {
	const owners = new Map<string, Witness>();
	return events.flat().filter(({ witness, entryId, endMs }) => {
		const key = `${entryId} ${endMs}`;
		const owner = owners.get(key) ?? witness;
		owners.set(key, owner);
		return owner === witness;
	});
}
