import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { NO_QUERY } from "../../../src/catalog/query/parse-query.ts";
import { isRunning } from "../../../src/shared/system.ts";
import { ripgrepOnFailingDisk } from "../../support/failing-disk.ts";
import { answeringBy, ended, fakeSsh, ROW } from "../../support/fake-ssh.ts";
import { header, lines, user } from "../../support/session-builder.ts";
import { startAllPlaces } from "../../support/start-all-places.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const MINI = { name: "mini", ssh: "mini.local" };
const OTHER = { name: "other", ssh: "other.local" };
const session = (id: string, ...texts: readonly string[]): string =>
	lines(
		header({ id, cwd: "/work" }),
		...texts.map((text, index) => user(`a${index}`, index === 0 ? null : `a${index - 1}`, index + 1, text)),
	);

test("two directories: nothing is read until somebody wants to see them; then listed, followed, searched and read", async () => {
	const [one, two] = [tempAgentDir(), tempAgentDir()];
	const path = one.write("--p--/one.jsonl", session("id-1", "Find the zebra."));
	two.write("--p--/two.jsonl", session("id-2", "A zebra, too."));
	const app = startAllPlaces({
		places: [
			{ name: "old", dir: one.agent },
			{ name: "older", dir: two.agent },
		],
	});
	expect(app.state()).toMatchObject({
		paths: [],
		states: [{ name: "old", phase: "unasked", count: 0 }, { name: "older" }],
	});
	app.all.reach(true);
	await app.until("both lists", () => app.state().states.every(({ phase }) => phase === "listed"));
	await app.until("their rows", () => app.rows.size === 2 && app.counts.size === 2);
	expect(app.rows.get(`old:${path}`)).toMatchObject({ place: "old", id: "id-1", firstMessage: "Find the zebra." });
	const search = app.search("zebra");
	app.here.find({ type: "settled", watched: 0, inForms: false });
	await search.until("what both find", () => search.results.size === 2 && search.settled() === 0);
	app.all.watchVisible(["/here.jsonl", `old:${path}`], 1);
	expect(app.here.asked.visible).toEqual(["/here.jsonl"]);
	await search.until("the counts of what is visible", () => search.settled() === 1);
	expect(search.results.get(`old:${path}`)).toMatchObject({ count: 1, more: false });
	// None of them is visible any more; then those of the other one are.
	app.all.watchVisible([], 2);
	await search.until("nothing visible", () => search.settled() === 2);
	app.all.watchVisible(
		[...search.results.keys()].filter((one_) => one_.startsWith("older")),
		3,
	);
	await search.until("another one visible", () => search.settled() === 3);
	const { signal } = new AbortController();
	// A directory is on this machine: nothing is copied.
	expect(await app.all.fileOf(`old:${path}`, signal)).toBe(path);
	appendFileSync(path, lines(user("b1", "a0", 9, "And a lion.")));
	await app.until("what was appended", () => app.rows.get(`old:${path}`)?.messageCount === 2);
	rmSync(path);
	await app.until("what is gone", () => !app.rows.has(`old:${path}`));
	await expect(app.all.fileOf(`old:${path}`, signal)).rejects.toThrow("old: the session is no longer listed there");
	expect(() => app.all.resumeThere(`old:${path}`, undefined)).toThrow("the sessions of old are read-only");
	search.stop();
});

test("rows of the last time are there first, with their age; then what has changed since, and what is gone", async () => {
	const ssh = fakeSsh(
		answeringBy(
			`on.list = (id) => list(id, row({ path: "/s/1.jsonl", id: "1" }), row({ path: "/s/2.jsonl", id: "2" }));`,
		),
	);
	const first = startAllPlaces({ ssh, places: [MINI] });
	first.all.reach(true);
	await first.until("the list", () => first.place("mini")?.phase === "listed" && first.rows.size === 2);
	expect(first.place("mini")?.asOfMs).toBeUndefined();
	await first.all.close();
	// It answers when the test says so.
	ssh.write(
		answeringBy(`
			const { existsSync } = require("node:fs");
			on.list = (id) => {
				const wait = setInterval(() => {
					if (!existsSync("go")) return;
					clearInterval(wait);
					list(id, row({ path: "/s/2.jsonl", id: "2", messageCount: 9, live: true }), { path: "x" });
				}, 5);
			};`),
	);
	const second = startAllPlaces({ ssh, places: [MINI] });
	second.all.reach(true);
	await second.until("the rows of the last time", () => second.rows.size === 2);
	expect(second.place("mini")).toMatchObject({ phase: "asking", count: 2, asOfMs: expect.any(Number) });
	writeFileSync(join(ssh.dir, "go"), "");
	await second.until("the present list", () => second.place("mini")?.phase === "listed" && second.rows.size === 1);
	expect(second.rows.get("mini:/s/2.jsonl")).toMatchObject({ messageCount: 9, place: "mini" });
	expect(second.place("mini")?.asOfMs).toBeUndefined();
	expect(second.live()).toEqual([["mini:/s/2.jsonl", [{ kind: "there", place: "mini" }]]]);
	expect(second.state().problems).toEqual([
		"mini: 1 of its sessions could not be understood; pi-grove may be newer there than here.",
	]);
});

