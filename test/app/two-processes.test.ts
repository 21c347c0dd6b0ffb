import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { type JournalLine, JournalLineSchema } from "../../src/changes/journal/journal-schema.ts";
import { createDemo } from "../../src/cli/browser/demo.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { childProgram } from "../support/bundled-programs.ts";
import { caseCount, FIRST_SEED, inLong } from "../support/cases.ts";
import { seededRandom } from "../support/mutate-session.ts";
import { assistant } from "../support/session-builder.ts";
import type { Task } from "./window-child.ts";

const COUNT = caseCount(1, 1);

/** Both windows work on the same few sessions at the top of the list. */
const TYPED = [
	["<down>"],
	["<first>"],
	["<rename>", "new name", "<choose>"],
	["<next-pane>", "<label>", "here", "<choose>", "<previous-pane>"],
	["<delete>", "<choose>"],
	["<delete>", "<cancel>"],
	["<undo>"],
	["<undo>", "<choose>"],
	["<branch>", "<choose>"],
	["<cancel>"],
];

function sessionsIn(agentDir: string): string[] {
	const root = join(agentDir, "sessions");
	return readdirSync(root, { recursive: true, encoding: "utf8" })
		.filter((name) => name.endsWith(".jsonl"))
		.map((name) => join(root, name));
}

/** A line of the conversation that a pi appends, if the session is where it was. */
function append(path: string, line: string): boolean {
	try {
		const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND);
		try {
			writeSync(fd, `${line}\n`);
		} finally {
			closeSync(fd);
		}
		return true;
	} catch {
		// Deleted by one of the windows.
		return false;
	}
}

/** All that was ever the session of this path: where it is, or in the trash. */
function contentsOf(path: string, dataHome: string): string {
	const info = join(dataHome, "Trash", "info");
	const notes = existsSync(info) ? readdirSync(info) : [];
	const trashed = notes
		.filter((note) => readFileSync(join(info, note), "utf8").includes(`Path=${encodeURI(path)}\n`))
		.map((note) => readFileSync(join(dataHome, "Trash", "files", basename(note, ".trashinfo")), "utf8"));
	return [...(existsSync(path) ? [readFileSync(path, "utf8")] : []), ...trashed].join("\n");
}

/** What was said; in a session of an older version the lines around it change. */
function messagesIn(text: string): string[] {
	return text
		.split("\n")
		.filter((line) => line.includes('"message":{'))
		.map((line) => JSON.stringify(JSON.parse(line).message));
}

function journalIn(env: Task["env"]): JournalLine[] {
	return readFileSync(join(env.XDG_STATE_HOME ?? "", "pi-grove", "journal.jsonl"), "utf8")
		.split("\n")
		.filter(Boolean)
		.map((line) => JournalLineSchema.parse(JSON.parse(line)));
}

async function run(task: Task, dataHome: string): Promise<string> {
	const child = spawn(process.execPath, [childProgram("app/window-child.ts"), JSON.stringify(task)], {
		env: { ...process.env, XDG_DATA_HOME: dataHome, NODE_NO_WARNINGS: "1" },
		stdio: ["ignore", "ignore", "pipe"],
	});
	let said = "";
	child.stderr.setEncoding("utf8").on("data", (text: string) => {
		said += text;
	});
	const [code] = await once(child, "exit");
	return code === 0 ? "" : `${code}: ${said}`;
}

test.each(Array.from({ length: COUNT }, (_, index) => [`${index + 1} of ${COUNT}`, FIRST_SEED + index] as const))(
	"two processes and a pi: no change of one is lost by another: %s",
	async (_, seed) => {
		const demo = await createDemo(Date.now());
		const dataHome = join(demo.home, "data");
		const env = {
			HOME: demo.home,
			PI_CODING_AGENT_DIR: demo.agentDir,
			XDG_STATE_HOME: join(demo.home, "state"),
			PATH: join(demo.home, "bin"),
		};
		const shared = {
			home: demo.home,
			cwd: demo.cwd,
			cacheDir: join(demo.home, "cache"),
			stateDir: join(demo.home, "state", "pi-grove"),
			env,
			typed: TYPED,
			turns: inLong(25, 14),
		};
		try {
			const paths = sessionsIn(demo.agentDir);
			const before = new Map(paths.map((path) => [path, readFileSync(path, "utf8")]));
			let isOver = false;
			const windows = Promise.all([1, 2].map((window) => run({ ...shared, seed: seed * 10 + window }, dataHome)));
			void windows.finally(() => {
				isOver = true;
			});
			const random = seededRandom(seed);
			const appended: { readonly path: string; readonly line: string }[] = [];
			while (!isOver) {
				const path = paths[Math.floor(random() * paths.length)] ?? "";
				const line = assistant(`pi${seed}x${appended.length}`, null, 1, `said by pi ${appended.length}`);
				if (before.get(path)?.includes('"version":3') && append(path, line)) appended.push({ path, line });
				await delay(Math.floor(random() * 100));
			}
			expect(await windows).toEqual(["", ""]);
			for (const [path, old] of before) {
				const now = contentsOf(path, dataHome);
				if (old.includes('"version":3')) expect(now.includes(old.trimEnd()), `${seed}: ${path}`).toBe(true);
				else expect(messagesIn(now), `${seed}: ${path}`).toEqual(expect.arrayContaining(messagesIn(old)));
			}
			for (const path of sessionsIn(demo.agentDir)) expect((await readSession(path)).header, path).toBeDefined();
			for (const { path, line } of appended) expect(contentsOf(path, dataHome).split(line), line).toHaveLength(2);
			const journal = journalIn(env);
			const done = journal.flatMap((line) => (line.step === "done" ? [line] : []));
			expect(done.length).toBeGreaterThan(inLong(4, 2));
			for (const { undo, entryId, id } of done) {
				// What was noted as made is there, also after all that the other window did.
				if (entryId !== undefined && undo.type !== "restore" && "path" in undo)
					expect(contentsOf(undo.path, dataHome), id).toContain(`"id":"${entryId}"`);
			}
		} finally {
			await demo.remove();
		}
	},
);
