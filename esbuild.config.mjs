// Builds dist/ : the command, the library, the worker, and the demo sessions. Run by `npm run build`.
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { build } from "esbuild";
import { bundledLicenses } from "./scripts/bundled-licenses.ts";
import { inkPatchesForEsbuild } from "./scripts/ink-patches.ts";
import { manPage } from "./scripts/man-page.ts";
import { workerEntryPoints } from "./src/shared/worker-url.ts";

/**
 * Leaves out React's developer tools; the messages of zod in fifty languages, which are most of what it weighs; and what
 * looks for files by patterns, which the trash package is told not to do.
 */
const fitted = {
	name: "fitted",
	setup(bundler) {
		bundler.onLoad({ filter: /[\\/]ink[\\/]build[\\/]devtools\.js$/ }, () => ({ contents: "export {};" }));
		// esbuild has these modules by their whole names only.
		bundler.onLoad({ filter: /[\\/]@stroncium[\\/]procfs[\\/]lib[\\/]parsers\.js$/ }, async ({ path }) => {
			const text = await readFile(path, "utf8");
			const contents = text.replace(/(?<=`\.\/parsers\/\$\{name\})`/, ".js`");
			if (contents === text) throw new Error(`${path} is not what it was: look how it loads its parsers`);
			return { contents };
		});
		// Ink cuts texts that do not fit, which ours always do. This measures as we do, and starts without a table of all emoji.
		bundler.onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, () => ({
			contents: `export { cellWidth as default } from ${JSON.stringify(join(import.meta.dirname, "src/shared/cell-width.ts"))};`,
		}));
		// The same for the segmenter with which Ink breaks lines, and ours need no breaking.
		bundler.onLoad({ filter: /[\\/]wrap-ansi[\\/]index\.js$/ }, async ({ path }) => {
			const eager = "const segmenter = new Intl.Segmenter();";
			const text = await readFile(path, "utf8");
			if (!text.includes(eager)) throw new Error(`${path} is not what it was: look where it makes its segmenter`);
			const lazy = "const segmenter = { segment: (text) => new Intl.Segmenter().segment(text) };";
			return { contents: text.replace(eager, lazy) };
		});
		bundler.onLoad({ filter: /[\\/]globby[\\/]index\.js$/ }, () => ({ contents: "export const globby = undefined;" }));
		bundler.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
			contents: 'export { default as en } from "./en.js";',
		}));
	},
};

const settings = {
	write: false,
	outdir: "dist",
	// Flat, because a module finds the worker and the demo beside itself.
	entryNames: "[name]",
	chunkNames: "[name]-[hash]",
	bundle: true,
	splitting: true,
	format: "esm",
	platform: "node",
	target: "node22",
	minify: true,
	keepNames: true,
	legalComments: "linked",
	sourcemap: false,
	logLevel: "warning",
	metafile: true,
	// ripgrep's package finds its program beside itself, in a package for each platform; re2js is loaded when a pattern is typed.
	external: ["@vscode/ripgrep", "re2js"],
	// Yoga looks whether there is a `fetch`, for which Node loads its whole HTTP client: 9 ms of every start.
	define: { "process.env.NODE_ENV": '"production"', fetch: "undefined" },
	banner: { js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);' },
	plugins: [fitted, inkPatchesForEsbuild],
};

// What starts by itself is built by itself: what is common to all of them would be forty files, each of which has to
// be found and loaded at every start, in a millisecond or two. So is each group of commands that have much in common with
// each other and little with the rest. Then the program that chooses the command is two files.
const groups = [
	["browser/browse", "commands/pick"],
	[
		"commands/resume",
		...["single-changes", "delete", "restore", "undo"].map((name) => `commands/change/${name}`),
		"commands/history",
		"commands/tidy",
	],
	["commands/show/show", "commands/share/export"],
	["commands/list"],
	["commands/search"],
	["completion/stubs", "completion/candidates", "../catalog/query/complete"],
	["commands/blame/blame", "commands/blame/files"],
	["commands/path", "commands/uses", "commands/stats", "commands/standup", "commands/doctor"],
];

/** In the program that chooses the command, each command of a group is the file that is made of it. */
const apart = {
	name: "apart",
	setup(bundler) {
		bundler.onResolve({ filter: /^\.\.?\/[a-z./-]+\.ts$/ }, ({ path, kind, resolveDir }) => {
			const module = relative(join(import.meta.dirname, "src/cli"), join(resolveDir, path));
			const name = module.replaceAll("\\", "/").replace(/\.ts$/, "");
			const isApart = kind === "dynamic-import" && groups.some((group) => group.includes(name));
			return isApart ? { path: `./${basename(name)}.js`, external: true } : undefined;
		});
	},
};

const built = await Promise.all([
	build({ ...settings, entryPoints: { cli: "src/cli.ts" }, plugins: [...settings.plugins, apart] }),
	...groups.map((group) =>
		build({
			...settings,
			entryPoints: Object.fromEntries(group.map((name) => [basename(name), `src/cli/${name}.ts`])),
		}),
	),
	// The schemas that the library exports are of the zod that its types name.
	build({ ...settings, entryPoints: { index: "src/index.ts" }, external: [...settings.external, "zod"] }),
	...Object.entries(workerEntryPoints(".")).map(([name, module]) =>
		build({ ...settings, entryPoints: { [name]: module } }),
	),
]);
const outputFiles = built.flatMap((program) => program.outputFiles);

// Only what has changed is written, each file in one step, and what is old goes last: a program that runs from here
// while it is built again must go on finding its parts.
const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
const licenses = { path: "dist/THIRD-PARTY-LICENSES.txt", contents: Buffer.from(await bundledLicenses(inputs, ".")) };
const kept = new Set(["demo", "man", "types"]);
await mkdir("dist", { recursive: true });
for (const { path, contents } of [...outputFiles, licenses]) {
	kept.add(basename(path));
	const before = await readFile(path).catch(() => undefined);
	if (before?.equals(contents)) continue;
	await writeFile(`${path}.${process.pid}`, contents, { mode: basename(path) === "cli.js" ? 0o755 : 0o644 });
	await rename(`${path}.${process.pid}`, path);
}
// The trash package runs these on macOS and Windows, and looks for them beside itself: in the bundle, in dist.
for (const name of ["macos-trash", "windows-trash.exe"]) {
	kept.add(name);
	await cp(`node_modules/trash/lib/${name}`, `dist/${name}`);
}
await cp("demo", "dist/demo", { recursive: true, filter: (path) => !path.endsWith(".md") });
const { version } = JSON.parse(await readFile("package.json", "utf8"));
await mkdir("dist/man", { recursive: true });
await writeFile("dist/man/pi-grove.1", manPage(version));
for (const name of await readdir("dist")) {
	if (!kept.has(name) && !/\.\d+$/.test(name)) await rm(`dist/${name}`, { recursive: true });
}
