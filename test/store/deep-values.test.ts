import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
	branchSession,
	forkSession,
	labelEntry,
	renameSession,
	resumePoint,
} from "../../src/store/actions/session-actions.ts";
import { SessionManager } from "../../src/store/manager/session-manager.ts";
import { readSessionInfo } from "../../src/store/read/list-sessions.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { inLong, inShort } from "../support/cases.ts";
import { lines } from "../support/session-builder.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Far more than fits on the stack; `JSON.parse` reads it. */
const LEVELS = inLong(20_000, 6_000);
const deep = `${'{"a":['.repeat(LEVELS)}${"]}".repeat(LEVELS)}`;

const header = (version: number) =>
	`{"type":"session","version":${version},"id":"s","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/home/ada"}`;
const time = '"timestamp":"2026-01-05T09:00:01.000Z"';

/** A deep value in every field that is read, in the order of a conversation. */
const entries = (link: (index: number) => string) =>
	[
		`"type":"message",${link(0)},"message":{"role":"user","content":${deep}}`,
		`"type":"message",${link(1)},"message":{"role":"user","content":[{"type":"text","text":${deep}},${deep}]}`,
		`"type":"message",${link(2)},"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"x","arguments":${deep}}],"usage":${deep}}`,
		`"type":"message",${link(3)},"message":{"role":"hookMessage","customType":"x","content":"c","details":${deep}}`,
		`"type":"custom",${link(4)},"customType":"x","data":${deep}`,
		`"type":"unheard_of",${link(5)},"anything":${deep}`,
		`"type":"label",${link(6)},"targetId":${deep},"label":${deep}`,
		`"type":"compaction",${link(7)},"summary":${deep},"firstKeptEntryId":"e1","details":${deep},"tokensBefore":${deep}`,
		`"type":"message",${link(8)},"message":{"role":"system","content":${deep},"sections":{"s":${deep}},"toolsAdded":[${deep}]}`,
	].map((fields) => `{${fields},${time}}`);

const withIds = (index: number) => `"id":"e${index}","parentId":${index === 0 ? "null" : `"e${index - 1}"`}`;
const withoutIds = (index: number) => `"position":${index}`;

function written(version: number, link: (index: number) => string): string {
	const path = join(tempDir(), "deep.jsonl");
	writeFileSync(path, lines(header(version), ...entries(link)));
	return path;
}

test("a value of any depth is read, and its oddities are reported", async () => {
	const path = written(3, withIds);
	const session = await readSession(path);
	expect(session.entries).toHaveLength(9);
	const info = await readSessionInfo(path);
	expect(info.diagnostics).toEqual(session.diagnostics);
	expect(info.messageCount).toBe(5);
});

test("a session with values of any depth can be changed and copied, byte for byte", async () => {
	const path = written(3, withIds);
	const before = readFileSync(path, "utf8");
	renameSession(path, "name");
	labelEntry(path, "e4", "here");
	resumePoint(path, "e8");
	expect(readFileSync(path, "utf8").startsWith(before)).toBe(true);
	const fork = readFileSync(forkSession(path, "/home/ada", tempDir()), "utf8");
	expect(fork.slice(fork.indexOf("\n"))).toBe(readFileSync(path, "utf8").slice(before.indexOf("\n")));
	const branch = await readSession(branchSession(path, "e8"));
	expect(branch.entries.map(({ id }) => id).slice(0, 8)).toEqual(["e0", "e1", "e2", "e3", "e4", "e5", "e7", "e8"]);
});

// The first version is migrated to the second on its way.
test.each(inShort([1, 2], (version) => version === 1))(
	"a session of version %i with values of any depth is migrated",
	async (version) => {
		const path = written(version, version === 1 ? withoutIds : withIds);
		const before = await readSession(path);
		renameSession(path, "name");
		const after = await readSession(path);
		expect(after.version).toBe(3);
		expect(after.entries.map(({ id }) => id).slice(0, -1)).toEqual(before.entries.map(({ id }) => id));
		expect(readFileSync(path, "utf8")).toContain('"role":"custom"');
		const manager = SessionManager.open(path);
		manager.branch(after.entries[4]?.id ?? "");
		manager.appendCustomEntry("copy", JSON.parse(deep));
		expect((await readSession(path)).entries).toHaveLength(before.entries.length + 2);
	},
);
