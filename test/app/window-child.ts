/** A window of a process of its own, in which keys are pressed at random; it ends when all that they asked for is done. */
import { setTimeout as delay } from "node:timers/promises";
import { KEYMAP } from "../../src/app/core/keys/keymap.ts";
import { createProgram } from "../../src/app/core/program.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { findSessionRoots } from "../../src/catalog/model/session-roots.ts";
import { seededRandom } from "../support/mutate-session.ts";
import { inputsOf } from "../support/typing.ts";

/** What a window is to do. */
export interface Task {
	readonly home: string;
	readonly cwd: string;
	readonly cacheDir: string;
	readonly stateDir: string;
	readonly env: Readonly<Record<string, string>>;
	/** What is typed; one of these at a time, its parts a moment apart. */
	readonly typed: readonly (readonly string[])[];
	/** How many of them. */
	readonly turns: number;
	readonly seed: number;
}

// Given by the test.
const { home, cwd, cacheDir, stateDir, env, typed, turns, seed } = JSON.parse(process.argv[2] ?? "") as Task;
const random = seededRandom(seed);
const sessionRoots = await findSessionRoots({ env, cwd, home });
const catalog = openCatalog({ sessionRoots, cacheDir, stateDir, processes: false });
const program = createProgram({
	environment: { home, cwd, demo: false, keymap: KEYMAP, problems: [] },
	size: { columns: 160, rows: 45 },
	catalog,
	env,
	pi: { program: "pi", args: [] },
	sessionRoots,
	clock: Date.now,
	writeTerminal: () => undefined,
});
await catalog.listed();
for (let turn = 0; turn < turns; turn++) {
	for (const part of typed[Math.floor(random() * typed.length)] ?? []) {
		// A text is for the prompt of the key before it, which may still wait: it would narrow the list, or a menu, until nothing is left.
		if (!part.startsWith("<")) {
			while (program.getState().waiting.length > 0) await delay(1);
			if (program.getState().overlays.at(-1)?.kind !== "prompt") continue;
		}
		for (const input of inputsOf(part)) program.dispatch(input);
		if (random() < 0.5) await delay(Math.floor(random() * 60));
	}
}
const isDone = (): boolean => {
	const { changing, waiting } = program.getState();
	return changing === 0 && waiting.length === 0;
};
while (!isDone()) await delay(20);
await program.close();
