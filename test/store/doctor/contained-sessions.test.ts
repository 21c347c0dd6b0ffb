import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
	branchSession,
	forkSession,
	labelEntry,
	renameSession,
	resumePoint,
} from "../../../src/store/actions/session-actions.ts";
import { findContained } from "../../../src/store/doctor/contained-sessions.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { mutateSession, seededRandom } from "../../support/mutate-session.ts";
import { assistant, entry, header, label, lines, user } from "../../support/session-builder.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = tempDirOfFile();
let count = 0;

function written(...all: readonly string[]): string {
	const path = join(folder, `${count++}.jsonl`);
	writeFileSync(path, lines(...all));
	return path;
}

/** Two turns, with a branch beside the second one. */
const TALK = [
	user("a", null, 1, "one"),
	assistant("b", "a", 2, "two"),
	user("c", "b", 3, "three"),
	assistant("d", "c", 4, "four"),
	user("e", "b", 5, "another three"),
	assistant("f", "e", 6, "another four"),
];

const copyOf = (path: string): string => {
	const copy = join(folder, `${count++}.jsonl`);
	copyFileSync(path, copy);
	return copy;
};

/** Which of the files are contained in which others, by their indexes in `paths`. */
function contained(...paths: readonly string[]): (readonly [number, readonly number[]])[] {
	const before = paths.map((path) => readFileSync(path));
	const found = findContained(paths)
		.flatMap(({ paths: same, within }) => same.map((path) => ({ path, within: [...same, ...within] })))
		.map(({ path, within }) => {
			const others = within.filter((other) => other !== path).map((other) => paths.indexOf(other));
			return [paths.indexOf(path), others.sort((a, b) => a - b)] as const;
		})
		.sort(([a], [b]) => a - b);
	expect(paths.every((path, index) => readFileSync(path).equals(before[index] ?? Buffer.alloc(0)))).toBe(true);
	return found;
}

describe("a session is contained in another one", () => {
	test("if it is a copy of the file, whichever of the two is compared", () => {
		const path = written(header(), ...TALK);
		expect(contained(path, copyOf(path))).toEqual([
			[0, [1]],
			[1, [0]],
		]);
	});

	test("if it is a fork of all of it without a continuation, and the other one has grown since", () => {
		const path = written(header(), ...TALK);
		const fork = forkSession(path, "/work/other", folder);
		expect(contained(path, fork)).toHaveLength(2);
		appendFileSync(path, lines(user("g", "f", 7, "five")));
		expect(contained(path, fork)).toEqual([[1, [0]]]);
		const own = SessionManager.open(fork);
		own.appendMessage({ role: "user", content: "mine", timestamp: 8 });
		expect(contained(path, fork)).toEqual([]);
	});

	test("if it is one branch of it, even with labels in between that were copied under new ids", () => {
		const path = written(
			header(),
			...TALK.slice(0, 2),
			label("l", "b", 2, "a", "start"),
			user("c", "l", 3, "three"),
			assistant("d", "c", 4, "four"),
			...TALK.slice(4),
		);
		const branch = branchSession(path, "d");
		expect(readFileSync(branch, "utf8")).not.toContain('"id":"l"');
		expect(contained(path, branch)).toEqual([[1, [0]]]);
	});

	test("whatever model, thinking level or resume point was chosen in it", () => {
		const path = written(header(), ...TALK);
		const fork = forkSession(path, "/work/api", folder);
		resumePoint(fork, "b");
		appendFileSync(fork, lines(entry("model_change", "m", "f", 8, { provider: "p", modelId: "m" })));
		expect(contained(path, fork)).toEqual([
			[0, [1]],
			[1, [0]],
		]);
	});
});

describe("a session has content of its own", () => {
	test.each<[string, (fork: string) => void]>([
		["a label", (fork) => labelEntry(fork, "d", "mine")],
		["another label where the other one has one", (fork) => labelEntry(fork, "b", "mine")],
		["a name", (fork) => renameSession(fork, "mine")],
		["a branch", (fork) => appendFileSync(fork, lines(user("x", "a", 9, "mine")))],
		["what an extension keeps", (fork) => appendFileSync(fork, lines(entry("custom", "x", "f", 9, { data: 1 })))],
		["what was spent", (fork) => appendFileSync(fork, lines(entry("usage", "x", "f", 9, { kind: "compact" })))],
		["another text", (fork) => writeFileSync(fork, readFileSync(fork, "utf8").replace("four", "five"))],
		[
			"another place",
			(fork) => writeFileSync(fork, readFileSync(fork, "utf8").replace('"parentId":"c"', '"parentId":"a"')),
		],
	])("%s", (_what, give) => {
		const path = written(header(), ...TALK);
		labelEntry(path, "b", "theirs");
		const fork = forkSession(path, "/work/api", folder);
		expect(contained(path, fork)).toHaveLength(2);
		give(fork);
		expect(contained(path, fork).map(([one]) => one)).not.toContain(1);
	});

	test("the same name and the same labels are not content of its own, nor is a removed label", () => {
		const path = written(header(), ...TALK);
		const fork = forkSession(path, "/work/api", folder);
		for (const each of [path, fork]) {
			renameSession(each, "The same");
			labelEntry(each, "b", "the same");
		}
		labelEntry(fork, "d", "mine");
		labelEntry(fork, "d", undefined);
		expect(contained(path, fork)).toHaveLength(2);
	});
});

