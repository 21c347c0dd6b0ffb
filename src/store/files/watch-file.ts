import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "../../shared/paths.ts";

/** If the system does not report changes, they are noticed within this time. */
const POLL_MS = 2000;

interface WatchedFile {
	/** Looks for a change now, without waiting for the system to report it. */
	check(): void;
	/** Begins to watch. Until then, only `check` notices a change. */
	start(): void;
	close(): void;
}

/** Calls a listener after each change of a small file, which may not exist yet, nor its directory. */
export function watchFile(path: string, onChange: () => void): WatchedFile {
	let watcher: FSWatcher | undefined;
	let timer: ReturnType<typeof setInterval> | undefined;
	let lastStamp = stampOf(path);

	function check(): void {
		const stamp = stampOf(path);
		if (stamp === lastStamp) return;
		lastStamp = stamp;
		onChange();
	}

	/** The watcher may fail: then the timer tries again. */
	function startWatcher(): void {
		if (watcher !== undefined) return;
		try {
			watcher = watch(dirname(path), { persistent: false }, (_, name) => {
				if (name === null || name === basename(path)) check();
			});
			watcher.on("error", () => {
				watcher?.close();
				watcher = undefined;
			});
		} catch {
			watcher = undefined;
		}
	}

	return {
		check,
		start(): void {
			startWatcher();
			timer ??= setInterval(() => {
				startWatcher();
				check();
			}, POLL_MS).unref();
		},
		close(): void {
			clearInterval(timer);
			watcher?.close();
			watcher = undefined;
		},
	};
}

/** Differs whenever the file does; "" if there is none. */
function stampOf(path: string): string {
	try {
		const { ino, size, mtimeMs } = statSync(path);
		return `${ino} ${size} ${mtimeMs}`;
	} catch {
		return "";
	}
}
