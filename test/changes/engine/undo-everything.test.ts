import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { readTrash } from "../../../src/app/features/maintenance/effects/read-trash.ts";
import { NOTHING_LIVE } from "../../../src/catalog/model/live.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { isArchived, type SessionRoots } from "../../../src/catalog/model/session-roots.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import type { Answer, Question } from "../../../src/changes/engine/answer.ts";
import { type ChangeJournal, openChangeJournal } from "../../../src/changes/engine/changes.ts";
import { createLongWork } from "../../../src/changes/engine/long-work.ts";
import { type Change, isMade } from "../../../src/changes/kinds/change.ts";
import { openMarksFile, readMarks } from "../../../src/changes/noted/marks.ts";
import { openSavedFile } from "../../../src/changes/noted/saved-queries.ts";
import { createStoreClient } from "../../../src/changes/store-thread/store-client.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { DATA_HOME } from "../../support/data-home.ts";
import { conversation, lines } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const store = createStoreClient();
afterAll(() => store.close());
beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));

const MESSAGES = [
	{ role: "user", text: "Why?" },
	{ role: "assistant", text: "Because." },
	{ role: "user", text: "Go on" },
] as const;

/** A change, or what is done with changes; `at` and `to` choose among what there is. */
type Step = readonly [name: keyof typeof ACTS, at: number, to: number];

