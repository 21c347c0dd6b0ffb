import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { ownCommandsEffects } from "../../../../src/app/features/own-commands/effects/own-commands-effects.ts";
import { withOwnCommands } from "../../../../src/app/features/own-commands/own-bindings.ts";
import { parseOwnCommands } from "../../../../src/app/features/own-commands/parse-own-commands.ts";
import { LatestWork, type RunTools } from "../../../../src/app/world/effects/runners.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { commandFor } from "../../../../src/app/world/state/binding.ts";
import type { Effect } from "../../../../src/app/world/state/effect.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { stateAfter } from "../../../support/listed-state.ts";
import { isAlive } from "../../../support/processes.ts";
import { makeRow, NOW } from "../../../support/rows.ts";
import { tempDir } from "../../../support/temp-dir.ts";

interface Written {
	readonly command: string;
	readonly output?: string;
	readonly on?: string;
}

/** A list of sessions, and the command that is asked for. */
function started(written: Written, rows = [makeRow("a", { name: "Alpha's" })]): State {
	const { commands, problems } = parseOwnCommands(JSON.stringify([{ name: "Mine", ...written }]), z);
	expect(problems).toEqual([]);
	const { keymap } = withOwnCommands(KEYMAP, commands);
	const environment = { home: "/home/me", cwd: "/home/me/project", demo: false, keymap, problems: [] };
	return stateAfter(
		initialState(environment, { columns: 100, rows: 30 }, NOW),
		{ type: "catalog", event: { type: "rows", rows } },
		{ type: "catalog", event: { type: "progress", read: rows.length, total: rows.length } },
	);
}

function choose(state: State): readonly [State, Effect] {
	const [next, effects] = commandFor(state, "own:Mine")?.run(state) ?? [state, []];
	const [effect] = effects;
	if (effect === undefined) throw new Error("nothing is run");
	return [next, effect];
}

/** The runners, and what they need of the browser. */
function runners(home = tempDir()) {
	const effects = ownCommandsEffects();
	const work = new LatestWork();
	const written: string[] = [];
	const lent: unknown[] = [];
	const tools = {
		disk: { home, cwd: home, env: { PATH: process.env.PATH, XDG_STATE_HOME: home }, clock: () => NOW },
		terminal: {
			write: (text: string) => written.push(text),
			lend: async (program: unknown) => {
				lent.push(program);
				return { code: 4 };
			},
		},
		latest: (run: Parameters<LatestWork["run"]>[0]) => work.run(run),
	} as unknown as RunTools;
	const run = async (effect: Effect): Promise<Action> => {
		if (effect.type !== "run-own-command") throw new Error(effect.type);
		const action = await effects["run-own-command"](effect, tools);
		if (action === undefined) throw new Error("it reports its end");
		return action;
	};
	const stop = () => effects["stop-own-command"]({ type: "stop-own-command" }, tools);
	return { run, stop, close: () => work.close(), written, lent, home };
}

async function messageAfter(written: Written): Promise<State["message"]> {
	const [state, effect] = choose(started(written));
	return stateAfter(state, await runners().run(effect)).message;
}

describe("what a command prints", () => {
	test("is a message, or a page that can be scrolled", async () => {
		expect(await messageAfter({ command: "printf '\\033[31m%s\\033[0m' {title}; echo; echo two" })).toMatchObject({
			text: "Alpha's two",
		});
		expect(await messageAfter({ command: ": {id}" })).toMatchObject({ text: "“Mine” is done" });
		const [state, effect] = choose(started({ command: "seq 1 500", output: "page" }));
		const page = stateAfter(state, await runners().run(effect));
		const seen = () => JSON.stringify(selectScreen(page).overlay);
		expect(page.overlays).toMatchObject([{ kind: "help", page: "output" }]);
		expect([seen().includes('"Mine"'), seen().includes('"26"'), seen().includes('"200"')]).toEqual([true, true, false]);
		const end = stateAfter(page, { type: "keys", keys: ["end"] });
		expect(JSON.stringify(selectScreen(end).overlay)).toContain('"500"');
		expect(stateAfter(end, { type: "keys", keys: ["escape"] }).overlays).toEqual([]);
	});

	test("is put on the clipboard, or nowhere", async () => {
		const own = runners();
		const [state, effect] = choose(started({ command: "echo {id}", output: "clipboard" }));
		const said = stateAfter(state, await own.run({ ...effect, ...{ cwd: "" } })).message?.text;
		expect(said).toContain("what “Mine” printed to the terminal's clipboard");
		expect(own.written).toHaveLength(1);
		expect(await messageAfter({ command: "true", output: "clipboard" })).toMatchObject({
			text: "“Mine” printed nothing to copy",
		});
		const [quiet, silent] = choose(started({ command: "echo {id}", output: "nothing" }));
		expect(await own.run(silent)).toEqual({ type: "own-command-ended", name: "Mine" });
		expect(stateAfter(quiet, { type: "own-command-ended", name: "Mine" }).overlays).toEqual([]);
	});

	test("has the terminal, and its exit code is said", async () => {
		const own = runners();
		const [state, effect] = choose(started({ command: "less {path}", output: "terminal" }));
		expect(stateAfter(state, await own.run(effect)).message?.text).toContain("“Mine” ended with exit code 4");
		expect(own.lent).toMatchObject([
			{ args: expect.arrayContaining([expect.stringMatching(/; less "\$\{1\}"$/), makeRow("a").path]) },
		]);
	});
});

