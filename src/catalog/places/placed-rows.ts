import { dirname, isAbsolute, join, normalize, relative } from "node:path";
import { HERE, type SessionRow } from "../model/row.ts";
import { placedPath } from "./place.ts";

/** The home directories of a place and of this machine. */
export interface Homes {
	readonly there: string;
	readonly here: string;
}

/**
 * A row of a place as it is called among those of all places, with the sessions that it names. With `homes`, a directory in
 * the home there is called as it would be here, so that a project is one on all machines.
 */
export function rowOfPlace(row: SessionRow, place: string, homes?: Homes): SessionRow {
	const { path, run, parentSession, cwd } = row;
	const placed = (other: string | undefined) =>
		other === undefined || other === "" ? other : placedPath(place, other);
	return {
		...row,
		path: placedPath(place, path),
		place,
		...(homes && { cwd: atHome(cwd, homes) }),
		...(parentSession !== undefined && { parentSession: placed(parentSession) }),
		...(run && { run: { ...run, parent: placed(run.parent) } }),
	};
}

/** A directory of a place, as it would be called here if it is in the home there. */
export function atHome(cwd: string, homes: Homes): string {
	return directoryHere(cwd, homes) ?? cwd;
}

/**
 * The directory here that stands for one of another machine: the same path, with the home directory here instead of the one there.
 * Whether it exists is not checked. Undefined for what is no plain absolute path on this system.
 */
export function directoryHere(cwd: string, { there, here }: Homes): string | undefined {
	const [directory, home] = [cwd, there].map(plainDirectory);
	// "/" is the home of a service: everything would be in it.
	if (directory === undefined || home === undefined || home === dirname(home)) return directory;
	const way = relative(home, directory);
	const isInHome = !isAbsolute(way) && way.split(/[/\\]/)[0] !== "..";
	return isInHome ? join(here, way) : directory;
}

/** An absolute path without separators at its end; undefined for one that says more than its names, such as "/home/ada/../bob". */
export function plainDirectory(path: string): string | undefined {
	const ended = path.replace(/(?<=.)[/\\]+$/, "");
	return isAbsolute(ended) && normalize(ended) === ended && !ended.includes("\0") ? ended : undefined;
}

/**
 * The same session in two places is one row, which says so: of this machine, else the longest. Sessions of one place stay as they are,
 * also those with the same id. Of two that are equal it is that of the place whose name comes first.
 */
export function eachOnce(rows: readonly SessionRow[]): SessionRow[] {
	return [...Map.groupBy(rows, ({ id }) => id)].flatMap(([id, same]) => (id === "" ? same : onceOf(same)));
}

/** The same for the sessions of one id. */
function onceOf(same: readonly SessionRow[]): readonly SessionRow[] {
	const places = new Set(same.map(({ place }) => place));
	if (places.size === 1) return same;
	const [best] = same.toSorted(
		(a, b) =>
			Number(a.place !== undefined) - Number(b.place !== undefined) ||
			b.size - a.size ||
			// A mirror is as long as what it mirrors, and whichever answers first must not decide.
			Number((a.place ?? "") > (b.place ?? "")) - Number((a.place ?? "") < (b.place ?? "")),
	);
	if (best === undefined) return [];
	const others = [...places].filter((place) => place !== best.place).map((place) => place ?? HERE);
	return same.filter(({ place }) => place === best.place).map((row) => ({ ...row, alsoIn: others }));
}

/** What has changed of the rows of a list. */
export interface RowChanges {
	readonly rows: readonly SessionRow[];
	/** Paths of the rows that are no longer there. */
	readonly gone: readonly string[];
}

/** The rows of all places, each session once (`eachOnce`), kept up to date at the cost of what changes. */
export class RowsOnce {
	/** By id, or by what stands for one, then by path. */
	readonly #byId = new Map<string, Map<string, SessionRow>>();
	/** The key of each row in there, by path. */
	readonly #ids = new Map<string, string>();
	/** What the list has, by path, and the row that it was made from. */
	readonly #shown = new Map<string, { readonly from: SessionRow; readonly row: SessionRow }>();

	/** Replaces rows and takes some away; returns what that changes. */
	change(rows: Iterable<SessionRow>, gone: readonly string[] = []): RowChanges {
		const touched = new Set<string>();
		const changes = { rows: [] as SessionRow[], gone: [] as string[] };
		for (const path of gone) this.#take(path, touched);
		for (const row of rows) {
			// What has no id is never the same session; nor is one whose id is the path of that.
			const id = row.id === "" ? `path ${row.path}` : `id ${row.id}`;
			if (this.#ids.get(row.path) !== id) this.#take(row.path, touched);
			this.#ids.set(row.path, id);
			this.#byId.set(id, (this.#byId.get(id) ?? new Map<string, SessionRow>()).set(row.path, row));
			touched.add(id);
		}
		const before = new Set<string>();
		const now = new Set<string>();
		for (const path of gone) before.add(path);
		for (const id of touched) {
			const same = this.#byId.get(id) ?? new Map<string, SessionRow>();
			if (same.size === 0) this.#byId.delete(id);
			for (const path of same.keys()) before.add(path);
			for (const row of onceOf([...same.values()])) {
				now.add(row.path);
				this.#show(row, same.get(row.path) ?? row, changes.rows);
			}
		}
		for (const path of before) if (!now.has(path) && this.#shown.delete(path)) changes.gone.push(path);
		return changes;
	}

	#take(path: string, touched: Set<string>): void {
		const id = this.#ids.get(path);
		if (id === undefined) return;
		this.#ids.delete(path);
		this.#byId.get(id)?.delete(path);
		touched.add(id);
	}

	#show(row: SessionRow, from: SessionRow, changed: SessionRow[]): void {
		const known = this.#shown.get(row.path);
		if (known?.from === from && known.row.alsoIn?.join() === row.alsoIn?.join()) return;
		this.#shown.set(row.path, { from, row });
		changed.push(row);
	}
}
