import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { KEYMAP } from "../../src/app/core/keys/keymap.ts";
import { createProgram, type Program } from "../../src/app/core/program.ts";
import { isAnswered } from "../../src/app/core/update.ts";
import { searchOf } from "../../src/app/world/list/list-search.ts";
import { selectedEntry } from "../../src/app/world/opened/select-tree.ts";
import type { Action } from "../../src/app/world/state/action.ts";
import type { Outcome } from "../../src/app/world/state/effect.ts";
import type { State } from "../../src/app/world/state/state.ts";
import { openCatalog } from "../../src/catalog/catalog.ts";
import { findSessionRoots } from "../../src/catalog/model/session-roots.ts";
import { createDemo, type Demo } from "../../src/cli/browser/demo.ts";
import { defaultSessionDir } from "../../src/store/read/session-dir.ts";
import { installPi } from "./collection.ts";
import { command } from "./command.ts";
import { assistant, header, lines, user } from "./session-builder.ts";
import { until } from "./wait.ts";

/** What a person types: the id of a binding of the keymap in angle brackets, or text. */
export type Script = readonly string[];

/** How it is typed: all in one piece, with this many milliseconds between the keys, or waiting for the screen each time. */
type Pace = "at once" | "slowly" | number;

/** What came of it, without what differs from run to run. */
export interface Typed {
	/** How many keys were typed until the program was left. */
	readonly keys: number;
	readonly outcome: unknown;
	/** What was appended to each session file that was changed, made or removed, by its first line. */
	readonly changes: readonly unknown[];
	readonly screen: unknown;
	readonly copied: readonly string[];
}

export interface TypingOptions {
	readonly pace: Pace;
	/** Whether typing begins with the program, before anything is listed. */
	readonly cold: boolean;
	/** Whether other sessions are written meanwhile. */
	readonly busy: boolean;
}

/** The demo's newest session is a few minutes older: the same in all runs of a test. */
const NOW = Date.now();

const SIZE = { columns: 160, rows: 45 };

/** Types on a fresh copy of the demo collection, and waits until all of it has had its effect. */
export async function typeScript(script: Script, { pace, cold, busy }: TypingOptions): Promise<Typed> {
	const demo = await createDemo(NOW);
	installPi(demo);
	const before = sessionShapes(demo);
	const written: string[] = [];
	const program = await start(demo, written);
	const others = busy ? writeOthers(demo) : undefined;
	const settled = (what: string): Promise<State> =>
		until(what, { subscribe: program.subscribe, state: program.getState, describe }, isSettled);
	let outcome: Outcome | undefined;
	void program.exited.then((left) => {
		outcome = left;
	});
	try {
		if (!cold) await settled("the list");
		const inputs = script.flatMap(inputsOf);
		let keys = 0;
		if (pace === "at once") {
			for (const input of inputs) program.dispatch(input);
			keys = inputs.length;
		} else {
			for (const input of inputs) {
				if (pace === "slowly") await settled(`the screen before ${script[keys]}`);
				else await delay(pace);
				if (outcome !== undefined) break;
				program.dispatch(input);
				keys += 1;
			}
		}
		const state = await settled("the end");
		// The hand-over is the last thing that an effect does.
		await new Promise((resolve) => setImmediate(resolve));
		return {
			keys,
			outcome: plain(outcome, demo),
			changes: changesSince(before, demo),
			screen: screenOf(state, demo),
			copied: written.map((sequence) => withoutHome(copiedText(sequence), demo)),
		};
	} finally {
		others?.stop();
		await program.close();
		await demo.remove();
	}
}

/** The text in an escape sequence for the clipboard. */
function copiedText(sequence: string): string {
	return Buffer.from(/\]52;c;([\w+/=]*)/.exec(sequence)?.[1] ?? "", "base64").toString();
}

/** The keys of one part of a script. */
export function inputsOf(typed: string): readonly Action[] {
	const id = /^<(.+)>$/.exec(typed)?.[1];
	if (id === undefined) return [{ type: "keys", keys: [...typed] }];
	const key = KEYMAP.find((binding) => binding.id === id)?.keys[0];
	return key === undefined ? command(id) : [{ type: "keys", keys: [key] }];
}

function isSettled(state: State): boolean {
	// What is typed may be no query: then there is no answer to wait for.
	const isMistaken = searchOf(state).mistake !== undefined && state.changing === 0;
	return state.waiting.length === 0 && (isMistaken || isAnswered(state, "entry", 0));
}

function describe(state: State): string {
	const { waiting, changing, catalog, list, detail, tree } = state;
	const { searched, total, query, requested } = searchOf(state);
	return JSON.stringify({
		waiting,
		changing,
		complete: catalog.complete,
		selected: list.selected,
		search: { searched, total, shown: query.text, requested: requested.text },
		detail: detail.status,
		hits: tree.hits?.complete,
	});
}

