import { existsSync, globSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { NOTHING_LIVE } from "../../src/catalog/model/live.ts";
import type { SessionRow } from "../../src/catalog/model/row.ts";
import { archiveOf, isArchived } from "../../src/catalog/model/session-roots.ts";
import { scanFile } from "../../src/catalog/scan/scan-file.ts";
import type { Answer } from "../../src/changes/answer.ts";
import { type ChangeJournal, openChangeJournal } from "../../src/changes/engine/changes.ts";
import { createLongWork } from "../../src/changes/engine/long-work.ts";
import { readTrash } from "../../src/changes/engine/read-trash.ts";
import type { RedoRequest } from "../../src/changes/engine/redo.ts";
import type { RestoreAllRequest } from "../../src/changes/engine/restore-all.ts";
import type { UndoRequest } from "../../src/changes/engine/undo-questions.ts";
import type { ShownSession } from "../../src/changes/guard/guard.ts";
import type { Change } from "../../src/changes/kinds/change.ts";
import { type MarksFile, openMarksFile } from "../../src/changes/noted/marks.ts";
import { openSavedFile, type SavedFile } from "../../src/changes/noted/saved-queries.ts";
import type { StoreClient } from "../../src/changes/store-thread/store-client.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { DATA_HOME } from "./data-home.ts";
import { tempAgentDir } from "./temp-dir.ts";

/** Everything that a person can change, on real files, as the browser and the shell change it, without a list and a screen. */
export class ChangedSessions {
	readonly agent: ReturnType<typeof tempAgentDir>;
	readonly marks: MarksFile;
	readonly saved: SavedFile;
	readonly #store: StoreClient;
	#runs = 0;
	journal: ChangeJournal;

	/** Makes an empty directory of sessions in `base`, and empties the trash. */
	constructor(base: string, store: StoreClient) {
		rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true });
		this.agent = tempAgentDir(base);
		this.#store = store;
		this.marks = openMarksFile(join(base, "marks.jsonl"));
		this.saved = openSavedFile(join(base, "queries.jsonl"));
		this.journal = this.#open();
	}

	/** Ends the program and starts it again: the journal is read anew, and nothing in it is of this run. */
	restart(): void {
		this.#runs++;
		this.journal = this.#open();
	}

	#open(): ChangeJournal {
		const { base, sessionRoots } = this.agent;
		return openChangeJournal({
			path: join(base, "journal.jsonl"),
			run: { pid: process.pid, start: 1 + this.#runs },
			...{ store: this.#store, readThread: this.#store, sessionRoots, home: base, clock: Date.now },
			...{ marks: this.marks, saved: this.saved },
			rowOf: (path) => this.rowOf(path),
			titleOf: (path) => (existsSync(path) ? basename(path) : undefined),
			changed: () => undefined,
			refresh: () => undefined,
			checkUse: async () => NOTHING_LIVE,
			work: createLongWork(() => undefined),
		});
	}

	/** Paths of all sessions, also of archived ones, in alphabetical order. */
	paths(): string[] {
		const { root, sessionRoots } = this.agent;
		const dirs = [root, archiveOf(sessionRoots)];
		return dirs.flatMap((dir) => globSync("**/*.jsonl", { cwd: dir }).map((path) => join(dir, path))).sort();
	}

	/** As the list has it. */
	rowOf(path: string): SessionRow | undefined {
		if (!existsSync(path)) return undefined;
		const { row } = scanFile(path);
		return isArchived(path, this.agent.sessionRoots) ? { ...row, archived: true } : row;
	}

	shown(paths: readonly string[]): ShownSession[] {
		return paths.flatMap((path) => {
			const row = this.rowOf(path);
			return row === undefined ? [] : [{ row, uses: [] }];
		});
	}

	/** What is in the trash, as its page lists it. */
	trash() {
		return readTrash(this.journal.history, this.agent.sessionRoots);
	}

	/** All changes, newest first. */
	async changes(): Promise<readonly Change[]> {
		return (await this.journal.history.read(Number.MAX_SAFE_INTEGER)).changes;
	}

	/** Undoes and says yes to every question; resolves to the message. */
	async undo(request: UndoRequest = { type: "undo" }): Promise<string> {
		return agreed(request, (each) => this.journal.undo(each));
	}

	async redo(request: RedoRequest): Promise<string> {
		return agreed(request, (each) => this.journal.redo(each));
	}

	async restore(request: RestoreAllRequest): Promise<string> {
		return agreed(request, (each) => this.journal.restoreAll(each));
	}

	/** What a person sees of a session: its row without its size, its labels, and where pi goes on in it. */
	async seen(path: string): Promise<object> {
		const { size: _, diagnostics: __, ...row } = this.rowOf(path) ?? { size: 0, diagnostics: [] };
		const { tree } = await readSession(path);
		const leaf = await this.#store.run("leafOf", path);
		const labels = [...tree.labels].map(([id, { text }]) => [id, text]);
		return { ...row, labels: labels.sort(), leaf: tree.byId.get(leaf)?.type === "message" ? leaf : null };
	}

	async seenOfAll(): Promise<object> {
		const sessions: [string, object][] = [];
		for (const path of this.paths()) sessions.push([path, await this.seen(path)]);
		return { sessions, marks: this.marks.content(), saved: this.saved.content() };
	}
}

/** Carries out a request and says yes to every question about it; resolves to the message. */
async function agreed<Request>(
	request: Request,
	work: (request: Request) => Promise<Answer<Request>>,
): Promise<string> {
	const answer = await work(request);
	if (answer.type === "done") return answer.message.text;
	const effect = answer.question.choices.find((choice) => choice.effect !== undefined)?.effect;
	if (effect === undefined) throw new Error(`${answer.question.title}: nothing can be answered`);
	return agreed(effect, work);
}
