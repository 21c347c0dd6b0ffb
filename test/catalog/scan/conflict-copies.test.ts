import { appendFileSync, copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { conflictNote, mayBeConflictCopy, originalsOf } from "../../../src/catalog/model/conflict-copies.ts";
import { ConflictCopies, ownEntries } from "../../../src/catalog/scan/conflict-copies.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempDir } from "../../support/temp-dir.ts";

const NAME = "2026-01-05T09-00-00-000Z_019b8d3c-7a40-7000-8000-000000000001";

/** What programs make of the name of a session. */
const COPIES = [
	`${NAME}.sync-conflict-20260105-090000-ABCDEFG.jsonl`,
	`${NAME}.sync-conflict-20260105-090000-ABCDEFG.sync-conflict-20260106-090000-ABCDEFG.jsonl`,
	`${NAME} (Ada's conflicted copy 2026-01-05).jsonl`,
	`${NAME} (conflicted copy 2026-01-05 090000).jsonl`,
	`${NAME}_conflict-20260105-090000.jsonl`,
	`${NAME} (SFConflict ada@example.org 2026-01-05-09-00-00).jsonl`,
	`${NAME}.Conflict.jsonl`,
	`${NAME} (In Konflikt stehende Kopie von Ada 2026-01-05).jsonl`,
	`${NAME} (Copie en conflit de Ada 2026-01-05).jsonl`,
];

const stampsOf = (paths: readonly string[]) => new Map(paths.map((path) => [path, statSync(path)]));

test("the name of a copy says which file it is a copy of", () => {
	for (const copy of COPIES) {
		expect(mayBeConflictCopy(`/s/${copy}`)).toBe(true);
		expect([...originalsOf(`/s/${copy}`)]).toContain(`/s/${NAME}.jsonl`);
	}
	for (const name of [`${NAME}.jsonl`, "conflicts/x.jsonl", "x (1).jsonl"])
		expect(mayBeConflictCopy(`/s/${name}`)).toBe(false);
});

test("a copy has the id of its original, and is compared with that", () => {
	const directory = tempDir();
	const at = (name: string): string => join(directory, name);
	const [first, second, third] = [
		user("a", null, 1, "Why?"),
		assistant("b", "a", 2, "Because."),
		user("c", "b", 3, "So?"),
	];
	const original = at(`${NAME}.jsonl`);
	writeFileSync(original, lines(header(), first, second));
	for (const name of COPIES) copyFileSync(original, at(name));
	const copies = new ConflictCopies();
	const find = (): unknown =>
		[...copies.find(stampsOf([original, ...COPIES.map(at)]))].map(([path, { path: of, own }]) => [path, of, own]);
	expect(find()).toEqual(COPIES.map((name) => [at(name), original, 0]));
	const [one = "", other = "", third_ = "", fourth = ""] = COPIES.map(at);
	// It has gone on there; here; on both sides; and is another session.
	appendFileSync(one, lines(third));
	writeFileSync(other, lines(header(), first));
	appendFileSync(third_, lines(third, user("d", "c", 4, "x")));
	writeFileSync(fourth, lines(header({ id: "other" }), first, second));
	appendFileSync(original, lines(user("e", "b", 3, "Really?")));
	expect(find()).toEqual(
		COPIES.map(at)
			.filter((path) => path !== fourth)
			.map((path) => [path, original, path === one ? 1 : path === third_ ? 2 : 0]),
	);
	rmSync(original);
	// What is left of a copy of a copy is one, too.
	expect([...copies.find(stampsOf(COPIES.map(at))).keys()]).toEqual([other]);
});

test("what follows the common beginning is compared entry by entry, also of large files", () => {
	const directory = tempDir();
	const [original, copy] = [join(directory, "a.jsonl"), join(directory, "a.conflict.jsonl")];
	const long = Array.from({ length: 300 }, (_, index) => user(`e${index}`, null, index, `${index}`.repeat(2000)));
	const own = (these: readonly string[], those: readonly string[]): number => {
		writeFileSync(original, lines(header(), ...those));
		writeFileSync(copy, lines(header(), ...these));
		return ownEntries(copy, original);
	};
	expect(own(long, long)).toBe(0);
	expect(own(long.slice(0, 200), long)).toBe(0);
	expect(own(long, long.slice(0, 200))).toBe(100);
	// Merged in another order.
	expect(own(long, [...long.slice(0, 100), ...long.slice(200), ...long.slice(100, 200)])).toBe(0);
	expect(own([...long, "torn"], long)).toBe(1);
	// A line that is cut off is the beginning of the original's.
	writeFileSync(copy, readFileSync(original).subarray(0, -700));
	expect(ownEntries(copy, original)).toBe(0);
	writeFileSync(copy, "");
	expect(ownEntries(copy, original)).toBe(0);
});

test("the note says how many there are, and what only they have", () => {
	const noteOf = (...own: readonly number[]) =>
		conflictNote({ conflicts: own.map((one) => ({ path: "/x", own: one })) });
	expect(noteOf()).toBeUndefined();
	expect(noteOf(0)).toBe("a conflict copy is beside it, wholly contained");
	expect(noteOf(1)).toBe("a conflict copy is beside it, with 1 entry of its own");
	expect(noteOf(0, 3)).toBe("2 conflict copies are beside it, with 3 entries of their own");
});
