import { join } from "node:path";
import { expect, test } from "vitest";
import { putRequest } from "../../src/app/world/questions/put-question.ts";
import { scanFile } from "../../src/catalog/scan/scan-file.ts";
import { readerOf } from "../../src/changes/files/read-here.ts";
import { FILES } from "../../src/changes/kinds/files.ts";
import { patchRoot } from "../../src/edits/patch.ts";
import { type Direction, putChanges } from "../../src/edits/put-change.ts";
import { sessionChanges } from "../../src/edits/session-changes.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { Chance } from "../edits/worlds/chance.ts";
import { scan } from "../edits/worlds/disk.ts";
import { makeWorld } from "../edits/worlds/story.ts";
import type { World } from "../edits/worlds/world.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { createTempDir } from "../support/temp-dir.ts";

const STEPS = 30;
const WORLDS = caseCount(2, 40);
/** More than a world takes beside three other tests, ms. */
const WORLD_MS = 40_000;
/** Of each session, so many parts are taken back or put in place. */
const PARTS = 2;

/** Everything on the disk, by absolute path, as text: its mode and its content. */
function disk(world: World): Map<string, string> {
	return new Map(
		[...world.now.keys()].flatMap((root) =>
			[...scan(root)].map(([name, { bytes, isLink, isExecutable }]) => [
				join(root, name),
				`${isLink ? "l" : isExecutable ? "x" : "-"}${bytes.toString("latin1")}`,
			]),
		),
	);
}

/** Takes back, or puts in place, a part of a session, and checks the disk; returns what undoes it, and how many files it were. */
async function put(world: World, path: string, from: string | undefined, direction: Direction) {
	const session = await readSession(path);
	const root = await patchRoot(session, false);
	const rows = world.sessions.map((one) => scanFile(one.path).row);
	const span = { from, to: session.tree.leafId ?? "" };
	const { files, commands } = await sessionChanges(session, span, { home: world.home, rows });
	const changes = await putChanges(files, { direction, read: readerOf(root, root) });
	const refused = changes.filter(({ why, refused: hunks }) => why !== "" || hunks.length > 0).length;
	const request = putRequest({ direction, path, title: "", root, from: root, changes, commands });
	if (request === undefined) return { count: 0, refused, undo: async () => undefined };
	const before = disk(world);
	const wanted = new Map(before);
	for (const { path: file, to } of changes.flatMap(({ puts }) => puts)) {
		if (to === undefined) wanted.delete(file);
		else wanted.set(file, `${to.isExecutable ? "x" : "-"}${Buffer.from(to.text).toString("latin1")}`);
	}
	const tools = { stateDir: join(world.dir, "state") } as Parameters<typeof FILES.make>[3];
	const where = `seed ${world.seed}, ${direction} ${path}#${from ?? ""}`;
	const plan = await FILES.begin(request, tools);
	const { undo } = await FILES.make(request, plan, "", tools);
	expect([where, disk(world)]).toEqual([where, wanted]);
	return {
		count: request.files.length,
		refused,
		undo: async () => {
			if (undo?.type === "files-replaced") await FILES.takeBack(undo, tools);
			expect([where, disk(world)]).toEqual([where, before]);
		},
	};
}

test(
	"in random worlds the disk is what the preview said, nothing else differs, and undo leads back to the byte",
	async () => {
		const done = { revert: 0, apply: 0, refused: 0 };
		for (let seed = FIRST_SEED; seed < FIRST_SEED + WORLDS; seed++) {
			const { path: dir, remove } = createTempDir();
			const world = makeWorld(dir, join(dir, "home"), seed, STEPS);
			const chance = new Chance(seed + 99_999);
			for (const { path, root } of world.sessions) {
				if (!world.now.has(root)) continue;
				const { tree } = await readSession(path);
				const active = tree.table.pathUp(tree.leafId).toArray();
				for (let part = 0; part < PARTS; part++) {
					const from = chance.is(0.5) ? undefined : active[chance.below(active.length)]?.id;
					const undos: (() => Promise<void>)[] = [];
					for (const direction of ["revert", "apply"] as const) {
						const { count, refused, undo } = await put(world, path, from, direction);
						done[direction] += count;
						done.refused += refused;
						undos.unshift(undo);
					}
					for (const undo of undos) await undo();
				}
			}
			remove();
		}
		if (process.env.PI_GROVE_WORLDS_TABLE !== undefined) console.log(done);
		expect(Math.min(...Object.values(done))).toBeGreaterThan(5);
	},
	WORLDS * WORLD_MS,
);
