import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEYMAP } from "../../src/app/core/keys/keymap.ts";
import { damagedSessions } from "../../src/app/features/maintenance/damaged-sessions.ts";
import { goneGroups } from "../../src/app/features/maintenance/gone-groups.ts";
import { DOCTOR } from "../../src/app/features/maintenance/maintenance-state.ts";
import { withOwnCommands } from "../../src/app/features/own-commands/own-bindings.ts";
import { STATS_SUM } from "../../src/app/features/statistics/stats-rows.ts";
import { fatesIn } from "../../src/app/world/list/gone-directories.ts";
import { isSearched, selectList } from "../../src/app/world/list/select-list.ts";
import { commandFor } from "../../src/app/world/state/binding.ts";
import type { State } from "../../src/app/world/state/state.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { isCurrent } from "../support/queries.ts";
import { assistant, header, lines, user } from "../support/session-builder.ts";
import { type Driver, startProgram, toScope } from "../support/start-program.ts";
import { tempAgentDir } from "../support/temp-dir.ts";

/** An agent directory with a session of a directory that is on no machine. */
function place() {
	const agentDir = tempAgentDir();
	const path = agentDir.write(
		"--w--/far.jsonl",
		lines(
			header({ id: "0198-far", cwd: "/not/on/this/machine" }),
			user("a1", null, 1, "A quagga far away."),
			assistant("a2", "a1", 2, "It is extinct."),
			user("a3", "a2", 3, "Why?"),
			assistant("a4", "a3", 4, "Nobody noticed."),
		),
	);
	return { ...agentDir, path };
}

/** The reason why a command cannot be used now, or what it said when it was used. */
function refusal(driver: Driver, id: string): string | undefined {
	const state = driver.program.getState();
	const binding = commandFor(state, id);
	if (binding === undefined) throw new Error(`there is no command ${id} here`);
	const reason = binding.needs?.(state);
	if (reason !== undefined) return reason;
	driver.press(id);
	const { message, overlays } = driver.program.getState();
	return overlays.length > 0 ? undefined : message?.text;
}

const titles = (state: State): string[] => selectList(state).rows.map(({ row }) => row.firstMessage);

const titleOf = (overlay: State["overlays"][number] | undefined): string =>
	overlay?.kind === "menu" ? overlay.title : "";

test("from this directory to everywhere; a session there is found, read to its end, and followed; nothing in it is changed", async () => {
	const far = place();
	const before = fingerprint(far.path);
	const driver = await startProgram(undefined, {
		places: {
			list: [
				{ name: "far", dir: far.agent },
				{ name: "lost", dir: join(far.base, "lost") },
			],
		},
	});
	const { catalog: own } = driver.program.getState();
	expect(own.places.map(({ phase }) => phase)).toEqual(["unasked", "unasked"]);
	toScope(driver, "everywhere");
	await driver.until("the list of the place, and that the other one has failed", ({ catalog }) =>
		catalog.places.every(({ phase }) => phase === "listed" || phase === "failed"),
	);
	await driver.select("A quagga");
	const path = `far:${far.path}`;
	expect(driver.program.getState().list.selected).toBe(path);
	expect(driver.program.getState().catalog.rows.size).toBe(own.rows.size + 1);
	await driver.until("its tree", ({ detail }) => detail.session?.tree.leafId === "a4");
	expect(driver.program.getState().detail.session?.path).toBe(path);

	// It grows while it is open, and the tree follows: the entries that were there are the same objects.
	const first = driver.program.getState().detail.session?.entries[0];
	appendFileSync(far.path, lines(user("a5", "a4", 5, "One more.")));
	await driver.until("the new entry", ({ detail }) => detail.session?.tree.leafId === "a5");
	expect(driver.program.getState().detail.session?.entries[0]).toBe(first);
	const grown = fingerprint(far.path);
	expect(grown).not.toEqual(before);

	// Its hits, in the list and in the tree.
	driver.type("quagga");
	await driver.until("the answer", (state) => isSearched(state) && titles(state).length === 1);
	await driver.until("the hits in the tree", ({ tree }) => tree.hits?.path === path && tree.hits.complete === true);
	expect(driver.program.getState().tree.hits?.shown).toBe("a1");
	driver.press("back");

	// Whatever would change it, or run something on it here, is refused with the reason.
	await driver.select("A quagga");
	await driver.idle();
	const onlyRead = /read-only/;
	for (const id of ["rename", "delete", "archive", "label", "check", "forward", "move-project"])
		expect(refusal(driver, id), id).toMatch(onlyRead);
	driver.press("branch");
	await driver.until("the question", ({ overlays }) => titleOf(overlays.at(-1)) === "Bring this session here from far");
	driver.press("cancel");
	expect(refusal(driver, "resume-in-window")).toMatch(/read-only|tmux/);
	driver.press("resume");
	const resumed = await driver.until("why not", ({ message }) => /are read-only/.test(message?.text ?? ""));
	expect(resumed.message?.text).toContain("pi uses another directory here");
	driver.press("next-pane");
	await driver.until("the focus in the tree", ({ focus }) => focus === "tree");
	for (const id of ["label", "rename", "delete", "check"]) expect(refusal(driver, id), id).toMatch(onlyRead);
	driver.press("previous-pane");

	// What changes nothing there is allowed.
	driver.press("pin");
	await driver.until("the pin", ({ marks }) => marks.pinned.has("0198-far"));
	driver.press("copy-path");
	const copied = await driver.until("the copy", ({ message }) => /the path/.test(message?.text ?? ""));
	expect(copied.message?.text).not.toMatch(onlyRead);
	driver.press("mark");
	expect(driver.program.getState().list.marked.has(path)).toBe(true);

	// Here it is not, nor is it marked for anything that is done here; and back again it is.
	toScope(driver, "all");
	await driver.idle();
	expect(driver.program.getState().catalog.rows.has(path)).toBe(false);
	expect(titles(driver.program.getState())).not.toContain("A quagga far away.");
	toScope(driver, "everywhere");
	await driver.until("it again", ({ catalog }) => catalog.rows.has(path));
	expect(fingerprint(far.path)).toEqual(grown);
});

