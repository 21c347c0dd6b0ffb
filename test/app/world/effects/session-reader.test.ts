import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { createSessionReader } from "../../../../src/app/core/effects/capabilities.ts";
import { TimeSlice } from "../../../../src/shared/steps.ts";
import { isUnchecked } from "../../../../src/store/held/held-message.ts";
import { readSession } from "../../../../src/store/read/read-session.ts";
import { largeSession } from "../../../support/large-session.ts";
import { user } from "../../../support/session-builder.ts";

const ENTRIES = 5000;

const reader = createSessionReader();
afterEach(() => reader.close());

test("a large session is shown before all its lines are parsed, and grows while they are", async () => {
	const { path, last } = largeSession(ENTRIES);
	const session = await reader.read(path);
	expect(session?.entries).toHaveLength(ENTRIES);
	expect(session && isUnchecked(session)).toBe(true);
	const checking = session && reader.check(session, new TimeSlice());
	appendFileSync(path, `${user("ffffffff", last, 1, "more")}\n`);
	const grown = await reader.read(path, session);
	expect(await checking).toBe(true);
	expect(grown?.tree.leafId).toBe("ffffffff");
	expect(grown && isUnchecked(grown)).toBe(false);
});

test("a large session with hidden damage is read line by line from then on", async () => {
	const { path } = largeSession(ENTRIES);
	const lines = readFileSync(path, "utf8").split("\n");
	lines[2000] = (lines[2000] ?? "").replace("xxx", 'x"x');
	writeFileSync(path, lines.join("\n"));
	const session = await reader.read(path);
	expect(session?.diagnostics).toEqual([]);
	// It can still be viewed.
	expect(session?.entries[1999]).toMatchObject({ type: "message", message: { role: "" } });
	expect(session && (await reader.check(session, new TimeSlice()))).toBe(false);
	const whole = await reader.read(path);
	expect(whole?.diagnostics.map(({ code, line }) => [code, line])).toContainEqual(["bad-line", 2001]);
	expect(whole).toEqual(await readSession(path));
});

test("a check that nobody wants any more ends at once, and says nothing about the session", async () => {
	const { path } = largeSession(ENTRIES);
	const session = await reader.read(path);
	const closing = new AbortController();
	const slice = new TimeSlice(closing.signal);
	// Its first step is its last one before it looks whether it is still wanted.
	while (!slice.shouldYield());
	const checking = session && reader.check(session, slice);
	closing.abort(new Error("not wanted"));
	await expect(checking).rejects.toThrow("not wanted");
	const again = await reader.read(path);
	expect(again && isUnchecked(again)).toBe(true);
});
