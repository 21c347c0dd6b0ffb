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
	["standup"],
	["history"],
	["show", "S", "--all", "--markdown"],
	["search", "a", "is:damaged"],
	["list", "is:damaged", "--json"],
	["completions", "sessions"],
];

/** What appends to the session, or makes another one of it. */
const CHANGING: readonly (readonly string[])[] = [
	["rename", "S", "another name", "--yes"],
	["rename", "S", "", "--yes"],
	["label", "S#E", "a label", "--yes"],
	["branch", "S#E", "--yes"],
	["fork", "S", "--yes"],
	["fork", "S", "--to", ".", "--yes"],
	["forward", "S", "--yes"],
	["export", "S", "--yes"],
	["export", "S", "--html", "--all", "--yes"],
	["undo", "--yes"],
];

/** How many mutated sessions there are in one case, and how many commands look at them and change them. */
const [SESSIONS, LOOKS, CHANGES] = [4, 8, 4];

attack("mutated sessions in the shell: nothing is lost, nothing breaks", 1, async ({ random, pick, below }) => {
	const sandbox = new Sandbox();
	try {
		const directory = sandbox.directory(".pi/agent/sessions/--p--");
		writeFileSync(join(directory, "sound.jsonl"), readFileSync(join(fixtureDir, "branches.jsonl")));
		const paths = Array.from({ length: SESSIONS }, (_, index) => {
			const path = join(directory, `mutated${index}.jsonl`);
			writeFileSync(path, mutateSession(readFileSync(join(fixtureDir, `${pick(FIXTURES)}.jsonl`), "utf8"), random));
			return path;
		});
		const path = pick(paths);
		const { entries } = await readSession(path);
		const entry = entries[below(Math.max(1, entries.length))]?.id ?? "none";
		const named = (args: readonly string[]) =>
			args.map((arg) => arg.replace(/^S/, path).replace(/#E$/, `#${entry.slice(0, 8)}`));
		const untouched = sandbox.fingerprints();
		for (let count = 0; count < LOOKS; count++) runSoundly(sandbox, named(pick(LOOKING)));
		expect(sandbox.fingerprints()).toEqual(untouched);
		for (let count = 0; count < CHANGES; count++) {
			const args = named(pick(CHANGING));
			const before = await Promise.all(paths.map((one) => readSession(one)));
			const bytes = paths.map((one) => readFileSync(one));
			runSoundly(sandbox, args);
			for (const [index, one] of paths.entries()) {
				const earlier = before[index];
				const now = readFileSync(one);
				// An old version is rewritten, by a rename; nothing else ever is.
				if ((earlier?.version ?? 3) >= 3)
					expect(now.subarray(0, bytes[index]?.length).equals(bytes[index] ?? now), args.join(" ")).toBe(true);
				expect((await readSession(one)).entries.length).toBeGreaterThanOrEqual(earlier?.entries.length ?? 0);
			}
		}
		return LOOKS + CHANGES;
	} finally {
		sandbox.remove();
	}
});
