import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSessionInfo } from "../../../src/store/read/list-sessions.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { fixture, fixtureDir } from "../../support/fixture.ts";
import { sessionOf } from "../../support/session-builder.ts";

interface Row {
	readonly entries: number;
	readonly roots: number;
	readonly messages: number;
	readonly first: string;
	/** `code:line`, in order. */
	readonly found: readonly string[];
	readonly damaged?: true;
}

const table: Record<string, Row> = {
	"linear-v3": {
		entries: 4,
		roots: 1,
		messages: 4,
		first: "Why does the parser fail on a torn last line?",
		found: [],
	},
	"every-entry-type": {
		entries: 19,
		roots: 1,
		messages: 9,
		first: "What is in this picture and in notes.md?",
		found: [],
	},
	"pi-1.5.2": {
		entries: 54,
		roots: 1,
		messages: 36,
		first: "What is wrong on this picture? Then make the retry back off.",
		found: [],
	},
	conversation: {
		entries: 49,
		roots: 1,
		messages: 37,
		first:
			"Read src/import/parser.ts and tell me why the nightly import drops the last record.\n\nIt works with *small* files.",
		found: ["bad-line:34"],
		damaged: true,
	},
	branches: { entries: 10, roots: 1, messages: 7, first: "Make the parser faster.", found: [] },
	"several-roots": { entries: 4, roots: 2, messages: 4, first: "first try", found: [] },
	names: { entries: 3, roots: 1, messages: 1, first: "hello", found: [] },
	"name-cleared": { entries: 3, roots: 1, messages: 1, first: "hello", found: [] },
	"header-only": { entries: 0, roots: 0, messages: 0, first: "", found: [] },
	"retain-none-compaction": { entries: 4, roots: 1, messages: 3, first: "old question", found: [] },
	"unicode-separators": {
		entries: 2,
		roots: 1,
		messages: 2,
		first: "before\u2028between\u2029after \u0085 \u000b end",
		found: [],
	},
	v1: { entries: 5, roots: 1, messages: 3, first: "read the docs", found: ["old-version:1"] },
	v2: { entries: 3, roots: 1, messages: 3, first: "hello", found: ["old-version:1"] },
	"v4-from-the-future": { entries: 3, roots: 1, messages: 2, first: "hello", found: ["newer-version:1"] },
	"forked-v1": {
		entries: 3,
		roots: 1,
		messages: 2,
		first: "copied from version 1",
		found: ["entry-field:2", "entry-field:3", "entry-field:4"],
	},
	crlf: { entries: 2, roots: 1, messages: 2, first: "from Windows", found: [] },
	bom: { entries: 1, roots: 1, messages: 1, first: "marked", found: ["byte-order-mark:1"] },
	"no-final-newline": { entries: 2, roots: 1, messages: 2, first: "hello", found: [] },
	"torn-tail": { entries: 2, roots: 1, messages: 2, first: "hello", found: ["torn-tail:4"], damaged: true },
	"bad-lines": {
		entries: 2,
		roots: 1,
		messages: 2,
		first: "hello",
		found: ["bad-line:2", "bad-line:5", "bad-line:7", "bad-line:8", "bad-line:9", "bad-line:11"],
		damaged: true,
	},
	"invalid-utf8": {
		entries: 1,
		roots: 1,
		messages: 1,
		first: "latin: caf\uFFFD",
		found: ["invalid-utf8:2"],
		damaged: true,
	},
	empty: { entries: 0, roots: 0, messages: 0, first: "", found: ["empty"], damaged: true },
	"blank-lines": { entries: 0, roots: 0, messages: 0, first: "", found: ["not-a-session"], damaged: true },
	"not-a-session": {
		entries: 2,
		roots: 1,
		messages: 0,
		first: "",
		found: ["not-a-session", "entry-field:1", "entry-field:2"],
		damaged: true,
	},
	"text-file": {
		entries: 0,
		roots: 0,
		messages: 0,
		first: "",
		found: ["not-a-session", "bad-line:1", "bad-line:2"],
		damaged: true,
	},
	orphan: { entries: 3, roots: 2, messages: 3, first: "hello", found: ["missing-parent:4"], damaged: true },
	"self-parent": { entries: 2, roots: 1, messages: 2, first: "my own parent", found: ["parent-cycle:2"] },
	"parent-cycle": { entries: 5, roots: 2, messages: 5, first: "a", found: ["parent-cycle:2"] },
	"duplicate-ids": {
		entries: 4,
		roots: 2,
		messages: 4,
		first: "first",
		found: ["duplicate-id:2", "parent-cycle:3"],
	},
	"clock-went-back": { entries: 4, roots: 1, messages: 4, first: "q", found: [] },
	"two-headers": { entries: 2, roots: 1, messages: 2, first: "hello", found: ["extra-header:3"] },
	"several-sessions": {
		entries: 7,
		roots: 3,
		messages: 6,
		first: "first session",
		found: ["extra-header:4", "extra-header:8"],
	},
	"same-id-1": { entries: 4, roots: 1, messages: 4, first: "said before the file was copied", found: [] },
	"same-id-2": { entries: 4, roots: 1, messages: 4, first: "said before the file was copied", found: [] },
	"orphaned-results": { entries: 6, roots: 1, messages: 6, first: "run the tests", found: [] },
	"header-without-id": {
		entries: 1,
		roots: 1,
		messages: 1,
		first: "hello",
		found: ["header-field:1"],
		damaged: true,
	},
	"header-without-cwd": {
		entries: 1,
		roots: 1,
		messages: 1,
		first: "hello",
		found: ["header-field:1", "header-field:1"],
	},
	"header-late": {
		entries: 2,
		roots: 1,
		messages: 2,
		first: "before the header",
		found: ["header-field:2"],
		damaged: true,
	},
	"odd-fields": {
		entries: 12,
		roots: 2,
		messages: 6,
		first: "the first text",
		found: [2, 3, 4, 5, 6, 7, 9, 10, 11].flatMap((line) => [
			...(line === 10 ? ["missing-parent:10"] : []),
			`entry-field:${line}`,
		]),
		damaged: true,
	},
	"odd-ids": {
		entries: 10,
		roots: 1,
		messages: 6,
		first: "Number the lines.",
		found: ["entry-field:6", "entry-field:6", "entry-field:7", "entry-field:7"],
		damaged: true,
	},
	"escape-sequences": {
		entries: 4,
		roots: 1,
		messages: 2,
		first: "title \x1b]0;owned\x07 clear \x1b[2J bell \x07 override \u202egnp.exe\u202c c1 \u009b31m done",
		found: [],
	},
};

