import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { callOf } from "../../../src/conversation/entries/tool-call.ts";
import { HeldMessage, isUnchecked } from "../../../src/store/held/held-message.ts";
import { holdSession, readChecked } from "../../../src/store/held/hold-session.ts";
import { extendSession, readSession } from "../../../src/store/read/read-session.ts";
import { fixtureDir } from "../../support/fixture.ts";
import { assistant, header, lines, toolResult, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** Reads every session like a huge one. */
const HUGE = { minBytes: 0, maxBytes: 0 };

function write(...all: string[]): string {
	const path = join(tempDir(), "session.jsonl");
	writeFileSync(path, lines(...all));
	return path;
}

const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "ls" } };

function several(): string[] {
	const said = Array.from({ length: 200 }, (_, index) =>
		assistant(`a${index}`, index === 0 ? "u1" : `a${index - 1}`, index + 1, "word ".repeat(50)),
	);
	return [header(), user("u1", null, 0, "Go on"), ...said, assistant("call", "a199", 300, "ls", [call])];
}

const fixtures = readdirSync(fixtureDir).filter((name) => name.endsWith(".jsonl"));

test.each(fixtures)("%s is read from its file as it is read into memory", async (name) => {
	const path = join(fixtureDir, name);
	const [held, whole] = [await readChecked(path, HUGE), await readSession(path)];
	expect(held.header).toEqual(whole.header);
	expect(held.version).toBe(whole.version);
	expect(held.diagnostics).toEqual(whole.diagnostics);
	expect(JSON.parse(JSON.stringify(held.entries))).toEqual(JSON.parse(JSON.stringify(whole.entries)));
	expect(held.entries.map(({ id }) => held.lines.get(id))).toEqual(whole.entries.map(({ id }) => whole.lines.get(id)));
	expect(held.tree.leafId).toBe(whole.tree.leafId);
	expect([...held.tree.labels]).toEqual([...whole.tree.labels]);
	for (const { id } of whole.entries) {
		expect(held.tree.parentOf.get(id)).toBe(whole.tree.parentOf.get(id));
		expect(held.tree.children.get(id)?.map((one) => one.id)).toEqual(whole.tree.children.get(id)?.map((one) => one.id));
	}
});

test("every message of a sound session stays in the file, and all have been checked", async () => {
	const session = await readChecked(write(...several()), HUGE);
	expect(session.entries.every((entry) => entry instanceof HeldMessage)).toBe(true);
	expect(isUnchecked(session)).toBe(false);
});

test("if something is odd, everything else still stays in the file", async () => {
	const path = write(
		...several(),
		'{"type":"message","id":"cut',
		user("u2", "lost", 400, "hello"),
		user("u1", null, 401, "again"),
	);
	const session = await readChecked(path, HUGE);
	const whole = await readSession(path);
	expect(session.diagnostics).toEqual(whole.diagnostics);
	expect(session.diagnostics.map(({ code }) => code)).toEqual(["duplicate-id", "bad-line", "missing-parent"]);
	expect(session.entries.filter((entry) => entry instanceof HeldMessage)).toHaveLength(204);
	expect(JSON.stringify(session.entries)).toBe(JSON.stringify(whole.entries));
});

test("a session that is read from its file grows with it, and finds the call of a distant result", async () => {
	const path = write(...several());
	const session = await holdSession(path, HUGE);
	appendFileSync(path, `${toolResult("r1", "u1", 500, "a file")}\n`);
	const grown = session && (await extendSession(session));
	const result = grown?.entries.at(-1);
	expect(result?.id).toBe("r1");
	expect(grown && result && callOf(result, grown)).toMatchObject({ name: "bash", args: { command: "ls" } });
});
