import type { SessionCounts } from "../model/counts.ts";
import type { SessionRow } from "../model/row.ts";
import { PlaceError } from "./place-error.ts";
import type { Answer } from "./protocol.ts";
import { countsFromWire, rowFromWire } from "./wire.ts";

/** More sessions than this of one place are refused: fifty a day for five years. The screen is made for a few times as many at most. */
const MAX_SESSIONS = 100_000;
/** UTF-16 units of the texts of all rows of a place: more are refused, however few the rows are. */
const MAX_TEXT = 64 * 1024 * 1024;

/** The sessions of a place, with paths as they are there, as its answers to a list have them. */
export class PlaceSessions {
	readonly rows = new Map<string, SessionRow>();
	readonly counts = new Map<string, SessionCounts>();
	/** Paths of those in use there. */
	live: ReadonlySet<string> = new Set();
	readonly #name: string;
	readonly #maxSessions: number;
	#reported: readonly string[] = [];
	/** Rows that were not understood. */
	#odd = 0;
	#text = 0;

	/** `name`: of the place, for what is wrong. */
	constructor(name: string, maxSessions = MAX_SESSIONS) {
		this.#name = name;
		this.#maxSessions = maxSessions;
	}

	/** Whether each row was understood. */
	get isWhole(): boolean {
		return this.#odd === 0;
	}

	/** What was not understood, and what the place reports; one sentence each, which names the place. */
	get problems(): readonly string[] {
		const odd =
			this.#odd === 0
				? []
				: [
						`${this.#odd === 1 ? "1 session" : `${this.#odd} sessions`} could not be understood; pi-grove may be newer there than here.`,
					];
		return [...odd, ...this.#reported].map((problem) => `${this.#name}: ${problem}`);
	}

	/**
	 * Applies an answer to a list; returns the paths whose rows or counts have changed. Throws a `PlaceError` if there are more than
	 * can be kept.
	 */
	apply(answer: Answer): readonly string[] {
		const changed = this.#apply(answer);
		if (this.rows.size + this.#odd > this.#maxSessions)
			throw new PlaceError(`${this.#name}: it lists more than ${this.#maxSessions} sessions`);
		if (this.#text > MAX_TEXT) throw new PlaceError(`${this.#name}: its list is larger than what can be kept here`);
		return changed;
	}

	#apply(answer: Answer): readonly string[] {
		switch (answer.type) {
			case "rows":
				return this.#addRows(answer.rows);
			case "counts":
				return this.#addCounts(answer.counts);
			case "gone":
				return this.remove(answer.paths);
			case "live":
				this.live = new Set(answer.paths);
				return [];
			case "problems":
				this.#reported = answer.problems;
				return [];
			default:
				return [];
		}
	}

	/** Takes sessions away; returns the paths of those that were there. */
	remove(paths: Iterable<string>): readonly string[] {
		return [...paths].flatMap((path) => {
			const row = this.rows.get(path);
			if (row === undefined) return [];
			this.#text -= unitsOf(row) + (this.counts.get(path)?.model.length ?? 0);
			this.counts.delete(path);
			this.rows.delete(path);
			return [path];
		});
	}

	#replace(row: SessionRow): void {
		this.#text += unitsOf(row) - unitsOf(this.rows.get(row.path));
		this.rows.set(row.path, row);
	}

	#addRows(values: readonly unknown[]): readonly string[] {
		return values.flatMap((value) => {
			const row = rowFromWire(value);
			if (row === undefined) this.#odd += 1;
			else this.#replace(row);
			return row?.path ?? [];
		});
	}

	#addCounts(values: readonly unknown[]): readonly string[] {
		return values.flatMap((value) => {
			const [path, counts] = countsFromWire(value) ?? [];
			if (path === undefined || counts === undefined || !this.rows.has(path)) return [];
			this.#text += counts.model.length - (this.counts.get(path)?.model.length ?? 0);
			this.counts.set(path, counts);
			return [path];
		});
	}
}

function unitsOf(row: SessionRow | undefined): number {
	if (row === undefined) return 0;
	const { path, id, cwd, name = "", firstMessage, prompt = "", parentSession = "", run, diagnostics } = row;
	const texts = [
		path,
		id,
		cwd,
		name,
		firstMessage,
		prompt,
		parentSession,
		run?.parent ?? "",
		run?.runId ?? "",
		...diagnostics.map(({ message }) => message),
	];
	return texts.reduce((sum, text) => sum + text.length, 0);
}
