import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { createTempDir, tempDir } from "../../support/temp-dir.ts";
import { Measure } from "./measure.ts";
import { STILL_WRONG } from "./still-wrong.ts";
import { makeWorld } from "./story.ts";
import { linesOf } from "./texts.ts";
import type { World } from "./world.ts";

const STEPS = 30;
const ENTRIES = 2;
const FILES = 2;
const WORLDS = caseCount(2, 40);
/** More than a world takes beside three other tests, ms. */
const WORLD_MS = 60_000;

function worldIn(dir: string, seed: number, steps = STEPS): World {
	return makeWorld(dir, join(dir, "home"), seed, steps);
}

/** All that is in a world, without the place where it was made. */
function fingerprint(world: World): string {
	const files = world.sessions.flatMap(({ steps, path }) => [
		readFileSync(path, "utf8"),
		...steps.map(({ after }) =>
			JSON.stringify([...after].map(([name, { blob, isExecutable }]) => [name, blob, isExecutable])),
		),
	]);
	return createHash("sha1").update(files.join("\n").replaceAll(world.dir, "DIR")).digest("hex");
}

test("a seed makes the same world anywhere", () => {
	const [one, other] = [worldIn(tempDir(), 3, 10), worldIn(tempDir(), 3, 10)];
	expect(fingerprint(one)).toBe(fingerprint(other));
	expect(fingerprint(worldIn(tempDir(), 4, 4))).not.toBe(fingerprint(one));
});

test("the truth about a world is true: each patch of an edit, each text of a write, a writer for each line", () => {
	const dir = tempDir();
	const world = worldIn(dir, 5);
	const box = join(dir, "box");
	mkdirSync(box);
	let edits = 0;
	for (const { call, isError, before, after } of world.sessions.flatMap(({ steps }) => steps)) {
		if (isError || call.tool === "bash" || call.tool === "read") continue;
		const [old, now] = [before, after].map((files) => files.get(call.path)?.bytes.toString());
		if (call.tool === "write" && now !== undefined) expect(now).toBe(call.content);
		if (call.tool !== "edit" || old === undefined || now === undefined || /\r|\uFEFF/.test(old)) continue;
		edits++;
		writeFileSync(
			join(box, "f"),
			call.edits.reduce((text, { oldText, newText }) => text.replace(oldText, () => newText), old),
		);
		expect(readFileSync(join(box, "f"), "utf8")).toBe(now);
	}
	expect(edits).toBeGreaterThan(3);
	for (const [root, files] of world.now)
		for (const [name, { bytes, isLink }] of files) {
			if (isLink) continue;
			expect(world.authors.of(root, name), name).toHaveLength(linesOf(bytes.toString()).length);
		}
	if (world.isGit)
		expect(execFileSync("git", ["fsck", "--strict"], { cwd: world.root, encoding: "utf8" })).not.toContain("error");
});

test(
	"what is said of files and lines is what was on the disk",
	async () => {
		const measure = new Measure();
		for (let seed = FIRST_SEED; seed < FIRST_SEED + WORLDS; seed++) {
			const { path, remove } = createTempDir();
			await measure.world(worldIn(path, seed), ENTRIES, FILES);
			remove();
		}
		if (process.env.PI_GROVE_WORLDS_TABLE !== undefined) console.log(measure.table());
		expect(measure.sum("checkout")).toBeGreaterThan(20 * WORLDS);
		expect(measure.sum("blame")).toBeGreaterThan(20 * WORLDS);
		expect(measure.faults.filter(({ kind }) => !STILL_WRONG.has(kind))).toEqual([]);
	},
	WORLDS * WORLD_MS,
);
