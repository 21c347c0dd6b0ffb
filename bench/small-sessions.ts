import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeProse } from "./prose.ts";
import { seededRandom } from "./random.ts";

const MINUTE_MS = 60_000;
const PER_PROJECT = 40;

/**
 * Fills a home directory with so many sessions of a prompt and an answer, one a minute up to now; returns the environment of
 * a program in it. `isChain`: each one is a fork of the one before. `seed`: homes of different ones have different sessions.
 */
export function makeHome(home: string, sessions: number, isChain = false, seed = sessions): NodeJS.ProcessEnv {
	const random = seededRandom(seed);
	const prose = makeProse(random);
	const first = Date.now() - sessions * MINUTE_MS;
	let parentSession: string | undefined;
	for (let index = 0; index < sessions; index++) {
		const cwd = `/home/dev/work/project-${Math.floor(index / PER_PROJECT)}`;
		const directory = join(home, ".pi", "agent", "sessions", `--${cwd.slice(1).replaceAll("/", "-")}--`);
		if (index % PER_PROJECT === 0) mkdirSync(directory, { recursive: true });
		const began = first + index * MINUTE_MS;
		const timestamp = new Date(began).toISOString();
		const said = (id: string, parentId: string | null, role: string, text: string): string =>
			JSON.stringify({
				...{ type: "message", id, parentId, timestamp },
				message: { role, content: [{ type: "text", text }], timestamp: began },
			});
		const lines = [
			JSON.stringify({ type: "session", version: 3, id: random.hex(8), timestamp, cwd, parentSession }),
			said("00000001", null, "user", prose.text(random.int(30, 160))),
			said("00000002", "00000001", "assistant", prose.text(200)),
		];
		const path = join(directory, `${timestamp.replace(/[:.]/g, "-")}_${index}.jsonl`);
		writeFileSync(path, `${lines.join("\n")}\n`);
		if (isChain) parentSession = path;
	}
	return environmentIn(home);
}

/** The environment of a program that is at home in a directory. */
export function environmentIn(home: string): NodeJS.ProcessEnv {
	return { PATH: process.env.PATH, HOME: home, TERM: "xterm-256color", COLORTERM: "truecolor" };
}
