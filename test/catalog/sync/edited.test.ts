import {
	appendFileSync,
	closeSync,
	openSync,
	readFileSync,
	renameSync,
	statSync,
	utimesSync,
	writeFileSync,
	writeSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { INDEX_VERSION } from "../../../src/catalog/index/schema.ts";
import { listAll, statsAll } from "../../../src/catalog/list-all.ts";
import { NOT_SCANNED, scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { isUnchanged, UNVERIFIED } from "../../../src/catalog/scan/scan-stamp.ts";
import { searchAll } from "../../../src/catalog/search-all.ts";
import { inLong } from "../../support/cases.ts";
import { findSettled, followSearch } from "../../support/follow-search.ts";
import { assistant, header, lines, name, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const filler = (id: string, parent: string, second: number) => assistant(id, parent, second, "filler ".repeat(2000));

/** A secret in the middle, far from both ends of the file. */
const SESSION = lines(
	header(),
	user("a1", null, 1, "Use the key SECRET-1234"),
	filler("a2", "a1", 2),
	name("a3", "a2", 3, "named SECRET-1234"),
	filler("a4", "a3", 4),
	assistant("a5", "a4", 5, "the key SECRET-1234 works"),
	filler("a6", "a5", 6),
);
const EDITED = SESSION.replaceAll("SECRET-1234", "REDACT-0000");
const MORE = lines(user("a7", "a6", 7, "go on"));

/** Writes into the same file, without truncating it first. */
function overwrite(path: string, text: string): void {
	const fd = openSync(path, "r+");
	writeSync(fd, text);
	closeSync(fd);
}

/** Ways to remove a secret from a file. */
const EDITS: readonly (readonly [what: string, edit: (path: string) => void])[] = [
	["in place, with the same length", (path) => overwrite(path, EDITED)],
	[
		"in place, with the same length, and the old time set again",
		(path) => {
			const { atime, mtime } = statSync(path);
			overwrite(path, EDITED);
			utimesSync(path, atime, mtime);
		},
	],
	[
		"by another file of the same length, with the same time",
		(path) => {
			const { atime, mtime } = statSync(path);
			writeFileSync(`${path}.new`, EDITED);
			utimesSync(`${path}.new`, atime, mtime);
			renameSync(`${path}.new`, path);
		},
	],
	[
		"in place, and then the session grew",
		(path) => {
			overwrite(path, EDITED);
			appendFileSync(path, MORE);
		},
	],
	["emptied and written anew, longer", (path) => writeFileSync(path, EDITED + MORE)],
	[
		"by another file, which is longer",
		(path) => {
			writeFileSync(`${path}.new`, EDITED + MORE);
			renameSync(`${path}.new`, path);
		},
	],
	["with what follows", (path) => writeFileSync(path, EDITED.slice(0, -20_000))],
];

/** What the test command tries: what is noticed by the time, by the place on the disk, by the bytes, by the length. */
const NOTICED = [1, 2, 3, 6];

describe.each(EDITS)("what was taken out of a session %s", (_what, edit) => {
	const index = EDITS.findIndex(([, one]) => one === edit);
	const isNoticed = inLong(true, NOTICED.includes(index));
	// Counting adds a checksum of all bytes to what the list knows. In the test command, each way is tried with one of the two.
	test.runIf(isNoticed).each(inLong([true, false], [index % 2 === 0]))(
		"is gone from the list, the search and the index; counted: %s",
		async (isCounted) => {
			const folder = tempAgentDir();
			const path = folder.write("--p--/1.jsonl", SESSION);
			const options = { env: folder.env, cacheDir: folder.cache };
			await (isCounted ? statsAll(options) : listAll(options));
			edit(path);
			// The search alone, then with an index that is up to date again: in the test command for one way.
			for (let round = 0; round < inLong(2, index === NOTICED[0] ? 2 : 1); round++) {
				expect(await searchAll("SECRET", options)).toEqual([]);
				expect(await searchAll("REDACT", options)).toMatchObject([{ row: { name: "named REDACT-0000" } }]);
				expect(await listAll(options)).toMatchObject([
					{ firstMessage: "Use the key REDACT-0000", name: "named REDACT-0000" },
				]);
			}
			const stored = readFileSync(`${folder.cache}/catalog-${INDEX_VERSION}.db`).toString("latin1");
			expect(stored).toContain("REDACT-0000");
			expect(stored).not.toContain("SECRET");
		},
	);

	if (inLong(true, index === 3))
		test("is gone from a browser that is open, also while it is searched for", async () => {
			const folder = tempAgentDir();
			const path = folder.write("--p--/1.jsonl", SESSION);
			const catalog = openCatalog({
				sessionRoots: folder.sessionRoots,
				cacheDir: folder.cache,
				watch: false,
				processes: false,
			});
			const { rows } = startCatalog(catalog);
			await catalog.listed();
			const search = followSearch(catalog, "key SECRET");
			expect((await search.settled()).map((result) => result.path)).toEqual([path]);
			edit(path);
			await catalog.refresh();
			expect(rows.get(path)).toMatchObject({ firstMessage: "Use the key REDACT-0000", name: "named REDACT-0000" });
			await search.until("the session to be lost", () => search.found.size === 0);
			search.stop();
			// A file that did not match a weaker query is not skipped for a stronger one once it has changed.
			expect((await findSettled(catalog, "key REDACT"))[0]?.best.snippet.text).toContain("REDACT");
		});
});

test("of a large file only the ends are compared while it grows; then it must be checked again", () => {
	const folder = tempAgentDir();
	const path = folder.write("--p--/1.jsonl", SESSION);
	const first = scanFile(path, NOT_SCANNED);
	overwrite(path, SESSION.replace("named SECRET-1234", "named REDACT-0000"));
	appendFileSync(path, MORE);
	const hasty = scanFile(path, { ...first, hasty: true });
	expect(hasty).toMatchObject({ isWhole: false, row: { messageCount: 6 }, stamp: { ctimeMs: UNVERIFIED } });
	expect(isUnchanged(hasty.stamp, statSync(path))).toBe(false);
	const checked = scanFile(path, hasty);
	expect(checked).toMatchObject({ isWhole: true, row: { messageCount: 6, name: "named REDACT-0000" } });
	expect(isUnchanged(checked.stamp, statSync(path))).toBe(true);
});

test("a file that was only touched is read again once, if it was never summed; then what is appended is all that is read", () => {
	const folder = tempAgentDir();
	const path = folder.write("--p--/1.jsonl", SESSION);
	let scan = scanFile(path);
	const readAgain = () => {
		let read = 0;
		scan = scanFile(path, scan, undefined, () => {
			read += 1;
		});
		return { read, isWhole: scan.isWhole, name: scan.row.name };
	};
	utimesSync(path, 1e9, 1e9);
	expect(readAgain()).toEqual({ read: 7, isWhole: true, name: "named SECRET-1234" });
	utimesSync(path, 2e9, 2e9);
	expect(readAgain()).toEqual({ read: 0, isWhole: false, name: "named SECRET-1234" });
	appendFileSync(path, MORE);
	expect(readAgain()).toEqual({ read: MORE.trimEnd().split("\n").length, isWhole: false, name: "named SECRET-1234" });
	overwrite(path, SESSION.replace("named SECRET-1234", "named REDACT-0000"));
	expect(readAgain()).toMatchObject({ isWhole: true, name: "named REDACT-0000" });
});

test("while a file that was never summed grows, its ends are compared; then it is read whole", () => {
	const folder = tempAgentDir();
	const path = folder.write("--p--/1.jsonl", SESSION);
	const first = scanFile(path);
	appendFileSync(path, MORE);
	const hasty = scanFile(path, { ...first, hasty: true });
	expect(hasty).toMatchObject({ isWhole: false, crc: undefined, stamp: { ctimeMs: UNVERIFIED } });
	const checked = scanFile(path, hasty);
	expect(checked).toMatchObject({ isWhole: true, hasGrown: true, crc: expect.any(Number) });
	expect(isUnchanged(checked.stamp, statSync(path))).toBe(true);
});
