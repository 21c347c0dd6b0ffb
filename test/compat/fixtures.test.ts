import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SessionManager as OurManager } from "../../src/index.ts";
import { repairSession } from "../../src/store/doctor/repair-session.ts";
import { tempDirOfFile } from "../support/temp-dir.ts";
import { stateOf } from "./normal.ts";
import { SessionManager as PiManager } from "./pi.ts";
import { noteIds, type Side } from "./side.ts";

const fixtures = join(import.meta.dirname, "../../fixtures");
const root = tempDirOfFile();

/** Where they differ on purpose; `differences.test.ts` shows most of it. */
const DIFFERENT: ReadonlyMap<string, string> = new Map([
	["bad-lines", "pi takes a line that is a number or a list for an entry"],
	["bom", "pi refuses it"],
	["duplicate-ids", "pi's getBranch never ends"],
	["forked-v1", "pi does not find its entries"],
	["odd-fields", "pi's getSessionName throws"],
	["odd-ids", "pi has numbers as ids; `odd-ids.test.ts` compares the rest"],
	["parent-cycle", "pi's getBranch never ends"],
	["self-parent", "pi's getBranch never ends"],
]);

/** All that can be read from the file, or "refused". */
function opened(open: () => Side["manager"]): unknown {
	let manager: Side["manager"];
	try {
		manager = open();
	} catch {
		return "refused";
	}
	const side: Side = { manager, ids: [], history: new Set(), open: () => manager };
	noteIds(side);
	return stateOf(side, root);
}

const names = readdirSync(fixtures)
	.filter((name) => name.endsWith(".jsonl"))
	.map((name) => name.slice(0, -6));

test.each(names.filter((name) => !DIFFERENT.has(name)))("opens the fixture %s as pi does", (name) => {
	const copy = (by: string) => {
		const path = join(root, `${name}-${by}.jsonl`);
		copyFileSync(join(fixtures, `${name}.jsonl`), path);
		return path;
	};
	const ours = opened(() => OurManager.open(copy("ours")));
	expect(ours).toEqual(opened(() => PiManager.open(copy("theirs"))));
});

/** What `repairSession` promises is what pi can do with the copies. */
test.each(names)("pi opens the repaired copies of the fixture %s as we do", (name) => {
	for (const { path } of repairSession(join(fixtures, `${name}.jsonl`), join(root, `repaired ${name}`))) {
		const ours = opened(() => OurManager.open(path));
		expect(ours).not.toBe("refused");
		expect(ours).toEqual(opened(() => PiManager.open(path)));
	}
});
