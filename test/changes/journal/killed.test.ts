import { spawn } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Action } from "../../../src/app/world/state/action.ts";
import type { Effect } from "../../../src/app/world/state/effect.ts";
import type { EffectQuestion } from "../../../src/app/world/state/overlays.ts";
import { NOTHING_LIVE } from "../../../src/catalog/model/live.ts";
import { NO_MARKS } from "../../../src/catalog/model/marks.ts";
import { archiveCounterpart } from "../../../src/catalog/model/session-roots.ts";
import { sweepUnfinished } from "../../../src/changes/checkout/unfinished.ts";
import { createLongWork } from "../../../src/changes/engine/long-work.ts";
import { createUndo } from "../../../src/changes/engine/undo.ts";
import { sweepReplacements } from "../../../src/changes/files/replace-files.ts";
import { createHistoryReader } from "../../../src/changes/journal/history-reader.ts";
import { openJournal } from "../../../src/changes/journal/journal.ts";
import type { SessionsChange } from "../../../src/changes/kinds/kinds.ts";
import { openMarksFile, readMarks } from "../../../src/changes/noted/marks.ts";
import { openSavedFile } from "../../../src/changes/noted/saved-queries.ts";
import { createStoreClient } from "../../../src/changes/store-thread/store-client.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { inLong, inShort } from "../../support/cases.ts";
import { COMMENT } from "../../support/comments.ts";
import { DATA_HOME } from "../../support/data-home.ts";
import { GitRepository } from "../../support/git-repository.ts";
import { type KilledAt, killedChange } from "../../support/killed-change.ts";
import { makeRow } from "../../support/rows.ts";
import { conversation, lines } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const WORDS = [
	{ role: "user", text: "Why?" },
	{ role: "assistant", text: "Because." },
	{ role: "user", text: "Go on" },
] as const;

/** A session, and an undo of the next run over it. */
function start() {
	const { base, root, sessionRoots, write } = tempAgentDir();
	const cwd = join(base, "project");
	const bin = join(base, "bin");
	for (const directory of [cwd, bin]) mkdirSync(directory);
	writeFileSync(join(bin, "pi"), "#!/bin/sh\n");
	chmodSync(join(bin, "pi"), 0o755);
	const { lines: all } = conversation({
		number: "0001",
		cwd,
		endMs: Date.now() - 60_000,
		messages: WORDS,
		name: "Old",
	});
	const path = write("--project--/session.jsonl", lines(...all));
	/** Others of the same project. */
	const others = (count: number): string[] =>
		Array.from({ length: count }, (_, index) => write(`--project--/other${index}.jsonl`, lines(...all)));
	const journal = join(base, "state", "journal.jsonl");
	const store = createStoreClient();
	onTestFinished(() => store.close());
	const next = openJournal({ path: journal, root });
	const undo = createUndo({
		journal: next,
		history: createHistoryReader(journal, root, next.run),
		store,
		marks: openMarksFile(join(base, "state", "marks.jsonl")),
		saved: openSavedFile(join(base, "state", "queries.jsonl")),
		sessionRoots,
		stateDir: join(base, "state"),
		clock: Date.now,
		changed: () => undefined,
		checkUse: async () => NOTHING_LIVE,
		rowOf: () => undefined,
		work: createLongWork(() => undefined),
	});
	return {
		path,
		/** The journal as another run writes it. */
		journalOf: (pid: number) => openJournal({ path: journal, root, run: { pid, start: 1 } }),
		/** Where it is when it is archived. */
		archived: archiveCounterpart(path, sessionRoots),
		cwd,
		stateDir: join(base, "state"),
		marks: () => readMarks(join(base, "state", "marks.jsonl")).marks,
		others,
		sessions: () => readdirSync(root, { recursive: true }).filter((name) => String(name).endsWith(".jsonl")).length,
		undo: (effect: Omit<Extract<Effect, { type: "undo" }>, "type"> = {}) => undo({ type: "undo", ...effect }),
		/** Changes the session in a process that is killed. */
		async change(effect: Effect, killedAt: KilledAt): Promise<void> {
			const signal = await killedChange({ effect, sessionRoots, journal, killedAt, env: { PATH: bin } });
			if ("note" in killedAt) expect(signal).toBe("SIGKILL");
		},
	};
}

type Started = ReturnType<typeof start>;

function textOf(action: Action): string {
	return action.type === "done" ? action.message.text : "";
}

function questionOf(action: Action): EffectQuestion {
	if (action.type !== "ask") throw new Error(`There is no question, but: ${textOf(action)}`);
	return action.question;
}