test("pages about this machine say nothing of other places", async () => {
	const far = place();
	far.write("--w--/damaged.jsonl", `${lines(header({ id: "0198-bad", cwd: "/gone/too" }))}{"half`);
	const driver = await startProgram(undefined, { places: { list: [{ name: "far", dir: far.agent }] } });
	const goneNow = () => {
		const state = driver.program.getState();
		return goneGroups(state.catalog.here, fatesIn(state)).map(({ key }) => key);
	};
	const goneBefore = goneNow();
	toScope(driver, "everywhere");
	await driver.until("the list", ({ catalog }) => catalog.rows.values().some(({ place }) => place === "far"));
	await driver.idle();
	driver.press("maintenance");
	await driver.until("the page", ({ overlays }) => overlays.at(-1)?.kind === "maintenance");
	driver.press("check-all");
	await driver.until("the check", (state) => DOCTOR.of(state).examined.size > 0);
	expect(goneNow()).toEqual(goneBefore);
	const { examined } = DOCTOR.of(driver.program.getState());
	expect([...examined.keys()].filter((path) => path.startsWith("far:"))).toEqual([]);
	const { here } = driver.program.getState().catalog;
	expect(damagedSessions(here, examined).some(({ row }) => row.place !== undefined)).toBe(false);
	driver.press("cancel", "stats");
	const sum = await driver.until("the sum", (state) => isCurrent(STATS_SUM, state));
	// These are of what is listed, each place by itself.
	expect(STATS_SUM.of(sum).value?.places?.map(({ name, sessions }) => [name, sessions])).toEqual([
		["here", 14],
		["far", 2],
	]);
});

test("a command of the person runs on no session of another place, and in no directory that one names", async () => {
	const far = place();
	const driver = await startProgram(undefined, { places: { list: [{ name: "far", dir: far.agent }] } });
	toScope(driver, "everywhere");
	await driver.until("the list", ({ catalog }) => catalog.rows.has(`far:${far.path}`));
	await driver.select("A quagga");
	const state = driver.program.getState();
	const shared = {
		synonyms: "",
		written: "touch ran",
		key: undefined,
		output: "message",
		template: ["touch ran"],
	} as const;
	const { keymap } = withOwnCommands(
		KEYMAP,
		(["session", "entry", "marked", "nothing"] as const).map((on) => ({ ...shared, on, name: on })),
	);
	const reasonOf = (on: string, now: State) => keymap.find(({ id }) => id === `own:${on}`)?.needs?.(now);
	for (const on of ["session", "marked"]) expect(reasonOf(on, state), on).toMatch(/read-only/);
	expect(reasonOf("nothing", state)).toBeUndefined();
	driver.press("next-pane");
	await driver.until("the focus in the tree", ({ focus }) => focus === "tree");
	expect(reasonOf("entry", driver.program.getState())).toMatch(/read-only/);
});

test("what two places and this machine have in common is one row, marked once, and changed only here", async () => {
	const far = place();
	const driver = await startProgram(undefined, {
		places: {
			list: [
				{ name: "far", dir: far.agent },
				{ name: "copy", dir: far.agent },
			],
		},
	});
	const [path = ""] = driver.program.getState().catalog.rows.keys();
	const copy = far.write("--w--/copy.jsonl", readFileSync(path));
	toScope(driver, "everywhere");
	const state = await driver.until("where it is, too", ({ catalog }) => catalog.rows.get(path)?.alsoIn?.length === 2);
	expect([...state.catalog.rows.keys()].filter((one) => one.endsWith(copy))).toEqual([]);
	expect(state.catalog.rows.get(path)?.alsoIn?.toSorted()).toEqual(["copy", "far"]);
	driver.type("place:copy ");
	await driver.until("those of the place", (now) => isSearched(now) && titles(now).length === 2);
});
