import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { fileKey, MACOS, WINDOWS } from "../../src/shared/system.ts";
import { runAlone as run } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

const tarball = inject("tarball");
const installed = inject("installed");
const program = join(installed, "node_modules", "pi-grove", "dist", "cli.js");

/** A package for each platform is one package. */
const MOST_PACKAGES = 6;
const MOST_BYTES = 5_000_000;

test("an install fetches a handful of packages, and the tarball is small", () => {
	const names = readdirSync(join(installed, "node_modules"), { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
		.flatMap(({ name }) =>
			name.startsWith("@") ? readdirSync(join(installed, "node_modules", name)).map((one) => `${name}/${one}`) : [name],
		);
	expect(names).toContain("pi-grove");
	expect(names.length, names.join(", ")).toBeLessThanOrEqual(MOST_PACKAGES);
	expect(statSync(tarball).size).toBeLessThan(MOST_BYTES);
});

test("Windows can have each path of the tarball, and none differs from another only by letter case", () => {
	const paths = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).split("\n").filter(Boolean);
	expect(paths.length).toBeGreaterThan(50);
	const isImpossible = (path: string): boolean => path.split("/").some((name) => WINDOWS.impossibleName.test(name));
	expect(paths.filter(isImpossible)).toEqual([]);
	expect(new Set(paths.map((path) => fileKey(path, MACOS))).size).toBe(paths.length);
	// npm unpacks it below a directory of modules, of which the person chooses the place.
	expect(Math.max(...paths.map(({ length }) => length))).toBeLessThan(120);
});

test("what is bundled is there with its licenses, and the programs that move files to the trash can be run", () => {
	const dist = join(installed, "node_modules", "pi-grove", "dist");
	const licenses = readFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), "utf8");
	for (const name of ["ink", "react", "marked", "highlight.js", "chokidar", "trash", "fullscreen-ink", "zod"]) {
		expect(licenses).toMatch(new RegExp(`^${name} \\d`, "m"));
	}
	expect(statSync(join(dist, "macos-trash")).mode & 0o111).not.toBe(0);
	expect(existsSync(join(dist, "windows-trash.exe"))).toBe(true);
});

test("what pi, man and a person read is there", () => {
	const { pi, man } = packageFile;
	for (const name of [...pi.extensions, ...pi.skills, ...man, "docs/cli.md", "examples/report.ts", "CHANGELOG.md"]) {
		expect(existsSync(join(installed, "node_modules", "pi-grove", name)), name).toBe(true);
	}
});

test("publint has nothing to say", async () => {
	const { messages, pkg } = await publint({ pack: { tarball: readFileSync(tarball).buffer } });
	expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

test("the types are right wherever an ES module can be imported", async () => {
	const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
	if (result.types === false) expect.fail("there are no types");
	// The package has only ES modules, which "node10" and `require` of CommonJS do not know.
	const wrong = result.problems.filter(
		(problem) => !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(problem.resolutionKind)),
	);
	expect(wrong).toEqual([]);
});

test("types are named only of packages that are installed with it", () => {
	const types = join(installed, "node_modules", "pi-grove", "dist", "types");
	const named = new Set(
		readdirSync(types, { recursive: true, encoding: "utf8" })
			.filter((name) => name.endsWith(".d.ts"))
			.flatMap((name) => [...readFileSync(join(types, name), "utf8").matchAll(/from "([^".][^"]*)"/g)])
			.map(([, from = ""]) => from)
			.filter((from) => !from.startsWith("node:")),
	);
	expect([...named].filter((name) => !Object.hasOwn(packageFile.dependencies, name))).toEqual([]);
});

test("another package can use the types", () => {
	writeFileSync(
		join(installed, "use.ts"),
		`import { readSession, SessionManager, type SessionHeader } from "pi-grove";
		export const leaf: string | null = SessionManager.inMemory("/somewhere").getLeafId();
		export const header: SessionHeader | undefined = (await readSession("/somewhere")).header;
		// @ts-expect-error The types must not be any.
		export const wrong: number = header;`,
	);
	const tsc = join(import.meta.dirname, "../../node_modules/.bin/tsc");
	const options = "--noEmit --strict --skipLibCheck --module nodenext --target es2024 --types";
	const { status, stdout } = spawnSync(tsc, [...options.split(" "), "", "use.ts"], {
		cwd: installed,
		encoding: "utf8",
	});
	expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});

describe.each(inject("nodes"))("with Node %s", (version, node) => {
	let sandbox: Sandbox;
	beforeEach(() => {
		sandbox = new Sandbox();
	});
	afterEach(() => sandbox.remove());

	/** Runs the installed program. */
	function grove(...args: string[]) {
		return run(sandbox, args, {}, { node, program });
	}

	test("it says its version, lists, and searches with the ripgrep that came with it", () => {
		const { parser } = threeSessions(sandbox);
		expect(execFileSync(node, ["-p", "process.versions.node"], { encoding: "utf8" })).toBe(`${version}\n`);
		expect(grove("--version")).toEqual({ code: 0, out: `pi-grove ${packageFile.version}\n`, err: "" });
		expect(grove("list")).toMatchObject({ code: 0, err: "" });
		const found = grove("search", "newline", "--json");
		expect(JSON.parse(found.out)).toMatchObject([{ path: parser }]);
		expect(JSON.parse(grove("search", "re:new.*ine", "--json").out)).toMatchObject([{ path: parser }]);
	});

	test("the browser opens, and moves a session to the trash and back", async () => {
		const { retry } = threeSessions(sandbox);
		const terminal = sandbox.start([], { columns: 120, rows: 30, node, program });
		await terminal.waitFor("Find the retry loop");
		terminal.press("ctrl+d");
		await terminal.waitFor("┌ Move this session to the trash?");
		terminal.press("enter");
		await expect.poll(() => existsSync(retry)).toBe(false);
		await terminal.waitFor("Moved “Find the retry loop” to the trash");
		terminal.press("ctrl+_");
		await expect.poll(() => existsSync(retry)).toBe(true);
		terminal.press("ctrl+c");
		expect((await terminal.exit()).code).toBe(0);
	});

	test("the library is there for a program", () => {
		const { parser } = threeSessions(sandbox);
		const script = join(installed, "use.mjs");
		writeFileSync(
			script,
			`import { readSession, SessionHeaderSchema } from "pi-grove";
			const { header } = await readSession(${JSON.stringify(parser)});
			console.log(SessionHeaderSchema.safeParse(header).success);`,
		);
		expect(execFileSync(node, [script], { encoding: "utf8" })).toBe("true\n");
	});
});
