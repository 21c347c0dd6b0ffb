import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readSession } from "../../src/store/read/read-session.ts";
import { attack } from "../support/attack.ts";
import { fixtureDir } from "../support/fixture.ts";
import { mutateSession } from "../support/mutate-session.ts";
import { Sandbox } from "../support/sandbox.ts";
import { runSoundly } from "../support/sound-output.ts";

const FIXTURES = ["every-entry-type", "branches", "odd-ids", "v1", "v2", "forked-v1", "linear-v3", "names"];

/** What only looks. `S` stands for the path of a session, `E` for an entry of it. */
const LOOKING: readonly (readonly string[])[] = [
	["list"],
	["list", "--json"],
	["stats"],
	["doctor"],
	["search", "the"],
	["search", "is:error", "--json"],
	["prompts"],
	["commands"],
	["files"],
	["tidy"],
	["show", "S"],
	["show", "S", "--all", "--full"],
	["show", "S", "--tree"],
	["show", "S", "--json"],
	["show", "S", "--html"],
	["show", "S#E", "--markdown"],
	["doctor", "S"],
	["files", "S"],
];

/** What appends to the session, or makes another one of it. */
const CHANGING: readonly (readonly string[])[] = [
	["rename", "S", "another name", "--yes"],
	["rename", "S", "", "--yes"],
	["label", "S#E", "a label", "--yes"],
	["branch", "S#E", "--yes"],
	["fork", "S", "--yes"],
	["undo", "--yes"],
];

attack("mutated sessions in the shell: nothing is lost, nothing breaks", 1, async ({ random, pick, below }) => {
	const sandbox = new Sandbox();
	try {
		const directory = sandbox.directory(".pi/agent/sessions/--p--");
		const text = mutateSession(readFileSync(join(fixtureDir, `${pick(FIXTURES)}.jsonl`), "utf8"), random);
		const path = join(directory, "mutated.jsonl");
		writeFileSync(path, text);
		writeFileSync(join(directory, "sound.jsonl"), readFileSync(join(fixtureDir, "branches.jsonl")));
		const before = await readSession(path);
		const entry = before.entries[below(Math.max(1, before.entries.length))]?.id ?? "none";
		const named = (args: readonly string[]) =>
			args.map((arg) => arg.replace(/^S/, path).replace(/#E$/, `#${entry.slice(0, 8)}`));
		const untouched = sandbox.fingerprints();
		for (const args of LOOKING) runSoundly(sandbox, named(args));
		expect(sandbox.fingerprints()).toEqual(untouched);
		for (const args of CHANGING) {
			const bytes = readFileSync(path);
			const earlier = await readSession(path);
			runSoundly(sandbox, named(args));
			const after = await readSession(path);
			// An old version is rewritten, by a rename; nothing else ever is.
			if (earlier.version >= 3) expect(readFileSync(path).subarray(0, bytes.length).equals(bytes)).toBe(true);
			expect(after.entries.length).toBeGreaterThanOrEqual(earlier.entries.length);
		}
		return LOOKING.length + CHANGING.length;
	} finally {
		sandbox.remove();
	}
});