/** Answers the question with its first choice. */
async function agree(started: Started, question: EffectQuestion): Promise<Action> {
	const effect = question.choices[0]?.effect;
	if (effect?.type !== "undo") throw new Error("The first choice is no undo");
	return started.undo(effect);
}

const CHANGES: Readonly<Record<string, (started: Started) => Effect>> = {
	"a rename": ({ path }) => ({ type: "rename", path, name: "New" }),
	"a label": ({ path }) => ({ type: "label", path, entryId: "00010001", label: "here" }),
	"a branch": ({ path }) => ({ type: "branch", path, entryId: "00010001" }),
	"a fork": ({ path, cwd }) => ({ type: "fork", path, cwd }),
	"bringing one here": ({ path, cwd }) => ({
		type: "bring",
		path,
		from: `mini:${path}`,
		title: "The session",
		cwd,
	}),
	"making a directory of files": ({ path, cwd }) => ({
		type: "checkout",
		...{ path, title: "The session", entryId: "00010001", into: `${cwd}@then`, inside: "" },
		files: [{ name: "deep/a.txt", text: "a\n" }],
		branches: true,
	}),
	"going on from an entry": ({ path, cwd }) => ({
		type: "resume-from",
		request: { path, cwd },
		entryId: "00010001",
	}),
	"a deletion": deletion,
	archiving,
	"replacing files": ({ path, cwd }) => ({
		type: "files",
		...{ path, title: "The session", how: "take back", root: cwd },
		files: [{ name: "deep/a.txt", from: undefined, to: { text: "a\n", isExecutable: false } }],
	}),
	commenting: ({ path }) => ({
		type: "comment",
		...{ path, what: "write a comment on “The session”", done: "Wrote it" },
		changes: [{ id: "a", file: "b", key: "", comment: { ...COMMENT, key: "" } }],
	}),
	pinning: ({ path }) => ({ type: "mark", paths: [path], changes: [{ id: "a", on: true }] }),
	tagging: ({ path }) => ({ type: "mark", paths: [path], changes: [{ id: "a", tag: "wip", on: true }] }),
};

/** Of these another one is undone in the same way. */
const AGAIN: ReadonlySet<string> = new Set(["a label", "tagging"]);

/** One of those that append, make a file, make a directory, move a file, and note something: what was not begun is undone alike. */
const BEFORE: ReadonlySet<string> = new Set([
	"a rename",
	"a fork",
	"making a directory of files",
	"replacing files",
	"a deletion",
	"pinning",
]);

function deletion({ path }: Started): Effect {
	return onOne({ type: "trash" }, path);
}

function archiving(started: Started): Effect {
	return onOne({ type: "archive" }, started.path);
}

function onOne(change: SessionsChange, path: string): Effect {
	const shown = { row: makeRow("a", { path, size: statSync(path).size }), uses: [] };
	return { type: "change-sessions", change, sessions: [shown] };
}

/** The session as a person sees it. */
async function seen({ path, cwd, sessions, marks }: Started) {
	if (!existsSync(path)) return undefined;
	const { tree } = await readSession(path);
	const leaf = tree.byId.get(tree.leafId ?? "");
	// Undoing appends an entry that says only where the session goes on.
	const goesOnFrom = leaf?.type === "custom" ? leaf.parentId : tree.leafId;
	return {
		name: tree.name,
		label: tree.labels.get("00010001")?.text,
		goesOnFrom,
		sessions: sessions(),
		marks: marks(),
		files: readdirSync(cwd),
	};
}