async function start(demo: Demo, written: string[]): Promise<Program> {
	const env = {
		HOME: demo.home,
		PI_CODING_AGENT_DIR: demo.agentDir,
		XDG_STATE_HOME: join(demo.home, "state"),
		PATH: join(demo.home, "bin"),
	};
	const sessionRoots = await findSessionRoots({ env, cwd: demo.cwd, home: demo.home });
	return createProgram({
		environment: { home: demo.home, cwd: demo.cwd, demo: true, keymap: KEYMAP, problems: [] },
		size: SIZE,
		catalog: openCatalog({
			sessionRoots,
			cacheDir: join(demo.home, "cache"),
			stateDir: join(demo.home, "state", "pi-grove"),
			processes: false,
		}),
		env,
		pi: { program: "pi", args: [] },
		sessionRoots,
		clock: Date.now,
		writeTerminal: (text) => written.push(text),
	});
}

const OTHER = "/another/project";

/** More than others write while a script is typed, unless the machine is so busy that the program would never be idle. */
const MOST_WRITES = 400;

/** Writes a session of another project again and again, and makes new ones. */
function writeOthers(demo: Demo): { stop(): void } {
	const directory = defaultSessionDir(OTHER, demo.agentDir);
	mkdirSync(directory, { recursive: true });
	let count = 0;
	const write = (): void => {
		if (count % 20 === 0) {
			const said = user("a", null, 1, `zzz ${count}`);
			writeFileSync(join(directory, `${count}.jsonl`), lines(header({ cwd: OTHER, id: `other-${count}` }), said));
		} else {
			appendFileSync(join(directory, "0.jsonl"), lines(assistant(`b${count}`, "a", 2, "zzz")));
		}
		count += 1;
		if (count === MOST_WRITES) clearInterval(timer);
	};
	const timer = setInterval(write, 5);
	write();
	return { stop: () => clearInterval(timer) };
}

function screenOf(state: State, demo: Demo): unknown {
	const { list, tree, overlays, focus, detail } = state;
	const row = state.catalog.rows.get(list.selected ?? "");
	const entry = selectedEntry(state);
	const line = detail.status === "ready" ? detail.session.lines.get(entry?.id ?? "") : undefined;
	return plain(
		{
			focus,
			query: list.query.text,
			filter: tree.query.text,
			selected: row && { title: row.name ?? row.firstMessage, cwd: row.cwd, messages: row.messageCount },
			entry: focus === "list" ? undefined : line,
			overlays: overlays.map((overlay) =>
				overlay.kind === "help" ? overlay.page : "title" in overlay ? overlay.title : overlay.kind,
			),
		},
		demo,
	);
}

function changesSince(before: ReadonlyMap<string, readonly string[]>, demo: Demo): unknown[] {
	const after = sessionShapes(demo);
	const changes = [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
		const [old, now] = [before.get(path), after.get(path)];
		if (now === undefined) return [`removed ${old?.slice(0, 2)}`];
		if (old === undefined) return [`made ${now.join("\n")}`];
		const appended = now.slice(old.length - 1).join("\n");
		return now.join("\n") === old.join("\n") ? [] : [`to ${old.slice(0, 2)}: ${appended}`];
	});
	return changes.sort();
}

/** The lines of every session file of the demo by its path, without the ids and times that differ from run to run. */
function sessionShapes(demo: Demo): Map<string, string[]> {
	const sessions = join(demo.agentDir, "sessions");
	const names = readdirSync(sessions, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
	const paths = names.map((name) => join(sessions, name));
	const own = paths.filter((path) => !path.startsWith(defaultSessionDir(OTHER, demo.agentDir)));
	return new Map(own.map((path) => [path, shapesOf(readFileSync(path, "utf8"), demo)]));
}

function shapesOf(text: string, demo: Demo): string[] {
	const numbers = new Map<unknown, number>();
	const numbered = (id: unknown): unknown => numbers.get(id) ?? id;
	return text.split("\n").map((line, index) => {
		try {
			const { id, timestamp: _, ...rest } = JSON.parse(line);
			numbers.set(id, index);
			for (const name of ["parentId", "targetId", "fromId"]) if (name in rest) rest[name] = numbered(rest[name]);
			return withoutHome(JSON.stringify(rest), demo);
		} catch {
			// Damaged on purpose.
			return line;
		}
	});
}

function plain(value: unknown, demo: Demo): unknown {
	return value === undefined ? undefined : JSON.parse(withoutHome(JSON.stringify(value), demo));
}

/** A demo is in another directory each time, which pi's names for its directories contain too. */
function withoutHome(text: string, { home }: Demo): string {
	return text
		.replaceAll(home, "~")
		.replaceAll(home.slice(1).replaceAll("/", "-"), "~")
		.replaceAll(/\d{4}-\d\d-\d\dT[\d-]+Z_[\da-f-]{36}\.jsonl/g, "session.jsonl");
}
