import { widen, widenColumns } from "../../shared/columns.ts";
import type { Diagnostic } from "../../store/format/diagnostic.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { indexAt, isBeside, sizeAt } from "../entries/outline-columns.ts";
import type { EntryColumns } from "./entry-columns.ts";

const ROW_KINDS = [
	"entry",
	/** A branch beside the line that is folded; its entry is the first of the branch. */
	"folded",
	/** The first row of a branch that is open. */
	"opened",
	/** What a line of the file that could not be read would have been. */
	"damage",
	/** A run of a subagent; its entry is the step that started it. */
	"run",
	/** The runs of a step that has many; its entry is the step. */
	"runs",
	/** The digest of the session, above all else: a row while it is folded; its subject is the number of the row. */
	"digest",
	/** The rule above what was left behind, while it is open; its entry is the first of that. */
	"left",
	/** What the preamble consists of, while it is open; its subject is the number of the detail. */
	"detail",
	/** What a turn comes to; its entry is the row above it. */
	"sum",
	/** Another model or thinking level; its entry is the last that sets one. */
	"settings",
	/** A new day or a pause; its entry is the first after it. */
	"time",
	/** Where what was copied from the parent of a run ends; its entry is the first of the run itself. */
	"own",
] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** From this kind on, the cursor skips a row. */
const FIRST_SKIPPED = ROW_KINDS.indexOf("left");

export interface TreeRow {
	readonly kind: RowKind;
	/** Identity of the row: the id of its entry, if the cursor can be on it. */
	readonly key: string;
	/** Undefined for a damaged line. */
	readonly entry: SessionEntry | undefined;
	/** Of a damaged line. */
	readonly diagnostic: Diagnostic | undefined;
	/** Whether the cursor can be on it. */
	readonly selectable: boolean;
	/** On how many branches, each beside its parent's line, the row is. */
	readonly depth: number;
	/** The lines that do not go on below the row, as bits by their depth. */
	readonly ended: number;
	/** The last row of its line. */
	readonly last: boolean;
	/** On the path from the leaf to its root. */
	readonly active: boolean;
	/** Beside the active path, above its leaf. */
	readonly besideActive: boolean;
	/** Entries that are folded away in this row. */
	readonly hidden: number;
}

export interface StepRuns {
	readonly keys: readonly string[];
	/** Whether the step is the call of its only run, so that one row stands for both. */
	readonly isOne: boolean;
	/** How many of them failed, besides the step itself. */
	readonly failed: number;
}

/** The runs of subagents by the id of the entry below which they stand. */
export type RunsByStep = ReadonlyMap<string, StepRuns>;

export const NO_RUNS: RunsByStep = new Map();

/** Whether the line of a depth does not go on below a row. */
export function isEnded({ ended }: Pick<TreeRow, "ended">, depth: number): boolean {
	return (ended & bit(depth)) !== 0;
}

/** What folds in a tree besides its branches. */
export interface TreeFolds {
	/** How many rows the digest above the tree has while it is open; 0 while it is folded, undefined where there is none. */
	readonly digestRows: number | undefined;
	/** The first entry of what was left behind below the end; -1 for none. */
	readonly leftBehind: number;
	/** The system prompt that the session begins with, what its row says, and the rows below it while it is open. */
	readonly preamble:
		| { readonly index: number; readonly words: string; readonly details: readonly string[] | undefined }
		| undefined;
}

const COLUMNS = ["subject", "kind", "depth", "ended", "rank"] as const;

/** The rows of a tree, in columns; they are made when they are looked at. Only what draws the tree adds rows. */
export class TreeRows {
	readonly columns: EntryColumns;
	readonly damage: readonly Diagnostic[];
	readonly runs: RunsByStep;
	length = 0;
	/** Rows that the cursor can be on. */
	selectable = 0;
	/** Folded branches, and entries in them. */
	foldedBranches = 0;
	foldedEntries = 0;
	readonly folds: TreeFolds;
	/** The last row on the active path; -1 when none is. */
	lastActive = -1;
	/** By row: `subject` is the index of its entry, or of its diagnostic; `rank`: how many selectable rows come before it. */
	readonly #columns: { subject: Int32Array; kind: Uint8Array; depth: Uint8Array; ended: Int32Array; rank: Int32Array };
	/** Row by entry index, -1 where the entry has none of its own. */
	#rowOf: Int32Array;
	/** Row by the key of a damaged line, or of runs; such a row is never taken away. */
	readonly #rowOfKey = new Map<string, number>();
	/** Key by row, of runs. */
	readonly #keyOfRun = new Map<number, string>();
	/** The steps of which runs failed, and how many, by their place in the drawing. */
	readonly #failedRuns: readonly { readonly place: number; readonly failed: number }[];