describe.skipIf(process.platform !== "linux")("a process that is killed", () => {
	beforeEach(() => rmSync(join(DATA_HOME, "Trash"), { recursive: true, force: true }));

	describe.each(inShort(Object.entries(CHANGES), ([what]) => !AGAIN.has(what)))("during %s", (what, effectOf) => {
		test("after it was made: the next run offers to undo it", async () => {
			const started = start();
			const before = await seen(started);
			await started.change(effectOf(started), { note: "done" });
			expect(await seen(started)).not.toEqual(before);
			const question = questionOf(await started.undo());
			expect(question.body.join(" ")).toMatch(/“The session”.*not in this window/);
			expect(textOf(await agree(started, question))).toMatch(/^Undone: /);
			const after = await seen(started);
			// The entry of a name or label is the leaf; its undo comes after it.
			expect({ ...after, goesOnFrom: "" }).toEqual({ ...before, goesOnFrom: "" });
			if (effectOf(started).type === "resume-from") expect(after).toEqual(before);
			expect(textOf(await started.undo())).toBe("There is nothing to undo");
		});

		test.runIf(inLong(true, BEFORE.has(what)))("before it was made: there is nothing to undo", async () => {
			const started = start();
			const content = readFileSync(started.path, "utf8");
			await started.change(effectOf(started), { note: "begin" });
			expect(textOf(await started.undo())).toBe("There is nothing to undo");
			expect(readFileSync(started.path, "utf8")).toBe(content);
			expect(started.sessions()).toBe(1);
			expect(started.marks()).toEqual(NO_MARKS);
		});
	});

	test("at any moment of the deletion of many: what is gone comes back by one undo", async () => {
		const moments: readonly KilledAt[] = [
			// Between two sessions, and between moving the sixth one and its note: some are gone, however busy the machine is.
			{ note: "begin", after: 6 },
			{ note: "done", after: 5 },
			...Array.from({ length: 12 }, (_, index) => ({ begun: index + 1, afterMs: index % 4 })),
		];
		for (const killedAt of inShort(moments, (moment) => "note" in moment || moment.begun === 1)) {
			const started = start();
			const paths = started.others(12);
			const contents = paths.map((path) => readFileSync(path, "utf8"));
			const sessions = paths.map((path) => ({ row: makeRow("a", { path, size: statSync(path).size }), uses: [] }));
			await started.change({ type: "change-sessions", change: { type: "trash" }, sessions }, killedAt);
			const gone = paths.filter((path) => !existsSync(path)).length;
			if ("note" in killedAt) expect(gone).toBe(6);
			const action = await started.undo();
			if (gone === 0) expect(textOf(action)).toBe("There is nothing to undo");
			else {
				const question = questionOf(action);
				expect(question.body[0]).toBe(`Move ${gone === 12 ? "" : `${gone} of `}12 sessions to the trash.`);
				expect(textOf(await agree(started, question))).toMatch(
					/^Undone: move (?:\d+ of )?12 sessions to the trash[^;]*$/,
				);
			}
			expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(contents);
			expect(textOf(await started.undo())).toBe("There is nothing to undo");
		}
	});

	test.each([
		["a deletion", deletion, 120],
		["archiving", archiving, 48],
	] as const)(
		"at any moment of %s: the session is there, or the next run brings it back",
		async (_, effectOf, lastMs) => {
			const moments = Array.from({ length: lastMs / 8 }, (_, index) => index * 8);
			for (const afterMs of inShort(moments, (_, index) => index === 0 || index === moments.length - 1)) {
				const started = start();
				const content = readFileSync(started.path, "utf8");
				await started.change(effectOf(started), { begun: 1, afterMs });
				// Archiving gives it a second name before it takes the first: with both, it counts as made.
				const isAsItWas = existsSync(started.path) && !existsSync(started.archived);
				const action = await started.undo();
				if (isAsItWas) expect(textOf(action)).toBe("There is nothing to undo");
				else expect(textOf(await agree(started, questionOf(action)))).toMatch(/^Undone: (move|archive) “The session”/);
				expect(readFileSync(started.path, "utf8")).toBe(content);
				expect(existsSync(started.archived)).toBe(false);
				expect(existsSync(dirname(started.path))).toBe(true);
			}
		},
	);

	test("at any moment of making a directory of files: it is there whole, or nothing is left of it", async () => {
		const moments = Array.from({ length: 16 }, (_, index) => index * 6);
		for (const afterMs of inShort(moments, (_, index) => index % 10 === 1)) {
			const started = start();
			const repository = new GitRepository(started.cwd);
			repository.put(new Map(Array.from({ length: 40 }, (_, index) => [repository.file(`${index}.txt`), "text\n"])));
			const commit = repository.commit(Date.now() - 120_000, "all");
			const into = `${started.cwd}@then`;
			const about = { path: started.path, title: "The session", entryId: "00010001", into, inside: "", branches: true };
			const files = [{ name: "deep/a.txt", text: "a\n" }];
			const git = { repository: started.cwd, commit };
			await started.change({ type: "checkout", ...about, ...git, files }, { begun: 1, afterMs });
			const isWhole = existsSync(into);
			if (isWhole) expect(readdirSync(into)).toHaveLength(42);
			// Git may go on for a moment after the process that started it was killed.
			const left = async () => {
				await sweepUnfinished(started.stateDir);
				const worktrees = repository.git("worktree", "list").split("\n").length - (isWhole ? 2 : 1);
				return [worktrees, ...readdirSync(dirname(started.cwd)).filter((name) => name.startsWith(".pi-grove"))];
			};
			await expect.poll(left).toEqual([0]);
			const action = await started.undo();
			if (action.type === "ask") expect(textOf(await agree(started, action.question))).toMatch(/^Undone: check out/);
			else expect(textOf(action)).toBe("There is nothing to undo");
			expect(
				readdirSync(dirname(started.cwd)).filter((name) => name.startsWith(".pi-grove") || name.includes("@")),
			).toEqual([]);
			expect(repository.git("worktree", "list").split("\n")).toHaveLength(1);
			expect(started.sessions()).toBe(1);
		}
	});

	test("at any moment of replacing files: all are as before, or all are replaced, and one undo brings them back", async () => {
		const moments = Array.from({ length: 40 }, (_, index) => index * 2);
		for (const afterMs of inShort(moments, (_, index) => index % 20 === 1)) {
			const started = start();
			const names = Array.from({ length: 30 }, (_, index) => `deep/${index}.txt`);
			// Every third one is made, and every fourth one removed.
			const files = names.map((name, index) => ({
				name,
				from: index % 3 === 0 ? undefined : { text: `old ${index}\n`, isExecutable: false },
				to: index % 4 === 1 ? undefined : { text: `new ${index}\n`, isExecutable: index % 5 === 0 },
			}));
			mkdirSync(join(started.cwd, "deep"));
			for (const { name, from } of files) if (from !== undefined) writeFileSync(join(started.cwd, name), from.text);
			const contents = () =>
				readdirSync(started.cwd, { recursive: true, withFileTypes: true })
					.filter((entry) => entry.isFile())
					.map(({ parentPath, name }) => [
						name,
						readFileSync(join(parentPath, name), "utf8"),
						statSync(join(parentPath, name)).mode,
					])
					.toSorted();
			const before = contents();
			const about = { path: started.path, title: "The session", how: "take back", root: started.cwd } as const;
			await started.change({ type: "files", ...about, files }, { begun: 1, afterMs });
			await sweepReplacements(started.stateDir);
			const isReplaced = existsSync(join(started.cwd, "deep/0.txt"));
			if (!isReplaced) expect(contents()).toEqual(before);
			else
				for (const { name, to } of files) {
					const path = join(started.cwd, name);
					expect(existsSync(path) ? readFileSync(path, "utf8") : undefined).toBe(to?.text);
				}
			const action = await started.undo();
			if (action.type === "ask") expect(textOf(await agree(started, action.question))).toMatch(/^Undone: take back/);
			else expect(textOf(action)).toBe("There is nothing to undo");
			expect(contents()).toEqual(before);
		}
	});

	test("with its pid still taken: while it runs an undo says who is making the change, and then finds out what was made", async () => {
		const started = start();
		const content = readFileSync(started.path, "utf8");
		// A parent that never waits for it, so that its pid stays taken.
		const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "inherit"] });
		onTestFinished(() => void parent.kill("SIGKILL"));
		const [line] = await once(parent.stdout, "data");
		const pid = Number(String(line));
		// Until then the shell may still wait for it.
		await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
		const plan = { type: "move", path: started.path, to: started.archived } as const;
		await started.journalOf(pid).begin("archive “The session”", plan);
		mkdirSync(dirname(started.archived), { recursive: true });
		renameSync(started.path, started.archived);
		expect(textOf(await started.undo())).toBe(
			`Not undone: archive “The session”. Another pi-grove (pid ${pid}) is still making it; undo it when that has finished; undo tries again`,
		);
		process.kill(pid, "SIGKILL");
		await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
		expect(textOf(await agree(started, questionOf(await started.undo())))).toMatch(
			/^Undone: archive “The session” \(made /,
		);
		expect(readFileSync(started.path, "utf8")).toBe(content);
	});

	test("between the two names of archiving: the next run takes the second one away", async () => {
		const started = start();
		const content = readFileSync(started.path, "utf8");
		await started.change(archiving(started), { note: "begin" });
		mkdirSync(dirname(started.archived), { recursive: true });
		linkSync(started.path, started.archived);
		const undone = await agree(started, questionOf(await started.undo()));
		expect(textOf(undone)).toMatch(/^Undone: archive “The session”/);
		expect(readFileSync(started.path, "utf8")).toBe(content);
		expect(existsSync(started.archived)).toBe(false);
		expect(textOf(await started.undo())).toBe("There is nothing to undo");
	});
});