test("a failure shows its exit code and the end of what it said", async () => {
	expect(await messageAfter({ command: "echo first >&2; echo 'no such host' >&2; exit 3" })).toEqual({
		text: "“Mine” failed: exit code 3: first no such host",
		tone: "error",
	});
	const long = await messageAfter({ command: "seq 1 3000 >&2; echo 'the last words' >&2; kill -9 $$" });
	expect(long?.text).toMatch(/^“Mine” failed: SIGKILL: ….*the last words$/);
	expect(long?.text.length).toBeLessThan(350);
	expect((await messageAfter({ command: "no-such-program-here" }))?.text).toContain("exit code 127");
});

test("escape stops a running command with all that it has started, and nothing else runs meanwhile", async () => {
	const own = runners();
	const pid = join(own.home, "pid");
	const [state, effect] = choose(started({ command: `sh -c 'echo $$ >${pid}; exec sleep 600' & wait` }));
	const ending = own.run(effect);
	expect(state.message?.text).toBe("Running “Mine”; esc stops it");
	expect(commandFor(state, "own:Mine")?.needs?.(state)).toContain("“Mine” is still running");
	await expect.poll(() => existsSync(pid) && readFileSync(pid, "utf8")).toMatch(/^\d+\n$/);
	const [, effects] = update(state, { type: "keys", keys: ["escape"] });
	expect(effects).toContainEqual({ type: "stop-own-command" });
	own.stop();
	const ended = stateAfter(state, await ending);
	expect(ended.message?.text).toBe("Stopped “Mine”");
	await expect.poll(() => isAlive(Number(readFileSync(pid, "utf8")))).toBe(false);
	expect(commandFor(ended, "own:Mine")?.needs?.(ended)).toBeUndefined();
});

test("leaving the browser ends it, and what stays in the background is not waited for", async () => {
	const own = runners();
	const [, effect] = choose(started({ command: "touch begun; exec sleep 600" }));
	const ending = own.run(effect);
	await expect.poll(() => existsSync(join(own.home, "begun"))).toBe(true);
	own.close();
	expect(await ending).toMatchObject({ type: "own-command-ended" });
	expect((await messageAfter({ command: "sleep 5 & echo ok" }))?.text).toBe("ok");
});

test("it runs in the session's directory, and in that of the browser where that is gone", async () => {
	const own = runners();
	const cwd = join(own.home, "it's here");
	mkdirSync(cwd);
	const inside = choose(started({ command: "pwd; : {id}" }, [makeRow("a", { cwd })]));
	expect(stateAfter(inside[0], await own.run(inside[1])).message?.text).toBe(cwd);
	const gone = choose(started({ command: "pwd; : {id}" }, [makeRow("a", { cwd: join(cwd, "gone") })]));
	expect(stateAfter(gone[0], await own.run(gone[1])).message?.text).toBe(own.home);
});

test("all marked sessions are its arguments", async () => {
	const own = runners();
	const rows = ["a", "b", "c"].map((name, age) => makeRow(name, { age }));
	const state = started({ command: "printf '%s\\n' {path} >all", on: "marked" }, rows);
	const marked = { ...state, list: { ...state.list, marked: new Set([rows[0]?.path ?? "", rows[2]?.path ?? ""]) } };
	await own.run(choose(marked)[1]);
	expect(readFileSync(join(own.home, "all"), "utf8")).toBe(`${rows[0]?.path}\n${rows[2]?.path}\n`);
});

test("without a session or a shell it says why", async () => {
	const state = started({ command: "echo {id}" }, []);
	expect(commandFor(state, "own:Mine")?.needs?.(state)).toBe("There is no session to run it on");
	const home = tempDir();
	writeFileSync(join(home, "sh"), "");
	const effects = ownCommandsEffects();
	const tools = { disk: { env: { PATH: home }, cwd: home } } as unknown as RunTools;
	const [, effect] = choose(started({ command: "echo {id}" }));
	if (effect.type !== "run-own-command") throw new Error(effect.type);
	expect(await effects["run-own-command"](effect, tools)).toMatchObject({
		message: { text: 'Cannot run “Mine”: there is no program "sh" on the PATH, which runs own commands' },
	});
});

test("the box of commands finds it by its name, under a heading of its own", () => {
	const opened = stateAfter(started({ command: "echo {id}" }), { type: "keys", keys: ["ctrl+k"] });
	const typed = stateAfter(opened, { type: "text", text: "mine" });
	const text = (state: State) => JSON.stringify(selectScreen(state).overlay);
	expect(text(typed)).toContain("1/");
	const [ran, effects] = update(typed, { type: "keys", keys: ["enter"] });
	expect(effects).toMatchObject([{ type: "run-own-command", name: "Mine" }]);
	expect(ran.overlays).toEqual([]);
	const all = stateAfter(opened, { type: "text", text: "own" });
	expect(text(all)).toContain("Mine");
});