	constructor(columns: EntryColumns, damage: readonly Diagnostic[], runs: RunsByStep, folds: TreeFolds) {
		const { outline } = columns;
		const { count } = outline;
		this.columns = columns;
		this.damage = damage;
		this.runs = runs;
		this.folds = folds;
		this.#columns = {
			subject: new Int32Array(count),
			kind: new Uint8Array(count),
			depth: new Uint8Array(count),
			ended: new Int32Array(count),
			rank: new Int32Array(count),
		};
		this.#rowOf = new Int32Array(count).fill(-1);
		this.#failedRuns = [...runs]
			.filter(([, { failed }]) => failed > 0)
			.map(([id, { failed }]) => ({ place: outline.place[indexAt(outline, id)] ?? -1, failed }));
	}

	/** Adds a row at the end. `subject`: index of its entry, or of its diagnostic. */
	push(kind: RowKind, subject: number, depth: number): void {
		const row = this.length++;
		if (row >= this.#columns.kind.length) widenColumns(this.#columns, COLUMNS, row + 1);
		const code = ROW_KINDS.indexOf(kind);
		this.#columns.subject[row] = subject;
		this.#columns.kind[row] = code;
		this.#columns.depth[row] = depth;
		this.#columns.ended[row] = 0;
		this.#columns.rank[row] = this.selectable;
		if (code < FIRST_SKIPPED) this.selectable += 1;
		if (kind === "damage") this.#rowOfKey.set(damageKey(this.damage[subject]?.line ?? 0), row);
		if (kind === "digest") this.#rowOfKey.set(digestKey(subject), row);
		if (code >= FIRST_SKIPPED || OF_NO_ENTRY.has(kind) || kind === "run" || kind === "runs") return;
		this.#setRow(subject, row);
		if (kind !== "folded" && this.columns.outline.active[subject] === 1) this.lastActive = row;
		if (kind !== "folded") return;
		this.foldedBranches += 1;
		this.foldedEntries += sizeAt(this.columns.outline, subject);
	}

	/** Adds the row of a run, or of all runs of a step, at the end. `subject`: index of the step. */
	pushRun(kind: "run" | "runs", subject: number, depth: number, key: string): void {
		this.#rowOfKey.set(key, this.length);
		this.#keyOfRun.set(this.length, key);
		this.push(kind, subject, depth);
	}

	/** Removes the last row, which must not be one of a run. */
	pop(): void {
		const row = --this.length;
		const code = this.#columns.kind[row] ?? 0;
		if (code < FIRST_SKIPPED) this.selectable -= 1;
		if (code !== 0) return;
		this.#setRow(this.#columns.subject[row] ?? 0, -1);
		if (this.lastActive === row) this.lastActive = this.#entryAbove(row);
	}

	#entryAbove(row: number): number {
		let above = row - 1;
		while (above >= 0 && this.kindAt(above) !== "entry") above -= 1;
		return above;
	}

	/** Marks that the line of a depth goes on below none of these rows. */
	end(depth: number, from: number, to: number): void {
		for (let row = from; row < to; row++) this.#columns.ended[row] = (this.#columns.ended[row] ?? 0) | bit(depth);
	}

	/** Marks that the line of a depth goes on after all, below all rows from this one on. */
	goOn(depth: number, from: number): void {
		for (let row = from; row < this.length; row++)
			this.#columns.ended[row] = (this.#columns.ended[row] ?? 0) & ~bit(depth);
	}

	kindAt(row: number): RowKind | undefined {
		return row < 0 || row >= this.length ? undefined : ROW_KINDS[this.#columns.kind[row] ?? 0];
	}

	/** Whether a branch begins with an entry: beside the line of its parent, or left behind below the end. */
	beginsBranch(index: number): boolean {
		return index === this.folds.leftBehind || isBeside(this.columns.outline, index);
	}

	/** Whether a row is the rule of what was left behind, folded or open. */
	isRule(row: number): boolean {
		const kind = this.kindAt(row);
		return kind === "left" || (kind === "folded" && this.subjectAt(row) === this.folds.leftBehind);
	}

	/** The first row of the conversation, below the digest. */
	get firstRow(): number {
		return this.folds.digestRows === undefined ? 0 : Math.max(1, this.folds.digestRows);
	}

	isPreamble(row: number): boolean {
		return this.kindAt(row) === "entry" && this.subjectAt(row) === this.folds.preamble?.index;
	}

	/** What is in the subtree of an entry, by its index; runs that failed are among the errors. */
	sumsBelow(index: number): Readonly<Record<"prompts" | "steps" | "errors" | "cost", number>> {
		const { outline, promptsBefore, stepsBefore, errorsBefore, costBefore } = this.columns;
		const from = outline.place[index] ?? 0;
		const to = from + sizeAt(outline, index);
		const between = (column: Int32Array | Float64Array) => (column[to] ?? 0) - (column[from] ?? 0);
		const failedRuns = this.#failedRuns.filter(({ place }) => place >= from && place < to);
		return {
			prompts: between(promptsBefore),
			steps: between(stepsBefore),
			errors: failedRuns.reduce((sum, { failed }) => sum + failed, between(errorsBefore)),
			cost: between(costBefore),
		};
	}

	/** Index of the entry, or of the diagnostic, of a row. */
	subjectAt(row: number): number {
		return this.#columns.subject[row] ?? -1;
	}

	depthAt(row: number): number {
		return this.#columns.depth[row] ?? 0;
	}

	isSelectable(row: number): boolean {
		return row >= 0 && row < this.length && (this.#columns.kind[row] ?? 0) < FIRST_SKIPPED;
	}

	/** How many rows that the cursor can be on come before a row. */
	rankAt(row: number): number {
		return this.#columns.rank[row] ?? 0;
	}

	at(row: number): TreeRow | undefined {
		const kind = this.kindAt(row);
		if (kind === undefined) return undefined;
		const { outline } = this.columns;
		const subject = this.subjectAt(row);
		const depth = this.depthAt(row);
		const ended = this.#columns.ended[row] ?? 0;
		const entry = OF_NO_ENTRY.has(kind) ? undefined : outline.session.entries[subject];
		const diagnostic = kind === "damage" ? this.damage[subject] : undefined;
		const ownKey = kind === "digest" ? digestKey(subject) : damageKey(diagnostic?.line ?? 0);
		const id = this.#keyOfRun.get(row) ?? entry?.id ?? ownKey;
		return {
			kind,
			key: this.isSelectable(row) ? id : `${kind} ${kind === "detail" ? subject : id}`,
			entry,
			diagnostic,
			selectable: this.isSelectable(row),
			depth,
			ended,
			last: isEnded({ ended }, depth),
			active: entry !== undefined && outline.active[subject] === 1,
			besideActive: row <= this.lastActive,
			hidden: kind === "folded" ? sizeAt(outline, subject) : 0,
		};
	}

	/** The row of an entry by its id, or of a damaged line or of runs by its key; -1 where it has none. */
	indexOf(id: string): number {
		const index = indexAt(this.columns.outline, id);
		if (index !== -1) return this.rowOf(index);
		return this.#rowOfKey.get(id) ?? -1;
	}

	/** The row of an entry by its index; -1 where it has none of its own. */
	rowOf(index: number): number {
		return this.#rowOf[index] ?? -1;
	}

	#setRow(index: number, row: number): void {
		const oldLength = this.#rowOf.length;
		this.#rowOf = widen(this.#rowOf, index + 1);
		if (this.#rowOf.length > oldLength) this.#rowOf.fill(-1, oldLength);
		this.#rowOf[index] = row;
	}
}

/** Rows that stand for no entry. */
const OF_NO_ENTRY: ReadonlySet<RowKind> = new Set(["damage", "detail", "digest"]);

/** Stands for the preamble among what is open. */
export const PREAMBLE_KEY = "\0preamble";

/** Stands for the digest among what is open, and is the key of its first row. */
export const DIGEST_KEY = "\0digest";

function digestKey(number: number): string {
	return number === 0 ? DIGEST_KEY : `${DIGEST_KEY} ${number}`;
}

/** The number of a row of the digest by its key; undefined for any other key. */
export function digestRowOf(key: string): number | undefined {
	if (!key.startsWith(DIGEST_KEY)) return undefined;
	return Number(key.slice(DIGEST_KEY.length));
}

/** No id of an entry that pi writes begins with it. */
const DAMAGE_KEY = "\0line ";

export function damageKey(line: number): string {
	return `${DAMAGE_KEY}${line}`;
}

/** Whether the key of a row is not the id of an entry: it stands for a damaged line, or for runs of subagents. */
export function isOtherKey(key: string): boolean {
	return key.startsWith("\0");
}

/** More branches than this inside of each other need 2³⁰ entries. */
function bit(depth: number): number {
	return 1 << Math.min(depth, 30);
}
