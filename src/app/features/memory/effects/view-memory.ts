import { statSync } from "node:fs";
import { join } from "node:path";
import { defaultStateDir } from "../../../../catalog/model/state-dir.ts";
import { readTextFile } from "../../../../store/files/open-file.ts";
import { replaceFile } from "../../../world/effects/write-file.ts";
import type { RememberedList } from "../../../world/state/list-state.ts";
import type { Split } from "../../../world/state/split.ts";
import type { Remembered, SessionView } from "../memory-state.ts";
import { NO_VIEWS, parseViews, printViews, type StoredView, type StoredViews } from "./views-file.ts";

/**
 * Stores how sessions were left, the positions of the dividers and the settings of the list in a file shared by all windows
 * of a person.
 */
export interface ViewMemory {
	/** What the file held when it was opened. */
	readonly remembered: Remembered;
	noteView(key: string, view: SessionView): void;
	noteSplit(split: Split): void;
	noteList(list: RememberedList): void;
	/** Writes pending notes. */
	close(): Promise<void>;
}

/** Notes within this time are written together. */
const WRITE_MS = 500;

/** A larger file is not ours, and counts as empty. */
const MAX_BYTES = 4 * 1024 * 1024;

export function viewsPath(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(defaultStateDir(env, home), "views.json");
}

/**
 * Opens the memory; nothing is created on disk before the first note. As this is a convenience, an unreadable file counts as
 * empty, and a failed write is ignored.
 */
export function openViewMemory(path: string, clock: () => number): ViewMemory {
	const { split, list, views } = readViews(path);
	let noted = new Map<string, StoredView>();
	let notedSplit: Split | undefined;
	let notedList: RememberedList | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let writing = Promise.resolve();

	/** Merges the notes of this window into the file, which other windows may have changed. */
	async function write(): Promise<void> {
		clearTimeout(timer);
		timer = undefined;
		if (noted.size === 0 && notedSplit === undefined && notedList === undefined) return;
		const before = readViews(path);
		const next: StoredViews = {
			split: notedSplit ?? before.split,
			list: notedList ?? before.list,
			views: new Map([...before.views, ...noted]),
		};
		noted = new Map();
		notedSplit = undefined;
		notedList = undefined;
		await replaceFile(path, [printViews(next)]).catch(() => undefined);
	}

	function schedule(): void {
		timer ??= setTimeout(() => {
			writing = writing.then(write);
		}, WRITE_MS).unref();
	}

	return {
		remembered: { split, list, views: new Map([...views].map(([key, { view }]) => [key, view])) },
		noteView(key, view) {
			noted.set(key, { atMs: clock(), view });
			schedule();
		},
		noteSplit(next) {
			notedSplit = next;
			schedule();
		},
		noteList(next) {
			notedList = next;
			schedule();
		},
		async close() {
			await writing;
			await write();
		},
	};
}

function readViews(path: string): StoredViews {
	try {
		return statSync(path).size > MAX_BYTES ? NO_VIEWS : parseViews(readTextFile(path));
	} catch {
		return NO_VIEWS;
	}
}