test.each<[string, readonly string[] | undefined]>([
	["that is not there", undefined],
	["without entries", [header()]],
	["without a header", TALK],
	["with two headers", [header(), ...TALK.slice(0, 2), header({ id: "x" }), ...TALK.slice(2)]],
	["with a line that is no JSON", [header(), ...TALK, "{broken"]],
	["with the same id twice", [header(), ...TALK, user("a", null, 9, "one")]],
	["of a version without ids", [header({ version: 1 }), '{"type":"message","message":{"role":"user","content":"x"}}']],
	["with numbers as ids", [header(), '{"type":"message","id":1,"parentId":null,"message":{"role":"user"}}']],
])("nothing is said of a file %s, nor of its copy", (_what, all) => {
	const path = all === undefined ? join(folder, "gone.jsonl") : written(...all);
	const other = all === undefined ? written(header(), ...TALK) : copyOf(path);
	expect(findContained([path, other])).toEqual([]);
});

test("whatever was done to a copy: if it counts as contained, everything it shows is in the original", async () => {
	const original = written(
		header(),
		...TALK,
		label("l", "f", 7, "c", "kept"),
		entry("session_info", "n", "l", 8, { name: "N" }),
	);
	const before = await readSession(original);
	const text = readFileSync(original, "utf8");
	const checked = fc.asyncProperty(fc.integer({ min: 0 }), async (seed) => {
		const copy = written();
		writeFileSync(copy, mutateSession(text, seededRandom(seed)));
		if (!findContained([original, copy]).some(({ paths }) => paths.includes(copy))) return;
		const after = await readSession(copy);
		for (const said of after.entries.filter(({ type }) => type === "message"))
			expect(JSON.stringify(said)).toBe(JSON.stringify(before.tree.byId.get(said.id)));
		for (const [id, { text: set }] of after.tree.labels) expect(before.tree.labels.get(id)?.text).toBe(set);
	});
	await fc.assert(checked, { numRuns: caseCount(60, 300), seed: FIRST_SEED });
});

describe("the number of comparisons grows with the input, not with its square", () => {
	const SESSIONS = 400;

	test("sessions that are all the same are reported once", () => {
		const path = written(header(), ...TALK);
		const copies = Array.from({ length: SESSIONS }, () => copyOf(path));
		expect(findContained([path, ...copies])).toEqual([{ paths: [path, ...copies], within: [] }]);
	});

	test("if each has content of its own, nothing else is compared", () => {
		const forks = Array.from({ length: SESSIONS }, (_, index) =>
			written(header(), ...TALK, user(`own${index}`, "f", 9, "mine")),
		);
		const looked = vi.spyOn(Set.prototype, "has");
		try {
			expect(findContained(forks)).toEqual([]);
			// Two for each line that is read.
			expect(looked.mock.calls.length).toBeLessThan(SESSIONS * TALK.length * 4);
		} finally {
			looked.mockRestore();
		}
	});
});

test("finds the same as comparing each with each", () => {
	const contents = fc.array(fc.subarray(["a", "b", "c", "d"], { minLength: 1 }), { minLength: 2, maxLength: 8 });
	const named = fc.array(fc.constantFrom("", "", "N", "M"), { minLength: 8, maxLength: 8 });
	const checked = fc.property(contents, named, (ids, names) => {
		const paths = ids.map((some, index) =>
			written(
				header(),
				...some.map((id) => user(id, null, 1, id)),
				...(names[index] === "" ? [] : [entry("session_info", "n", null, 2, { name: names[index] })]),
			),
		);
		const holds = (a: number, b: number) =>
			ids[b]?.every((id) => ids[a]?.includes(id)) === true && (names[b] === "" || names[a] === names[b]);
		const all = [...paths.keys()];
		const expected = all.map((one) => [one, all.filter((other) => other !== one && holds(other, one))] as const);
		expect(contained(...paths)).toEqual(expected.filter(([, within]) => within.length > 0));
	});
	fc.assert(checked, { numRuns: caseCount(60), seed: FIRST_SEED });
});
