import { defaultStateDir } from "../../../../catalog/model/session-roots.ts";
import { TREE_FILTERS } from "../../../../conversation/tree/shown-entries.ts";
import { isObject } from "../../../../shared/json.ts";
import { join } from "../../../../shared/paths.ts";
import type { Env } from "../../../../shared/system.ts";
import { readTextFile } from "../../../../store/files/open-file.ts";
import { listOf } from "../../../../store/format/fields.ts";
import { replaceText } from "../../../../store/write/text-file.ts";
import { COLORS } from "../../../../ui/theme/theme-choice.ts";
import type { Runners } from "../../../world/effects/runners.ts";
import { COLUMNS, SORTS } from "../../../world/state/list-columns.ts";
import { FIRST_SETTINGS, type ListSettings, MOST_RECENT } from "../../../world/state/list-state.ts";
import { FIRST_SPLIT, type Split } from "../../../world/state/state.ts";
import type { LastOpened, MemoryEffect, NotedChanges, RememberedState, SessionView } from "../memory-state.ts";

/**
 * Stores how sessions were left, the positions of the dividers and the settings of the list in a file shared by all windows
 * of a person.
 */
export interface ViewMemory {
	/** Content of the file when it was opened. */
	readonly remembered: RememberedState;
	note(noted: NotedChanges): void;
	/** Writes pending notes. */
	close(): Promise<void>;
}

/** Notes within this time are written together. */
const WRITE_MS = 500;

/** A larger file is not ours, and counts as empty. */
const MAX_BYTES = 4 * 1024 * 1024;

export function viewsPath(env: Env, home: string): string {
	return join(defaultStateDir(env, home), "views.json");
}

/** The session that was opened last, in any window; undefined if none was. */
export function readLastOpened(path: string): LastOpened | undefined {
	return readViews(path).last;
}

/**
 * Opens the memory; nothing is created on disk before the first note. As this is a convenience, an unreadable file counts as
 * empty. What cannot be written is written with the next note; `onFailure` is called with the first error.
 */
export function openViewMemory(path: string, clock: () => number, onFailure: (error: unknown) => void): ViewMemory {
	const { views, ...settings } = readViews(path);
	let pending: Partial<StoredViews> | undefined;
	let hasFailed = false;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let writing = Promise.resolve();

	/** Merges the notes of this window into the file, which other windows may have changed. */
	async function write(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		if (pending === undefined) return;
		const storedViews = readViews(path);
		const notes = pending;
		const next = { ...storedViews, ...notes, views: new Map([...storedViews.views, ...(notes.views ?? [])]) };
		pending = undefined;
		try {
			await replaceText(path, [printViews(next)]);
			hasFailed = false;
		} catch (error) {
			pending = merged(notes, pending);
			if (!hasFailed) onFailure(error);
			hasFailed = true;
		}
	}

	return {
		remembered: { ...settings, views: new Map([...views].map(([key, { view }]) => [key, view])) },
		note({ view, last, listed, ...changes }) {
			const atMs = clock();
			pending = merged(pending, {
				...changes,
				...(last && { last: { ...last, atMs } }),
				...(listed !== undefined && { listed: { path: listed, atMs } }),
				views: new Map(view && [[view[0], { atMs, view: view[1] }]]),
			});
			timer ??= setTimeout(() => {
				writing = writing.then(write);
			}, WRITE_MS).unref();
		},
		async close() {
			await writing;
			await write();
		},
	};
}

function merged(
	notes: Partial<StoredViews> | undefined,
	later: Partial<StoredViews> | undefined,
): Partial<StoredViews> {
	return { ...notes, ...later, views: new Map([...(notes?.views ?? []), ...(later?.views ?? [])]) };
}

interface StoredViews extends Omit<RememberedState, "views"> {
	/** By `viewKey`. */
	readonly views: ReadonlyMap<string, StoredView>;
}

interface StoredView {
	/** When the view was stored, Unix ms. */
	readonly atMs: number;
	readonly view: SessionView;
}

const VERSION = 1;
/** Remembered sessions, those left last: the file is written anew with each note. */
const MAX_SESSIONS = 500;
/** Open branches of a session: a file with all of many large sessions would be too large to be read. */
const MAX_OPENED = 100;