test.each([
	["of another machine", (text: string) => text.replace("mini.local", "other.local")],
	["that is cut off", (text: string) => text.slice(0, -20)],
	["with a damaged line", (text: string) => text.replace('"size":10', '"size":"ten"')],
])("a kept list %s is not used", async (_, damage) => {
	const ssh = fakeSsh(answeringBy("on.list = (id) => list(id, row());"));
	const first = startAllPlaces({ ssh, places: [MINI] });
	first.all.reach(true);
	await first.until("the list", () => first.place("mini")?.phase === "listed");
	await first.all.close();
	const kept = join(ssh.dir, "cache", "places", "mini.jsonl");
	expect(statSync(kept).mode & 0o777).toBe(0o600);
	writeFileSync(kept, damage(readFileSync(kept, "utf8")));
	ssh.write("echo gone >&2; exit 1");
	const second = startAllPlaces({ ssh, places: [MINI] });
	second.all.reach(true);
	await second.until("the failure", () => second.place("mini")?.phase === "failed");
	expect(second.place("mini")).toMatchObject({ count: 0, reason: "mini: gone" });
});

test("a host is listed again while it is wanted: what is new, has changed, or is gone", async () => {
	const ssh = fakeSsh(
		answeringBy(`
			const lists = [[row()], [row()], [row({ messageCount: 3 }), row({ path: "/s/two.jsonl", id: "2" })], []];
			on.list = (id) => list(id, ...(lists.length > 1 ? lists.shift() : lists[0]));`),
	);
	const app = startAllPlaces({ ssh, places: [MINI] });
	app.all.reach(true);
	// The second list is the one with everything counted.
	await app.until("the list", () => app.place("mini")?.phase === "listed");
	await vi.waitFor(async () => {
		await app.all.refresh();
		expect(app.rows.size).toBe(2);
	});
	expect(app.rows.get("mini:/s/one.jsonl")?.messageCount).toBe(3);
	await vi.waitFor(async () => {
		await app.all.refresh();
		expect(app.rows.size).toBe(0);
	});
});

test("a lost connection is told, its rows stay, and it is tried again when it is wanted", async () => {
	const ssh = fakeSsh(
		answeringBy(`
		on.list = (id) => {
			send({ id, err: "pi-grove: a disk is full\\n" });
			list(id, row({ id: "1", live: true }));
		};
		on.search = () => { process.stderr.write("client_loop: send disconnect: Broken pipe"); process.exit(255); };`),
	);
	const app = startAllPlaces({ ssh, places: [MINI] });
	app.all.reach(true);
	await app.until("what is in use there", () => app.live().length === 1);
	await app.until("its problem", () => app.state().problems.includes("mini: a disk is full"));
	const search = app.search("zebra");
	app.here.find({ type: "settled", watched: 0, inForms: false });
	await search.until("the end of the search", () => search.settled() === 0);
	// It is seen by whoever asks next.
	await app.all.refresh();
	await app.until("the reason", () => app.place("mini")?.phase === "failed" || app.rows.size === 0);
	expect(app.place("mini")).toMatchObject({
		reason: "mini: client_loop: send disconnect: Broken pipe",
		count: 1,
		asOfMs: expect.any(Number),
	});
	expect(app.live()).toEqual([]);
	expect([...app.rows.keys()]).toEqual(["mini:/s/one.jsonl"]);
	// Whatever becomes visible: the search has settled for it when this machine has.
	app.all.watchVisible(["mini:/s/one.jsonl"], 1);
	await search.until("an answer about what is visible", () => search.settled() === 1);
	await ended(ssh.pid());
	ssh.write(
		answeringBy(`on.list = (id) => list(id, row({ id: "1", messageCount: 7 })); on.search = (id) => list(id);`),
	);
	await app.all.refresh();
	await app.until(
		"the list again",
		() => app.place("mini")?.phase === "listed" && app.rows.get("mini:/s/one.jsonl")?.messageCount === 7,
	);
	expect(app.place("mini")?.reason).toBeUndefined();
});

const FINDS = `on.list = (id) => list(id, row({ id: "1" })); on.search = (id) => list(id, result("/s/one.jsonl"));`;