/** Three sessions, and whoever changes them: the browser, which may be started again. */
class Person {
	readonly #dir = tempAgentDir();
	readonly sessionRoots: SessionRoots = this.#dir.sessionRoots;
	readonly #state = join(this.#dir.base, "state");
	readonly project = join(this.#dir.base, "project");
	readonly #marks = openMarksFile(join(this.#state, "marks.jsonl"));
	readonly #saved = openSavedFile(join(this.#state, "queries.jsonl"));
	#starts = 0;
	changes: ChangeJournal;

	constructor() {
		mkdirSync(this.project);
		for (const number of ["0001", "0002", "0003"]) {
			const plan = {
				number,
				cwd: this.project,
				endMs: Date.now() - 60_000,
				messages: MESSAGES,
				name: `Name ${number}`,
			};
			this.#dir.write(`--project--/2026-01-01T00-00-00-000Z_${number}.jsonl`, lines(...conversation(plan).lines));
		}
		this.changes = this.#open();
	}

	/** As another start of the program opens it: nothing is its own. */
	restart(): void {
		this.changes = this.#open();
	}

	#open(): ChangeJournal {
		return openChangeJournal({
			path: join(this.#state, "journal.jsonl"),
			// No process has these numbers.
			run: { pid: 2 ** 30 + this.#starts++, start: Date.now() },
			sessionRoots: this.sessionRoots,
			store,
			readThread: store,
			marks: this.#marks,
			saved: this.#saved,
			clock: Date.now,
			home: this.#dir.base,
			titleOf: (path) => this.rowOf(path)?.name,
			rowOf: (path) => this.rowOf(path),
			changed: () => undefined,
			refresh: () => undefined,
			checkUse: async () => NOTHING_LIVE,
			work: createLongWork(() => undefined),
		});
	}

	rowOf(path: string): SessionRow | undefined {
		if (!existsSync(path)) return undefined;
		const { row } = scanFile(path);
		return { ...row, ...(isArchived(path, this.sessionRoots) && { archived: true }) };
	}

	/** The paths of the sessions that are there, those in the archive, too. */
	paths(): readonly string[] {
		const below = readdirSync(this.#dir.base, { recursive: true, encoding: "utf8" });
		return below
			.filter((path) => /^agent\/session.*\.jsonl$/.test(path))
			.map((path) => join(this.#dir.base, path))
			.toSorted();
	}

	/** What a person sees of all that can be changed. */
	async sees() {
		const sessions = await Promise.all(
			this.paths().map(async (path) => {
				const { tree } = await readSession(path);
				const labels = [...tree.labels].map(([id, { text }]) => [id, text]);
				const leaf = tree.byId.get(tree.leafId ?? "");
				// An undo appends an entry that only says where the session goes on; so do names and labels.
				let goesOn = leaf;
				while (goesOn !== undefined && goesOn.type !== "message")
					goesOn = tree.byId.get(tree.parentOf.get(goesOn.id) ?? "");
				return { path, name: tree.name, labels, goesOn: goesOn?.id };
			}),
		);
		const { marks } = readMarks(join(this.#state, "marks.jsonl"));
		return { sessions, marks, saved: this.#saved.read().saved };
	}

	async history(): Promise<readonly Change[]> {
		return (await this.changes.history.read(Number.MAX_SAFE_INTEGER)).changes;
	}

	/** Answers each question with the choice that goes on; returns what was said in the end. */
	async agree<Again extends { readonly type: string }>(
		first: Promise<Answer<Again>>,
		again: (effect: Again) => Promise<Answer<Again>>,
	): Promise<string> {
		let answer = await first;
		while (answer.type === "ask") {
			const effect = choiceOf(answer.question);
			if (effect === undefined) return `asked: ${answer.question.title}`;
			answer = await again(effect);
		}
		return answer.message.text;
	}

	undo(of?: { readonly id: string }): Promise<string> {
		const request = { type: "undo", ...(of && { of }) } as const;
		return this.agree(this.changes.undo(request), (effect) => this.changes.undo(effect));
	}
}

/** The choice that does what was asked for, and gives nothing up. */
function choiceOf<Again extends object>({ choices }: Question<Again>): Again | undefined {
	return choices.find(({ effect }) => effect !== undefined && "agreed" in effect && !("skip" in effect))?.effect;
}

function pick<Item>(items: readonly Item[], at: number): Item | undefined {
	return items[at % Math.max(1, items.length)];
}

const shown = (row: SessionRow) => ({ row, uses: [] });

/** What a person may do; `to` distinguishes texts. What cannot be done rejects, as the browser would say so. */
const ACTS = {
	async rename(person: Person, path: string, to: number) {
		await person.changes.make({ type: "rename", path, name: to % 4 === 0 ? "" : `Renamed ${to}` });
	},
	async label(person: Person, path: string, to: number) {
		const entryId = pick([...(await readSession(path)).tree.byId.values()].filter(isMessage), to)?.id ?? "";
		await person.changes.make({ type: "label", path, entryId, label: to % 3 === 0 ? "" : `label ${to}` });
	},
	async branch(person: Person, path: string, to: number) {
		const entryId = pick([...(await readSession(path)).tree.byId.values()].filter(isMessage), to)?.id ?? "";
		await person.changes.make({ type: "branch", path, entryId });
	},
	async fork(person: Person, path: string) {
		await person.changes.make({ type: "fork", path, cwd: person.project });
	},
	async bring(person: Person, path: string) {
		await person.changes.make({ type: "bring", path, from: `mini:${path}`, title: "Brought", cwd: person.project });
	},
	async goOn(person: Person, path: string, to: number) {
		const entryId = pick([...(await readSession(path)).tree.byId.values()].filter(isMessage), to)?.id ?? "";
		await person.changes.make({ type: "go-on", path, entryId });
	},
	async trash(person: Person, path: string) {
		await person.changes.make({ type: "trash", path, size: person.rowOf(path)?.size ?? 0 });
	},
	async trashSome(person: Person, _: string, to: number) {
		const some = person.paths().filter((_path, index) => (to >> index) % 2 === 0);
		const sessions = some.flatMap((path) => person.rowOf(path) ?? []).map(shown);
		if (sessions.length > 1)
			await person.changes.changeAll({ type: "change-all", change: { type: "trash" }, sessions });
	},
	async restore(person: Person, _: string, to: number) {
		const item = pick(await readTrash(person.changes.history, person.sessionRoots), to);
		if (item === undefined) return;
		const request = { type: "restore-all", items: [{ item, title: "Restored" }], beside: to % 2 === 0 } as const;
		await person.changes.restoreAll(request);
	},
	async archive(person: Person, path: string) {
		const row = person.rowOf(path);
		if (row?.archived) await person.changes.bringBack([path]);
		else if (row !== undefined) await person.changes.archive([shown(row)]);
	},
	async pin(person: Person, path: string, to: number) {
		const id = person.rowOf(path)?.id ?? "";
		await person.changes.make({ type: "mark", paths: [path], changes: [{ id, on: to % 2 === 0 }] });
	},
	async tag(person: Person, path: string, to: number) {
		const id = person.rowOf(path)?.id ?? "";
		await person.changes.make({
			type: "mark",
			paths: [path],
			changes: [{ id, tag: `tag${to % 3}`, on: to % 2 === 0 }],
		});
	},
	async save(person: Person, _: string, to: number) {
		const changes = [{ name: `query ${to % 3}`, text: to % 4 === 0 ? null : `word${to}` }];
		await person.changes.make({ type: "save-query", what: "save a query", done: "Saved", changes });
	},
	async undo(person: Person) {
		await person.undo();
	},
	async undoChosen(person: Person, _: string, to: number) {
		const change = pick((await person.history()).filter(isMade), to);
		if (change !== undefined) await person.undo({ id: change.id });
	},
	async redo(person: Person, _: string, to: number) {
		const change = pick(
			(await person.history()).filter(({ fate }) => fate === "undone"),
			to,
		);
		const request = change && ({ type: "redo", of: { id: change.id } } as const);
		if (request) await person.agree(person.changes.redo(request), (effect) => person.changes.redo(effect));
	},
	async restart(person: Person) {
		person.restart();
	},
} as const;

function isMessage({ type }: { readonly type: string }): boolean {
	return type === "message";
}

/** Where the sessions are by what the history calls made, oldest first. */
function placesBy(history: readonly Change[], beginning: readonly string[]): readonly string[] {
	const there = new Set(beginning);
	for (const { undo } of history.filter(isMade).toReversed()) {
		if (undo?.type === "created") there.add(undo.path);
		if (undo?.type === "restore") there.delete(undo.path ?? undo.receipt.path);
		if (undo?.type === "moved") {
			there.delete(undo.path);
			there.add(undo.to);
		}
	}
	return [...there].toSorted();
}

async function act(person: Person, [name, at, to]: Step): Promise<string> {
	const path = pick(person.paths(), at) ?? "";
	try {
		await ACTS[name](person, path, to);
		return name;
	} catch (error) {
		return `${name}: ${error instanceof Error ? error.message : String(error)}`;
	}
}

async function expectUndone(steps: readonly Step[]): Promise<void> {
	rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true });
	const person = new Person();
	const before = await person.sees();
	const beginning = person.paths();
	const told: string[] = [];
	for (const step of steps) {
		told.push(await act(person, step));
		expect({ told, paths: person.paths() }).toEqual({ told, paths: placesBy(await person.history(), beginning) });
	}
	for (let count = 0; count <= 3 * steps.length + 3; count++) {
		const said = await person.undo();
		told.push(said);
		if (said === "There is nothing to undo") break;
		expect({ told, said }).toEqual({ told, said: expect.stringMatching(/^Undone: /) });
		expect({ told, paths: person.paths() }).toEqual({ told, paths: placesBy(await person.history(), beginning) });
	}
	expect(told.at(-1)).toBe("There is nothing to undo");
	expect({ told, ...(await person.sees()) }).toEqual({ told, ...before });
}

describe.skipIf(process.platform !== "linux")("after undoing everything all is as it was in the beginning", () => {
	test("undoing a restore makes the delete effective again, which undo takes back then", () =>
		expectUndone([
			["trash", 0, 0],
			["restore", 0, 1],
			["undo", 0, 0],
		]));

	test("of three that were deleted together one is restored, and that undone", () =>
		expectUndone([
			["trashSome", 0, 0],
			["restore", 0, 1],
			["undo", 0, 0],
			["restart", 0, 0],
		]));

	test("whatever was done", async () => {
		const names = Object.keys(ACTS) as readonly (keyof typeof ACTS)[];
		const step = fc.tuple(fc.constantFrom(...names), fc.nat(20), fc.nat(20));
		await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), expectUndone), {
			numRuns: caseCount(15, 60),
			seed: FIRST_SEED,
		});
	});
});