/** Reads the file; anything invalid in it is left out, and the next write replaces it. */
function readViews(path: string): StoredViews {
	let stored: unknown;
	try {
		stored = JSON.parse(readTextFile(path, MAX_BYTES));
	} catch {
		// The file is missing or damaged.
	}
	if (!isObject(stored) || stored.version !== VERSION) return { split: undefined, list: undefined, views: new Map() };
	return {
		split: splitOf(stored.split),
		list: listFrom(stored.list),
		colors: COLORS.find((name) => name === stored.colors),
		filter: TREE_FILTERS.find((name) => name === stored.filter),
		last: lastFrom(stored.last),
		listed: listedFrom(stored.listed),
		views: new Map(listOf(stored.sessions).flatMap(viewOf)),
	};
}

/** The text of the file, with the sessions left last. */
function printViews({ list, views, ...settings }: StoredViews): string {
	const newest = [...views].toSorted(([, a], [, b]) => b.atMs - a.atMs).slice(0, MAX_SESSIONS);
	const sessions = newest.map(([key, { atMs, view }]) => ({
		...{ key, atMs, selected: view.selected, filter: view.filter },
		opened: [...view.opened].slice(0, MAX_OPENED),
	}));
	return `${JSON.stringify({ version: VERSION, ...settings, list: list && listToJson(list), sessions })}\n`;
}

function lastFrom(stored: unknown): StoredViews["last"] {
	if (!isObject(stored)) return undefined;
	const { id, path, entry, atMs } = stored;
	if (!isText(id) || !isText(path) || typeof atMs !== "number") return undefined;
	return { id, path, entry: isText(entry) ? entry : undefined, atMs };
}

function listedFrom(stored: unknown): StoredViews["listed"] {
	return isObject(stored) && isText(stored.path) && typeof stored.atMs === "number"
		? { path: stored.path, atMs: stored.atMs }
		: undefined;
}

function viewOf(stored: unknown): [string, StoredView][] {
	if (!isObject(stored)) return [];
	const { key, atMs, selected, filter, opened } = stored;
	const knownFilter = TREE_FILTERS.find((name) => name === filter);
	if (!isText(key) || typeof atMs !== "number" || knownFilter === undefined) return [];
	const ids = listOf(opened).filter(isText);
	const view = { selected: isText(selected) ? selected : undefined, opened: new Set(ids), filter: knownFilter };
	return [[key, { atMs, view }]];
}

function splitOf(stored: unknown): Split | undefined {
	if (!isObject(stored)) return undefined;
	const shares = Object.keys(FIRST_SPLIT).flatMap((name) => {
		const value = stored[name];
		return typeof value === "number" && value >= 0 && value <= 1 ? [[name, value]] : [];
	});
	return { ...FIRST_SPLIT, ...Object.fromEntries(shares) };
}

function listToJson(settings: ListSettings): object {
	return { ...settings, folded: [...settings.folded] };
}

/** Reads what `listToJson` wrote, possibly in another version: unknown values count as never chosen. */
function listFrom(stored: unknown): ListSettings | undefined {
	if (!isObject(stored)) return undefined;
	const order = isObject(stored.order) ? stored.order : {};
	const sort = SORTS.find((name) => name === order.sort && name !== "relevance");
	return {
		order: sort === undefined ? FIRST_SETTINGS.order : { sort, reversed: order.reversed === true },
		columns: Array.isArray(stored.columns)
			? COLUMNS.filter((name) => listOf(stored.columns).includes(name))
			: undefined,
		hereFirst: stored.hereFirst === true,
		damageSeen: typeof stored.damageSeen === "number" ? stored.damageSeen : undefined,
		folded: new Set(listOf(stored.folded).filter(isText)),
		recent: listOf(stored.recent).filter(isText).slice(0, MOST_RECENT),
	};
}

function isText(value: unknown): value is string {
	return typeof value === "string";
}

export function memoryEffects(memory: ViewMemory): Runners<MemoryEffect["type"]> {
	return {
		remember({ noted }) {
			memory.note(noted);
			return undefined;
		},
	};
}
