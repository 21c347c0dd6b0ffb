import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { readSession } from "../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { DATA_HOME } from "../support/data-home.ts";
import { seededRandom } from "../support/mutate-session.ts";
import { assistant } from "../support/session-builder.ts";
import { type Driver, startProgram } from "../support/start-program.ts";
import { inputsOf } from "../support/typing.ts";

const SIZE = { columns: 160, rows: 45 };
const COUNT = caseCount(1, 3);
/** Keys of one case. */
const KEYS = 60;

/** What is typed into either window. */
const TYPED = [
	...["<down>", "<down>", "<up>", "<first>", "<page-down>", "<next-pane>", "<previous-pane>", "<previous-pane>"],
	...["<rename>", "new name", "<choose>", "<choose>", "<choose>", "<label>", "here", "<branch>", "<delete>", "<undo>"],
	...["<undo>", "<cancel>", "parser", "<erase-all>", "<back>"],
];

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

/** The session where it is now: at its path, or in the trash; of several in the trash the longest. */
function contentOf(path: string): string {
	if (existsSync(path)) return readFileSync(path, "utf8");
	const trash = join(DATA_HOME, "Trash");
	const contents = readdirSync(join(trash, "info"))
		.filter((note) => readFileSync(join(trash, "info", note), "utf8").includes(`Path=${encodeURI(path)}\n`))
		.map((note) => readFileSync(join(trash, "files", basename(note, ".trashinfo")), "utf8"));
	return contents.sort((a, b) => b.length - a.length)[0] ?? "";
}

/** What was said, in its order: a file of an old version is written anew when something is appended to it. */
function messagesOf(content: string): string[] {
	return content.split("\n").flatMap((line) => {
		// A migrated line has an id behind its message.
		const { message } = line.includes('"message":{') ? JSON.parse(line) : {};
		return message === undefined ? [] : [JSON.stringify(message)];
	});
}

let changed = 0;

test.each(Array.from({ length: COUNT }, (_, index) => [`${index + 1} of ${COUNT}`, FIRST_SEED + index] as const))(
	"two windows and a pi: whatever is typed, nothing that was said is lost: %s",
	async (_, seed) => {
		const random = seededRandom(seed);
		const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
		const first = await startProgram(SIZE);
		const second = await startProgram(SIZE, { demo: first.demo, run: { pid: 2 ** 30, start: 1 } });
		const windows: readonly Driver[] = [first, second];
		const sessions = join(first.demo.agentDir, "sessions");
		const paths = readdirSync(sessions, { recursive: true, encoding: "utf8" })
			.filter((name) => name.endsWith(".jsonl"))
			.map((name) => join(sessions, name));
		const before = new Map(paths.map((path) => [path, readFileSync(path, "utf8")]));
		const appended: { readonly path: string; readonly line: string }[] = [];
		for (let key = 0; key < KEYS; key++) {
			const window = pick(windows);
			for (const input of inputsOf(pick(TYPED) ?? "")) window?.send(input);
			if (random() < 0.15) {
				const path = pick(paths) ?? "";
				const line = assistant(`pi${seed}x${key}`, null, 1, `said by pi ${key}`);
				if (append(path, line)) appended.push({ path, line });
			}
			if (random() < 0.5) await delay(Math.floor(random() * 20));
		}
		for (const window of windows) {
			window.press(...(window.program.getState().overlays.length > 0 ? ["cancel"] : []));
			await window.until("the end", ({ changing, waiting }) => changing === 0 && waiting.length === 0);
		}
		for (const [path, old] of before) {
			const now = contentOf(path);
			if (old.includes('"version":3')) expect(now.startsWith(old), `${seed}: ${path}`).toBe(true);
			else expect(messagesOf(now).slice(0, messagesOf(old).length), `${seed}: ${path}`).toEqual(messagesOf(old));
		}
		changed += [...before].filter(([path, old]) => contentOf(path) !== old).length;
		for (const { path, line } of appended) expect(contentOf(path).split(line), `${seed}: ${line}`).toHaveLength(2);
		const all = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
		for (const name of all) {
			const session = await readSession(join(sessions, name));
			expect(session.header, `${seed}: ${name}`).toBeDefined();
		}
	},
);

test("in most cases several sessions were changed", () => {
	expect(changed).toBeGreaterThan(COUNT);
});
