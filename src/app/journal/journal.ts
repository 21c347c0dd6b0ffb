import { randomUUID } from "node:crypto";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Change, undoable } from "./change.ts";
import type { JournalLine, Undo } from "./journal-schema.ts";

/**
 * The changes made to sessions, so that they can be undone even after a crash or a restart: an append-only file of JSON
 * lines in `$XDG_STATE_HOME/pi-grove` (by default `~/.local/state/pi-grove`).
 */
export interface Journal {
	/** Records that a change is about to be made; returns its id. */
	begin(what: string): Promise<string>;
	/** Records that it was made, and how to undo it. */
	done(id: string, undo: Undo): Promise<void>;
	/** Records that it failed or was undone, so that it is not offered for undo any more. */
	discard(id: string): Promise<void>;
	/** The last change that can be undone. */
	last(): Promise<Change | undefined>;
}

export function journalPath(env: Readonly<Record<string, string | undefined>>, home: string): string {
	return join(env.XDG_STATE_HOME || join(home, ".local", "state"), "pi-grove", "journal.jsonl");
}

export function openJournal(path: string): Journal {
	async function write(line: JournalLine, consequence: string): Promise<void> {
		try {
			await mkdir(dirname(path), { recursive: true });
			await appendFile(path, `${JSON.stringify(line)}\n`);
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`Cannot write the undo journal ${path}: ${reason}. ${consequence}`, { cause: error });
		}
	}
	return {
		async begin(what) {
			const id = randomUUID();
			await write({ step: "begin", id, at: new Date().toISOString(), what }, "Nothing was done.");
			return id;
		},
		done: (id, undo) => write({ step: "done", id, undo }, "It was done, but cannot be undone from here."),
		discard: (id) => write({ step: "over", id }, "The journal may offer to undo it again."),
		last: async () => undoable(await readLines(path)).at(-1),
	};
}

/** The lines that are valid; one that a crash cut off, or that a newer version wrote, is skipped. */
async function readLines(path: string): Promise<JournalLine[]> {
	const text = await readFile(path, "utf8").catch((error: unknown) => {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
		throw error;
	});
	// Loaded when needed: zod is a third of the start-up time, and most runs undo nothing.
	const { JournalLineSchema } = await import("./journal-schema.ts");
	return text.split("\n").flatMap((line) => {
		const parsed = JournalLineSchema.safeParse(parseJson(line));
		return parsed.success ? [parsed.data] : [];
	});
}

function parseJson(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		// Not a journal line: the schema rejects undefined.
		return undefined;
	}
}
