import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { list, listAll } from "../../../src/catalog/list-all.ts";
import { locatedRow } from "../../../src/catalog/model/run-place.ts";
import {
	archiveCounterpart,
	archiveOf,
	isArchived,
	type SessionRoots,
} from "../../../src/catalog/model/session-roots.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { makeRow } from "../../support/rows.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const DEFAULT: SessionRoots = { kind: "default", root: "/h/agent/sessions", agentDir: "/h/agent", problems: [] };
const CUSTOM: SessionRoots = { kind: "custom", dir: "/h/mine", agentDir: "/h/agent", problems: [] };

test.each([
	[DEFAULT, "/h/agent/sessions/--x--/a.jsonl", "/h/agent/session-archive/--x--/a.jsonl"],
	[CUSTOM, "/h/mine/a.jsonl", "/h/mine/session-archive/a.jsonl"],
])("of a session in %o the archive has the same relative path", (roots, listed, archived) => {
	expect(archiveCounterpart(listed, roots)).toBe(archived);
	expect(archiveCounterpart(archived, roots)).toBe(listed);
	expect([isArchived(listed, roots), isArchived(archived, roots)]).toEqual([false, true]);
	expect(locatedRow(makeRow("a", { path: archived }), roots).archived).toBe(true);
	expect(locatedRow(makeRow("a", { path: listed }), roots)).not.toHaveProperty("archived");
});

test("a directory whose name only begins like the archive's is not the archive", () => {
	expect(isArchived("/h/agent/session-archive-old/--x--/a.jsonl", DEFAULT)).toBe(false);
	expect(archiveOf(DEFAULT)).toBe("/h/agent/session-archive");
});

test("archived sessions are listed and found only on request; a link to one is listed where pi finds it", async () => {
	const { base, root, sessionRoots, write } = tempAgentDir();
	const text = (words: string): string => lines(header(), user("a0000001", null, 1, words));
	const kept = write("--x--/a.jsonl", text("keep the lexer"));
	const away = write("--x--/b.jsonl", text("drop the lexer"));
	const linked = write("--x--/c.jsonl", text("link the lexer"));
	for (const path of [away, linked]) {
		mkdirSync(dirname(archiveCounterpart(path, sessionRoots)), { recursive: true });
		renameSync(path, archiveCounterpart(path, sessionRoots));
	}
	symlinkSync(archiveCounterpart(linked, sessionRoots), linked);
	const options = { env: { PI_CODING_AGENT_DIR: dirname(root) }, home: base, cwd: base, cacheDir: join(base, "cache") };
	const paths = (rows: readonly { readonly path: string }[]) => rows.map(({ path }) => path).toSorted();
	expect(paths(await listAll(options))).toEqual([kept, linked]);
	const all = await listAll({ ...options, archived: true });
	expect(paths(all)).toEqual([archiveCounterpart(away, sessionRoots), kept, linked].toSorted());
	expect(all.flatMap(({ path, archived }) => (archived ? [path] : []))).toEqual([
		archiveCounterpart(away, sessionRoots),
	]);
	expect(paths(await list(all[0]?.cwd ?? "", options))).toEqual([kept, linked]);
	expect(paths(await searchAll("lexer", options))).toEqual([kept, linked]);
	expect(paths(await searchAll("lexer is:archived", options))).toEqual([archiveCounterpart(away, sessionRoots)]);
	expect(paths(await searchAll("is:archived", options))).toEqual([archiveCounterpart(away, sessionRoots)]);
});