test("at rest no process is left; awake it goes on, and is searched again", async () => {
	const ssh = fakeSsh(answeringBy(FINDS));
	const app = startAllPlaces({ ssh, places: [MINI, OTHER] });
	app.all.reach(true);
	await app.until("both lists", () => app.state().states.every(({ phase }) => phase === "listed"));
	const search = app.search("zebra");
	app.here.find({ type: "settled", watched: 0, inForms: false });
	await search.until("what both have", () => search.results.size > 0 && search.settled() === 0);
	expect(ssh.pids()).toHaveLength(2);
	await app.all.rest();
	for (const pid of ssh.pids()) await ended(pid);
	search.results.clear();
	await app.all.wake();
	await search.until("what both have, again", () => search.results.size > 0);
	expect(ssh.pids()).toHaveLength(4);
	await app.all.close();
	for (const pid of ssh.pids()) await ended(pid);
	// Nobody wants to see them: they are not asked after the next rest.
	const calm = startAllPlaces({ ssh, places: [MINI] });
	await calm.all.rest();
	await calm.all.wake();
	await calm.all.refresh();
	expect(ssh.pids()).toHaveLength(4);
});

test("a place that nobody wants to see any more is left alone; its rows stay until it has answered again", async () => {
	const ssh = fakeSsh(answeringBy(FINDS));
	const app = startAllPlaces({ ssh, places: [MINI] });
	app.all.reach(true);
	await app.until("its list", () => app.place("mini")?.phase === "listed");
	app.all.reach(false);
	await ended(ssh.pid());
	await app.until("its state", () => app.place("mini")?.phase === "unasked");
	expect(app.place("mini")).toMatchObject({ count: 1, asOfMs: expect.any(Number) });
	expect([...app.rows.keys()]).toEqual(["mini:/s/one.jsonl"]);
	// However fast somebody goes on and comes back, one process asks it.
	for (const isWanted of [true, false, true, false, true]) app.all.reach(isWanted);
	await app.until("its list again", () => app.place("mini")?.phase === "listed");
	expect(app.place("mini")?.asOfMs).toBeUndefined();
	await vi.waitFor(() => expect(ssh.pids().filter(isRunning)).toHaveLength(1), { timeout: 20_000 });
});

test.each([
	["that says nothing", "exec sleep 60"],
	["that ignores being asked to end", "trap '' TERM; while :; do sleep 0.1; done"],
])("closing while it connects to a machine %s ends its process", async (_, script) => {
	const ssh = fakeSsh(script);
	const app = startAllPlaces({ ssh, places: [MINI] });
	app.all.reach(true);
	await vi.waitFor(() => expect(existsSync(join(ssh.dir, "pid"))).toBe(true), { timeout: 10_000 });
	await app.all.close();
	await ended(ssh.pid());
});

test("places that are added, changed or removed come and go, also in a search", async () => {
	const ssh = fakeSsh(
		answeringBy(`
		on.list = (id) => list(id, row({ id: "1", path: "/s/" + process.pid + ".jsonl" }));
		on.search = (id) => list(id);`),
	);
	const app = startAllPlaces({ ssh, places: [MINI] });
	app.all.reach(true);
	await app.until("its list", () => app.place("mini")?.phase === "listed" && app.rows.size === 1);
	const [before = ""] = app.rows.keys();
	const search = app.search("zebra");
	app.here.find({ type: "settled", watched: 0, inForms: false });
	await search.until("the end", () => search.settled() === 0);
	await vi.waitFor(() => expect(existsSync(join(ssh.dir, "cache", "places", "mini.jsonl"))).toBe(true));
	// Another machine under the same name: nothing of the first one is shown, and it takes part in the search.
	search.events.length = 0;
	app.put([{ ...MINI, ssh: "elsewhere" }, OTHER]);
	app.all.reload();
	expect(app.rows.has(before)).toBe(false);
	await app.until(
		"their lists",
		() => app.state().states.length === 2 && app.state().states.every(({ phase }) => phase === "listed"),
	);
	await search.until("the end of all", () => search.settled() === 0);
	expect(ssh.pids()).toHaveLength(3);
	await ended(ssh.pids()[0] ?? 0);
	app.put([OTHER]);
	app.all.reload();
	await app.until(
		"one place",
		() => app.state().states.length === 1 && [...app.rows.keys()].every((path) => path.startsWith("other:")),
	);
	await vi.waitFor(() => expect(ssh.pids().filter(isRunning)).toHaveLength(1), { timeout: 20_000 });
	await vi.waitFor(() => expect(existsSync(join(ssh.dir, "cache", "places", "mini.jsonl"))).toBe(false));
	// What a removed place had is a path of nothing here.
	const { signal } = new AbortController();
	await expect(app.all.fileOf(before, signal)).rejects.toThrow("mini is no longer a place");
	expect(() => app.all.resumeThere(before, undefined)).toThrow("mini is no longer a place");
	await app.all.changed([before, "/here.jsonl"]);
	app.all.watchVisible([before, "/here.jsonl"], 5);
	expect(app.here.asked).toEqual({ visible: ["/here.jsonl"], changed: ["/here.jsonl"] });
	writeFileSync(app.file, "{");
	app.all.reload();
	await app.until("what is wrong with the file", () =>
		app.state().problems.some((problem) => problem.includes("places.json")),
	);
	expect(app.state().states).toEqual([]);
	expect(app.rows.size).toBe(0);
});

