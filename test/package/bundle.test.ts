import { spawnSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { runAlone } from "../support/run.ts";
import { programPath, sandboxOfTest } from "../support/sandbox.ts";

const dist = dirname(programPath);
const root = dirname(dist);

const sandbox = sandboxOfTest();

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
		expect.arrayContaining(["cli.js", "index.js", "scan-worker.js", "search-worker.js", "store-worker.js", "demo"]),
	);
	expect(names.filter((name) => /^chokidar-.*\.js$/.test(name))).not.toHaveLength(0);
	const first = readFileSync(programPath, "utf8");
	expect(first.length).toBeLessThan(2000);
	expect(first.startsWith("#!/usr/bin/env node\n")).toBe(true);
});

/** The files of the bundle that Node reads for a command line, by name. */
function loadedFor(args: readonly string[]): string[] {
	const preload = join(sandbox.home, "loaded.mjs");
	writeFileSync(
		preload,
		`import fs from "node:fs";
		import { syncBuiltinESMExports } from "node:module";
		const read = fs.readFileSync;
		const loaded = new Set();
		fs.readFileSync = (path, ...options) => {
			loaded.add(String(path).replace("file://", ""));
			return read(path, ...options);
		};
		syncBuiltinESMExports();
		process.on("exit", () => {
			const own = [...loaded].filter((path) => path.startsWith(${JSON.stringify(dist)}));
			fs.writeFileSync(${JSON.stringify(join(sandbox.home, "loaded"))}, JSON.stringify({
				files: own.map((path) => path.slice(${dist.length + 1})),
				hasSchemas: "__zod_globalRegistry" in globalThis,
			}));
		});`,
	);
	const { status, stderr } = spawnSync(process.execPath, ["--import", preload, programPath, ...args], {
		encoding: "utf8",
		env: { ...process.env, ...sandbox.env },
	});
	expect({ status, stderr }).toMatchObject({ status: 0 });
	const { files, hasSchemas } = JSON.parse(readFileSync(join(sandbox.home, "loaded"), "utf8"));
	expect(hasSchemas).toBe(false);
	return files;
}

test("what a shell waits for loads one file beside those that choose it, and no schema", () => {
	sandbox.session({ project: "work/api", age: 1, name: "Here", messages: [] });
	for (const [program, args] of [
		["list", ["list"]],
		["search", ["search", "Here"]],
		["completion", ["__complete", "--", "show", "1"]],
	] as const) {
		const programs = loadedFor(args).filter((file) => !/^(?:cli|main|reports-in)\.js$/.test(file));
		expect(programs).toEqual([expect.stringMatching(new RegExp(`^${program}-[0-9a-f]{8}\\.js$`))]);
	}
});

test("no command is in what every command loads: each is in a program of the bundle", () => {
	expect(statSync(join(dist, "main.js")).size).toBeLessThan(100_000);
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

describe("compiled code", () => {
	const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	let cacheDir = "";
	let code = "";
	beforeEach(() => {
		sandbox.session({ project: "work/api", age: 1, name: "Here", messages: [] });
		cacheDir = join(sandbox.home, "cache", "pi-grove");
		code = join(cacheDir, `code-${version}`);
	});

	const list = (nodeOptions = ""): void => {
		const env = { NODE_COMPILE_CACHE: undefined, NODE_OPTIONS: nodeOptions };
		const { code: status, out, err } = runAlone(sandbox, ["list"], env);
		expect({ status, err }).toEqual({ status: 0, err: "" });
		expect(out).toContain("Here");
	};
	const keptList = (): string => {
		const [name = "", ...others] = readdirSync(code).filter((each) => each.startsWith("list-"));
		expect(others).toEqual([]);
		return join(code, name);
	};

	test("is kept beside the index, only that of this version and build, readable for nobody else", () => {
		mkdirSync(join(cacheDir, "code-0.0.1"), { recursive: true });
		mkdirSync(code);
		writeFileSync(join(code, "list-00000000.js-13-x64"), "of another build");
		list();
		expect(readdirSync(cacheDir).filter((name) => name.startsWith("code-"))).toEqual([`code-${version}`]);
		expect(statSync(keptList()).mode & 0o077).toBe(0);
	});

	test("is used by the next start, and then not written again", () => {
		list();
		const { mtimeMs } = statSync(keptList());
		list();
		expect(statSync(keptList()).mtimeMs).toBe(mtimeMs);
	});

	test("that is damaged is not used, and made again", () => {
		list();
		const whole = readFileSync(keptList());
		const damaged = Buffer.from(whole);
		damaged.fill(255, damaged.length / 2, damaged.length / 2 + 64);
		writeFileSync(keptList(), damaged);
		list();
		expect(readFileSync(keptList()).equals(damaged)).toBe(false);
		writeFileSync(keptList(), whole.subarray(0, 2));
		list();
		expect(statSync(keptList()).size).toBeGreaterThan(2);
	});

	test("of other settings of V8 is made again", () => {
		list();
		const { ino } = statSync(keptList());
		list("--jitless");
		expect(statSync(keptList()).ino).not.toBe(ino);
	});

	test("that cannot be kept is not mentioned", () => {
		list();
		rmSync(code, { recursive: true });
		writeFileSync(code, "a file");
		list();
	});

	test("of the browser is used by its next start, whose settings of V8 have been changed when it is kept", async () => {
		const options = { columns: 80, rows: 24, env: { NODE_COMPILE_CACHE: cacheDir } };
		const kept = (): number[] => {
			const names = existsSync(code) ? readdirSync(code).filter((each) => /^browser-.*-[a-z]\w+$/.test(each)) : [];
			return names.map((name) => statSync(join(code, name)).ino);
		};
		const open = async (): Promise<void> => {
			const terminal = sandbox.start([], options);
			await terminal.waitFor("Here");
			await expect.poll(kept).toHaveLength(1);
			terminal.press("ctrl+c");
			await terminal.exit();
		};
		await open();
		const [first] = kept();
		await open();
		expect(kept()).toEqual([first]);
	});
});
