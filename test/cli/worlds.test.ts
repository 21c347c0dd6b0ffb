import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Measure } from "../edits/worlds/measure.ts";
import { ProgramMeasure } from "../edits/worlds/measure-program.ts";
import { STILL_WRONG } from "../edits/worlds/still-wrong.ts";
import { makeWorld } from "../edits/worlds/story.ts";
import { caseCount, FIRST_SEED } from "../support/cases.ts";
import { Sandbox } from "../support/sandbox.ts";

const WORLDS = caseCount(1, 20);
/** More than a world takes beside other tests, ms. */
const WORLD_MS = 60_000;

test(
	"what the program makes, shows and prints of random work is what was on the disk",
	() => {
		const measure = new Measure();
		for (let seed = FIRST_SEED; seed < FIRST_SEED + WORLDS; seed++) {
			const sandbox = new Sandbox();
			try {
				const dir = join(sandbox.home, "work");
				mkdirSync(dir);
				new ProgramMeasure(sandbox, makeWorld(dir, sandbox.home, seed, 24), measure).compare();
			} finally {
				sandbox.remove();
			}
		}
		if (process.env.PI_GROVE_WORLDS_TABLE !== undefined) console.log(measure.table());
		expect(measure.sum("made")).toBeGreaterThan(2 * WORLDS);
		expect(measure.sum("diff")).toBeGreaterThan(2 * WORLDS);
		expect(measure.sum("show same", "show differs")).toBeGreaterThan(WORLDS);
		expect(measure.faults.filter(({ kind }) => !STILL_WRONG.has(kind))).toEqual([]);
	},
	WORLDS * WORLD_MS,
);