test("a place that connects during a search joins it; one that cannot be reached does not keep it unsettled", async () => {
	const ssh = fakeSsh(answeringBy(FINDS));
	const app = startAllPlaces({ ssh, places: [MINI, { name: "gone", dir: join(ssh.dir, "nothing") }] });
	const search = app.search("zebra is:named");
	app.here.find({ type: "progress", searched: 3, total: 3 });
	app.here.find({ type: "settled", watched: 0, inForms: false });
	expect(search.settled()).toBe(0);
	app.all.reach(true);
	await search.until("what it has", () => search.results.has("mini:/s/one.jsonl"));
	await search.until("the sum", () =>
		search.events.some((event) => event.type === "progress" && event.searched === 4 && event.total === 4),
	);
	await app.until("the reason", () => app.place("gone")?.phase === "failed");
	expect(app.place("gone")?.reason).toMatch(/^gone: .*nothing cannot be read: it does not exist/);
	expect(app.place("mini")?.reason).toBeUndefined();
});

test("what is searched for beside a search ends with it, and is then not known", async () => {
	const ssh = fakeSsh(
		answeringBy(`on.list = (id) => list(id, row({ id: "1" }));
			on.search = (id, args) => { if (args.at(-1) !== "slow") list(id, result("/s/one.jsonl")); };`),
	);
	const app = startAllPlaces({ ssh, places: [MINI] });
	app.all.reach(true);
	await app.until("its list", () => app.place("mini")?.phase === "listed");
	const one = { paths: new Set(["/here.jsonl"]), inForms: false };
	app.here.catalog.searchEach = async (queries) => queries.map(() => one);
	const queries = ["quick", "slow"].map((text) => ({ ...NO_QUERY, text }));
	const first = app.search("zebra");
	const answers = app.all.searchEach(queries);
	await first.until("an answer", () => first.results.size > 0);
	app.search("horse");
	expect(await answers).toEqual([{ paths: new Set(["/here.jsonl", "mini:/s/one.jsonl"]), inForms: false }]);
});

test("the same session here and there is one row, of this machine while it has it", async () => {
	const ssh = fakeSsh(answeringBy(`on.list = (id) => list(id, row({ id: "same", size: 999 }));`));
	const app = startAllPlaces({ ssh, places: [MINI] });
	const here = { ...ROW, id: "same", path: "/here.jsonl", created: new Date(1), modified: new Date(2) };
	app.here.emit({ type: "rows", rows: [here] });
	app.all.reach(true);
	await app.until("where else it is", () => app.rows.get("/here.jsonl")?.alsoIn?.[0] === "mini");
	expect([...app.rows.keys()]).toEqual(["/here.jsonl"]);
	app.here.emit({ type: "gone", paths: ["/here.jsonl"] });
	expect([...app.rows.keys()]).toEqual(["mini:/s/one.jsonl"]);
	app.here.emit({ type: "rows", rows: [here] });
	expect([...app.rows.keys()]).toEqual(["/here.jsonl"]);
});

test("a search of a directory names what could not be read there", async () => {
	const old = tempAgentDir();
	const [read = "", unread = ""] = ["read", "unread"].map((id) =>
		old.write(`--p--/${id}.jsonl`, session(id, "A zebra.")),
	);
	vi.stubEnv("PI_GROVE_RG", await ripgrepOnFailingDisk(old.base, unread));
	onTestFinished(() => void vi.unstubAllEnvs());
	const app = startAllPlaces({ places: [{ name: "old", dir: old.agent }] });
	app.all.reach(true);
	await app.until("its list", () => app.place("old")?.phase === "listed");
	const search = app.search("zebra");
	app.here.find({ type: "settled", watched: 0, inForms: false });
	await search.until("the end", () => search.settled() === 0);
	expect(search.results.has(`old:${read}`)).toBe(true);
	const reasons = search.events.flatMap((event) => (event.type === "unread" ? [...event.reasons] : []));
	expect(new Map(reasons)).toEqual(new Map([[`old:${unread}`, "a part of it cannot be read"]]));
});