describe("every fixture", () => {
	test("has a row in the table", () => {
		const files = readdirSync(fixtureDir).filter((name) => name.endsWith(".jsonl"));
		expect(files.sort()).toEqual(
			Object.keys(table)
				.map((name) => `${name}.jsonl`)
				.sort(),
		);
	});

	for (const [name, row] of Object.entries(table)) {
		test(`${name}: is read as its row says, by both readers, and not touched`, async () => {
			const { path, before, fingerprint } = fixture(name);
			const session = await readSession(path);
			const info = await readSessionInfo(path);

			const found = session.diagnostics.map(({ code, line }) => (line === undefined ? code : `${code}:${line}`));
			expect(found).toEqual(row.found);
			expect(info.diagnostics).toEqual(session.diagnostics);
			expect(session.diagnostics.some((diagnostic) => diagnostic.severity === "damage")).toBe(row.damaged === true);
			expect(session.entries).toHaveLength(row.entries);
			expect(session.tree.roots).toHaveLength(row.roots);
			expect(info.messageCount).toBe(row.messages);
			expect(info.firstMessage).toBe(row.first);
			expect(info.name).toBe(session.tree.name);
			expect(info.size).toBe(session.size);
			expect(reachable(session.tree)).toEqual(session.entries.map((entry) => entry.id).sort());
			expect(fingerprint()).toEqual(before);
		});
	}
});

function reachable(tree: Awaited<ReturnType<typeof readSession>>["tree"]): string[] {
	const found: string[] = [];
	const stack = [...tree.roots];
	for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
		found.push(entry.id);
		stack.push(...(tree.children.get(entry.id) ?? []));
	}
	return found.sort();
}

test("returns info for a file that cannot be read, and rejects when it is opened", async () => {
	const path = join(fixtureDir, "not-there.jsonl");
	const info = await readSessionInfo(path);
	expect(info.diagnostics.map(({ code }) => code)).toEqual(["unreadable"]);
	expect(info.diagnostics[0]?.message).toBe(
		`Cannot read the session: it does not exist; it may have been moved or deleted meanwhile (ENOENT). Path: ${path}`,
	);
	await expect(readSession(path)).rejects.toThrow("Cannot read the session");
	await expect(readSession(fixtureDir)).rejects.toThrow("it is not a regular file");
});

test("stops when it is aborted", async () => {
	const path = join(fixtureDir, "linear-v3.jsonl");
	const signal = AbortSignal.abort(new Error("enough"));
	await expect(readSession(path, { signal })).rejects.toThrow("enough");
	await expect(readSessionInfo(path, { signal })).rejects.toThrow("enough");
});

test("an id of any length does not make a message long", async () => {
	const id = "x".repeat(1_000_000);
	const entry = (parentId: string) => JSON.stringify({ type: "custom", id, parentId, timestamp: "", customType: "t" });
	const { diagnostics } = await sessionOf(entry(id), entry(`${id}y`), entry(id));
	expect(diagnostics.map(({ code }) => code)).toContain("missing-parent");
	for (const { message } of diagnostics) expect(message.length).toBeLessThan(300);
});
