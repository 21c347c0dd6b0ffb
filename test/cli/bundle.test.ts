import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runAlone } from "../support/run.ts";
import { programPath, Sandbox } from "../support/sandbox.ts";

const dist = dirname(programPath);
const root = dirname(dist);

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

test("moving through rows segments no text that fits", async () => {
	for (let index = 0; index < 60; index++) {
		sandbox.session({ project: "work/api", age: index, name: `Session № ${index} – naïve`, messages: [] });
	}
	const counted = join(sandbox.home, "counted");
	const preload = join(sandbox.home, "count.mjs");
	writeFileSync(
		preload,
		`import { writeFileSync } from "node:fs";
		import { isMainThread } from "node:worker_threads";
		let calls = 0;
		const segment = Intl.Segmenter.prototype.segment;
		Intl.Segmenter.prototype.segment = function (text) {
			calls += 1;
			return segment.call(this, text);
		};
		if (isMainThread) process.on("SIGUSR2", () => { writeFileSync(${JSON.stringify(counted)}, String(calls)); calls = 0; });`,
	);
	const terminal = sandbox.start([], { columns: 160, rows: 45, nodeArgs: ["--import", preload] });
	await terminal.waitFor("1/60");
	const count = async (): Promise<number> => {
		writeFileSync(counted, "");
		terminal.signal("SIGUSR2");
		await expect.poll(() => readFileSync(counted, "utf8")).not.toBe("");
		return Number(readFileSync(counted, "utf8"));
	};
	await count();
	for (let step = 2; step <= 12; step++) {
		terminal.press("down");
		await terminal.waitFor(`${step}/60`);
	}
	// Without the pieces that esbuild.config.mjs replaces, Ink segments each text on the screen, hundreds a key.
	expect(await count()).toBe(0);
	// The counter sees calls at all.
	terminal.type("№");
	await terminal.waitFor("1/60");
	await expect.poll(count).toBeGreaterThan(0);
});

test("the workers are beside the program, and the rest is loaded only when it is needed", () => {
	const names = readdirSync(dist);
	expect(names).toEqual(
		expect.arrayContaining([
			"cli.js",
			"index.js",
			"scan-helper.js",
			"scan-worker.js",
			"search-worker.js",
			"store-worker.js",
			"demo",
		]),
	);
	for (const later of ["chokidar", "lex-markdown", "highlight-code", "compare-text"]) {
		expect(names.filter((name) => name.startsWith(`${later}-`) && name.endsWith(".js"))).not.toHaveLength(0);
	}
	const first = readFileSync(programPath, "utf8");
	expect(first.length).toBeLessThan(2000);
	expect(first.startsWith("#!/usr/bin/env node\n")).toBe(true);
});

/** The files of the bundle that are loaded with one of them, itself included. */
function loadedWith(name: string, loaded: Set<string> = new Set()): Set<string> {
	if (loaded.has(name)) return loaded;
	loaded.add(name);
	const imports = readFileSync(join(dist, name), "utf8").matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g);
	for (const [, imported = ""] of imports) loadedWith(imported, loaded);
	return loaded;
}

test("the browser, and what a shell waits for, are few files, and no schema is among them", () => {
	for (const name of ["browse.js", "pick.js", "list.js", "search.js", "complete.js"]) {
		const loaded = [...loadedWith(name)];
		expect(loaded.length, `${name}: ${loaded.join(", ")}`).toBeLessThan(9);
		for (const file of loaded) expect(readFileSync(join(dist, file), "utf8"), file).not.toContain("ZodObject");
	}
});

test("the library can be imported by another package", () => {
	const packages = join(sandbox.home, "node_modules");
	mkdirSync(packages);
	symlinkSync(root, join(packages, "pi-grove"));
	writeFileSync(
		join(sandbox.home, "use.mjs"),
		'import { SessionManager } from "pi-grove"; console.log(typeof SessionManager.inMemory("/x").getLeafId);',
	);
	const run = spawnSync(process.execPath, ["use.mjs"], { cwd: sandbox.home, encoding: "utf8" });
	expect(run).toMatchObject({ status: 0, stdout: "function\n", stderr: "" });
});

test("compiled code is kept beside the index from the second start on, and only that of this version", () => {
	sandbox.session({ project: "work/api", age: 1, name: "Here", messages: [] });
	const cacheDir = join(sandbox.home, "cache", "pi-grove");
	const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	const list = (): void => {
		const { code, out, err } = runAlone(sandbox, ["list"], { NODE_COMPILE_CACHE: undefined });
		expect({ code, err }).toEqual({ code: 0, err: "" });
		expect(out).toContain("Here");
	};
	const kept = (): string[] => readdirSync(cacheDir).filter((name) => name.startsWith("code-"));
	list();
	expect(kept()).toEqual([]);
	mkdirSync(join(cacheDir, "code-0.0.1", "v24"), { recursive: true });
	list();
	expect(kept()).toEqual([`code-${version}`]);
	const compiled = readdirSync(join(cacheDir, `code-${version}`), { recursive: true });
	expect(compiled.length).toBeGreaterThan(1);
	// Where it cannot be kept, nothing is said.
	rmSync(join(cacheDir, `code-${version}`), { recursive: true });
	writeFileSync(join(cacheDir, `code-${version}`), "a file");
	list();
});
