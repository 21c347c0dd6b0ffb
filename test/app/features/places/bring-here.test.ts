import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLACES_EFFECTS } from "../../../../src/app/features/places/effects/places-effects.ts";
import type { RunTools } from "../../../../src/app/world/effects/runners.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { commandFor } from "../../../../src/app/world/state/binding.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { noteGit } from "../../../../src/catalog/git/git-notes.ts";
import { readDirectly } from "../../../../src/store/files/disk-read.ts";
import { GitRepository } from "../../../support/git-repository.ts";
import { keys, rows, run, start } from "../../../support/listed-state.ts";
import { LISTED, makeRow } from "../../../support/rows.ts";
import { tempDir } from "../../../support/temp-dir.ts";

const OWN = "/Users/sam/workspaces/pi-mono";

/** Projects of this machine: two that may be that of the session, one that is gone, and another one. */
async function projectsIn(home: string): Promise<readonly string[]> {
	const projects = ["work/pi-mono", "src/pi", "gone/pi-mono", "web"].map((name) => join(home, name));
	const clone = new GitRepository(join(home, "src/pi"));
	clone.git("remote", "add", "origin", "https://github.com/x/pi-mono.git");
	for (const name of ["work/pi-mono", "web"]) mkdirSync(join(home, name), { recursive: true });
	const env = { XDG_STATE_HOME: join(home, "state") };
	await noteGit(projects, { env, home, readDisk: readDirectly, clock: Date.now });
	return projects;
}

const menuIn = ({ overlays }: State) => {
	const top = overlays.at(-1);
	if (top?.kind !== "menu") return undefined;
	return { items: top.items, lines: top.body.map((line) => line.map(({ text }) => text).join("")) };
};

test("a directory that is not on this machine is said and not offered; projects that may be the same are", async () => {
	const home = realpathSync(tempDir());
	const far = makeRow("far", { age: 1, path: "mini:/s/far.jsonl", place: "mini", cwd: OWN });
	const here = (await projectsIn(home)).map((cwd, at) => makeRow(`p${at}`, { age: 2 + at, cwd }));
	const environment = { ...start.environment, home, cwd: join(home, "web") };
	const first = { ...start, environment, list: { ...start.list, scope: "everywhere" as const } };
	const listed = run(first, rows(far, ...here), LISTED).state;
	const onFar = run({ ...listed, list: { ...listed.list, selected: far.path } }, { type: "tick", now: listed.now });
	const [state, effects] = commandFor(onFar.state, "branch")?.run(onFar.state) ?? [onFar.state, []];
	const effect = effects.find(({ type }) => type === "find-home");
	if (effect?.type !== "find-home") throw new Error("the disk is not asked");

	const disk = { env: { XDG_STATE_HOME: join(home, "state") }, home, readDisk: readDirectly };
	const found = await PLACES_EFFECTS["find-home"](effect, { disk } as unknown as RunTools);
	const asked = run(state, found as Action).state;
	expect(menuIn(asked)?.lines).toContain(`${OWN} (not on this machine)`);
	expect(menuIn(asked)?.items.map(({ label }) => label)).toEqual([
		"Copy it into ~/work/pi-mono",
		"Copy it into ~/src/pi",
		"Copy it into another directory…",
		"Copy it into ~/web",
		"Cancel",
	]);

	const typing = run(asked, keys("down", "down", "enter")).state;
	const typed = run(typing, { type: "text", text: "~/work/ne" }, keys("enter"));
	const check = typed.effects.find(({ type }) => type === "check-destination");
	if (check?.type !== "check-destination") throw new Error("the directory is not looked for");
	expect(check.directory).toBe(join(home, "work/ne"));
	const checked = { type: "destination-checked", directory: check.directory, destination: check.destination } as const;
	const refused = run(typed.state, { ...checked, fate: { kind: "gone" } }).state;
	expect(refused.message?.text).toBe("There is no directory ~/work/ne");
	const chosen = run(typed.state, { ...checked, fate: { kind: "there", real: "" } }).state;
	expect(menuIn(chosen)?.items[0]).toMatchObject({
		label: "Copy it into ~/work/ne",
		effect: { type: "bring-here", path: far.path, cwd: join(home, "work/ne") },
	});
});
