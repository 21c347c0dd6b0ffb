import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { CatalogEvent } from "../../../src/catalog/model/event.ts";
import { Scanner } from "../../../src/catalog/sync/scanner.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir, tempDir, tempDirOfFile } from "../../support/temp-dir.ts";

/** Enough for the search of their files to take several slices. */
const PROJECTS = 2500;
const SESSION = lines(header(), user("a", null, 1, "question"));

const folder = tempAgentDir(tempDirOfFile());
let scanner: Scanner;
let events: CatalogEvent[];

beforeAll(() => {
	for (let project = 0; project < PROJECTS; project++) folder.write(`--b${project}--/1.jsonl`, SESSION);
});

beforeEach(async () => {
	// The directory in which the tests write their own sessions.
	onTestFinished(() => rmSync(join(folder.root, "--a--"), { recursive: true, force: true }));
	events = [];
	scanner = new Scanner({
		sessionRoots: folder.sessionRoots,
		cacheDir: tempDir(),
		emit: (event) => events.push(event),
		onRead: () => undefined,
		onDamage: () => undefined,
	});
	onTestFinished(() => scanner.close());
	await scanner.open(-1);
});

/** Begins a comparison, and does something after it has searched the first directories, but not all of them. */
async function compareAnd(act: () => void): Promise<void> {
	const comparing = scanner.refresh();
	const before = events.length;
	await new Promise((resolve) => setImmediate(resolve));
	// The comparison reports the number of files as soon as it has searched all directories.
	expect(events.slice(before).some(({ type }) => type === "progress")).toBe(false);
	act();
	await comparing;
}

/** The paths that the events list. */
function listed(): Set<string> {
	const paths = new Set<string>();
	for (const event of events) {
		if (event.type === "rows") for (const { path } of event.rows) paths.add(path);
		if (event.type === "gone") for (const path of event.paths) paths.delete(path);
	}
	return paths;
}

test("a session that is made during a comparison stays listed", async () => {
	folder.write("--a--/1.jsonl", SESSION);
	await scanner.refresh();
	let made = "";
	await compareAnd(() => {
		made = folder.write("--a--/2.jsonl", SESSION);
		scanner.readNow([made]);
		expect(listed().has(made)).toBe(true);
	});
	expect(events.filter(({ type }) => type === "gone")).toEqual([]);
	expect(listed().has(made)).toBe(true);
	expect(listed().size).toBe(PROJECTS + 2);
});

test("a session that disappears during a comparison does not come back as one that cannot be read", async () => {
	const gone = folder.write("--a--/1.jsonl", SESSION);
	await compareAnd(() => {
		rmSync(gone);
		scanner.readNow([gone]);
	});
	expect(listed().has(gone)).toBe(false);
	expect(listed().size).toBe(PROJECTS);
});

test("a session that changes again after it was checked is read again", async () => {
	const path = folder.write("--a--/1.jsonl", SESSION);
	await scanner.refresh();
	await compareAnd(() => {
		appendFileSync(path, lines(assistant("b", "a", 2, "answer")));
		scanner.readNow([path]);
		appendFileSync(path, lines(assistant("c", "b", 3, "more")));
	});
	const rows = events.flatMap((event) => (event.type === "rows" ? event.rows : []));
	expect(rows.findLast((row) => row.path === path)?.messageCount).toBe(3);
});

test("what is read during the first listing does not make it complete", async () => {
	const path = folder.write("--a--/1.jsonl", SESSION);
	await compareAnd(() => {
		scanner.readNow([path]);
		expect(events.some(({ type }) => type === "progress")).toBe(false);
	});
	const complete = events.findIndex((event) => event.type === "progress" && event.read === event.total);
	expect(events.slice(complete).some(({ type }) => type === "rows")).toBe(false);
});
