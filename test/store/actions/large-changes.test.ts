import { constants } from "node:buffer";
import {
	appendFileSync,
	closeSync,
	openSync,
	readFileSync,
	rmSync,
	statSync,
	truncateSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import {
	branchSession,
	forkSession,
	labelEntry,
	renameSession,
	resumePoint,
} from "../../../src/store/actions/session-actions.ts";
import { findChange } from "../../../src/store/actions/session-history.ts";
import { readBytes } from "../../../src/store/files/open-file.ts";
import { loadOutline } from "../../../src/store/read/load-file.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { assistant, entry, header, label, lines, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

const SAID = "what was said ".repeat(100);

/** A conversation with this many messages. */
function conversation(count: number): string[] {
	return Array.from({ length: count }, (_, index) => {
		const parent = index === 0 ? null : `m${index - 1}`;
		return index % 2 === 0 ? user(`m${index}`, parent, index, SAID) : assistant(`m${index}`, parent, index, SAID);
	});
}

function write(...all: string[]): string {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, lines(...all));
	return path;
}

function lastLine(path: string): Record<string, unknown> {
	return JSON.parse(readFileSync(path, "utf8").trimEnd().split("\n").at(-1) ?? "");
}

test("a name and a label only parse the lines that they refer to, whatever their number", () => {
	const path = write(header(), ...conversation(600));
	const parse = vi.spyOn(JSON, "parse");
	try {
		renameSession(path, "A name");
		labelEntry(path, "m300", "here");
		findChange(path, { type: "rename", set: "A name" }, new Date().toISOString(), new Set());
		expect(parse.mock.calls.length).toBeLessThan(20);
	} finally {
		parse.mockRestore();
	}
	expect(lastLine(path)).toMatchObject({ type: "label", targetId: "m300", label: "here" });
});

test.each([true, false])("a change keeps no texts in memory (sniffed: %s)", (sniff) => {
	const custom = entry("custom", "c1", "m9", 20, { customType: "x", data: { text: SAID } });
	const message = entry("custom_message", "c2", "c1", 21, { customType: "x", content: SAID, display: true });
	const path = write(header(), ...conversation(10), custom, message, label("l1", "c2", 22, "m1", "a label"));
	const loaded = loadOutline(path, { sniff });
	expect(loaded?.entries.map((one) => ("id" in one ? one.id : ""))).toHaveLength(14);
	expect(JSON.stringify(loaded?.entries)).not.toContain("what was said");
	expect(JSON.stringify(loaded?.entries)).toContain("a label");
});

/** A session with a message on its third line that no string can hold: a hole, which takes no disk space. */
function withLongLine(): string {
	const long = `{"type":"message","id":"long","parentId":"m1","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"toolResult","content":"`;
	const path = write(header(), ...conversation(2));
	appendFileSync(path, long);
	truncateSync(path, statSync(path).size + constants.MAX_STRING_LENGTH);
	appendFileSync(path, `"}}\n${user("after", "long", 3, "Go on")}\n`);
	return path;
}

test("a session with a line that is longer than a string can be is named, labeled and continued", () => {
	const path = withLongLine();
	const { size } = statSync(path);
	expect(renameSession(path, "Long")).toMatchObject({ leafId: "after", before: "" });
	expect(labelEntry(path, "long", "the long one").entryId).toBeDefined();
	expect(resumePoint(path, "after")).toMatchObject({ text: "Go on" });
	const fd = openSync(path, "r");
	const added = readBytes(fd, size, statSync(path).size - size).toString("utf8");
	closeSync(fd);
	const entries = added.trimEnd().split("\n");
	expect(entries.map((line) => JSON.parse(line))).toMatchObject([
		{ type: "session_info", parentId: "after" },
		{ type: "label", targetId: "long" },
		{ type: "custom", parentId: "long" },
	]);
});

// Each copy is written out: half a gigabyte.
test("and is branched and forked with all of that line", () => {
	const path = withLongLine();
	/** The entries with the bytes of their lines, without the header. */
	const entriesOf = (file: string): unknown[] => {
		const loaded = loadOutline(file);
		return (loaded?.entries ?? []).slice(1).map((one) => [one, loaded?.spans.get(one)?.length]);
	};
	const entries = entriesOf(path);
	expect(entries).toHaveLength(4);
	const dir = tempDir();
	for (const copy of [branchSession(path, "after"), forkSession(path, dir, dir)]) {
		expect(entriesOf(copy)).toEqual(entries);
		rmSync(copy);
	}
});

test("a name does not follow a last line that only looks whole", () => {
	const broken = assistant("broken", "m3", 5, "a text").replace('"a text"', '"a " text"');
	const path = write(header(), ...conversation(4), broken);
	expect(renameSession(path, "A name")).toMatchObject({ leafId: "m3" });
	expect(lastLine(path)).toMatchObject({ type: "session_info", parentId: "m3" });
	expect(() => labelEntry(path, "broken", "x")).toThrow(/there is no entry broken/);
});

test("an entry whose line repeats its id field is found by the one that counts", () => {
	const twice = user("first", "m1", 3, "Two ids").replace(/\}$/, ',"id":"second"}');
	const path = write(header(), ...conversation(2), twice);
	expect(renameSession(path, "A name")).toMatchObject({ leafId: "second" });
	labelEntry(path, "second", "here");
	expect(lastLine(path)).toMatchObject({ type: "label", targetId: "second" });
});

test("branches and forks have every field of what they copy, even if a parent changes", async () => {
	const kept = entry("compaction", "c1", "m3", 6, {
		summary: SAID,
		firstKeptEntryId: "l1",
		tokensBefore: 2.5,
		more: 1,
	});
	const after = user("after", "l1", 5, SAID).replace('"user"', '"user","odd":2.50');
	const path = write(
		header(),
		...conversation(4),
		label("l1", "m3", 4, "m1", "here"),
		after,
		kept.replace('"parentId":"m3"', '"parentId":"after"'),
	);
	const branch = readFileSync(branchSession(path, "c1"), "utf8");
	expect(branch).toContain(`${after.replace('"parentId":"l1"', '"parentId":"m3"')}\n`);
	expect(branch).toContain(`${kept.replace('"m3"', '"after"').replace('"l1"', '"after"')}\n`);
	const fork = forkSession(path, tempDir(), tempDir());
	const body = (file: string): string => readFileSync(file, "utf8").replace(/^.*\n/, "");
	expect(body(fork)).toBe(body(path));
	expect((await readSession(fork)).diagnostics).toEqual([]);
});

test("a path without a message becomes a session too, with every field", () => {
	const custom = entry("custom", "c1", null, 1, { customType: "x", data: { text: SAID } });
	const path = write(header(), custom, user("m1", "c1", 2, "hello"));
	expect(readFileSync(branchSession(path, "c1"), "utf8")).toContain(`${custom}\n`);
});

test("a line of megabytes is copied byte for byte", () => {
	const long = user("long", "m1", 3, "0123456789 é ".repeat(300_000));
	const path = write(header(), ...conversation(2), long, assistant("last", "long", 4, "done"));
	for (const copy of [branchSession(path, "last"), forkSession(path, tempDir(), tempDir())])
		expect(readFileSync(copy, "utf8").replace(/^.*\n/, "") === readFileSync(path, "utf8").replace(/^.*\n/, "")).toBe(
			true,
		);
});
