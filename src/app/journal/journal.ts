import { randomUUID } from "node:crypto";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Change, undoable } from "./change.ts";
import type { JournalLine, Undo } from "./journal-schema.ts";

/**
 * What was done to sessions, so that it can be undone after a crash or a restart too: a file of JSON lines that is only
 * appended to, under `$XDG_STATE_HOME/pi-grove` (else `~/.local/state/pi-grove`).
 */
export interface Journal {
	/** Notes that something is about to be done; returns its id. */
	begin(what: string): Promise<string>;
	done(id: string, undo: Undo): Promise<void>;
	/** Notes that something failed or was undone: it is no longer to be undone. */
	discard(id: string): Promise<void>;
	/** The last thing done that can be undone. */
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

/** The lines that can be understood; one that a crash cut off, or that a newer version wrote, is passed over. */
async function readLines(path: string): Promise<JournalLine[]> {
	const text = await readFile(path, "utf8").catch((error: unknown) => {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
		throw error;
	});
	// Loaded when it is needed: zod is a third of the start-up time, and most runs undo nothing.
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
		// Not JSON is not a journal line: the schema refuses undefined.
		return undefined;
	}
}
