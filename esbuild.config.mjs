// Builds dist/ : the command, the library, the worker, and the demo sessions. Run by `npm run build`.
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { build } from "esbuild";
import { workerEntryPoints } from "./src/shared/worker-url.ts";

/**
 * Ink makes a new cache of measured and tokenised text for each frame, so every character of the screen is segmented
 * again at each key. One cache for all frames takes more than half of that time away.
 */
const inkCaches = {
	name: "ink-caches",
	setup(bundler) {
		bundler.onLoad({ filter: /[\\/]ink[\\/]build[\\/]output\.js$/ }, (file) =>
			edit(file.path, "    caches = new OutputCaches();\n", "    caches = sharedCaches();\n", keepSharedCaches),
		);
		bundler.onLoad({ filter: /[\\/]ink[\\/]build[\\/]render-node-to-output\.js$/ }, (file) =>
			edit(file.path, "import widestLine from 'widest-line';\n", "import measure from 'widest-line';\n", keepWidths),
		);
	},
};

const keepSharedCaches = `
let shared = new OutputCaches();
function sharedCaches() {
	if (shared.styledChars.size > 5000 || shared.widths.size > 20000) shared = new OutputCaches();
	return shared;
}
`;

const keepWidths = `
const widths = new Map();
function widestLine(text) {
	let width = widths.get(text);
	if (width === undefined) {
		if (widths.size > 5000) widths.clear();
		width = measure(text);
		widths.set(text, width);
	}
	return width;
}
`;

async function edit(path, from, to, addition) {
	const source = await readFile(path, "utf8");
	if (source.split(from).length !== 2) {
		throw new Error(`${path} does not hold ${JSON.stringify(from)} once: this version of Ink needs another patch.`);
	}
	return { contents: source.replace(from, () => to) + addition, loader: "js" };
}

/** React's developer tools, and the messages of zod in fifty languages, which are most of what it weighs. */
const leftOut = {
	name: "left-out",
	setup(bundler) {
		bundler.onLoad({ filter: /[\\/]ink[\\/]build[\\/]devtools\.js$/ }, () => ({ contents: "export {};" }));
		bundler.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
			contents: 'export { default as en } from "./en.js";',
		}));
	},
};

const { outputFiles } = await build({
	write: false,
	entryPoints: { cli: "src/cli.ts", index: "src/index.ts", ...workerEntryPoints(".") },
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
	// The trash and ripgrep packages find their programs beside themselves; re2js is loaded when a pattern is typed.
	external: ["trash", "@vscode/ripgrep", "re2js"],
	// Yoga looks whether there is a `fetch`, for which Node loads its whole HTTP client: 9 ms of every start.
	define: { "process.env.NODE_ENV": '"production"', fetch: "undefined" },
	banner: { js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);' },
	plugins: [inkCaches, leftOut],
});

// Only what has changed is written, each file in one step, and what is old goes last: a program that runs from here
// while it is built again must go on finding its parts.
const kept = new Set(["demo", "types"]);
await mkdir("dist", { recursive: true });
for (const { path, contents } of outputFiles) {
	kept.add(basename(path));
	const before = await readFile(path).catch(() => undefined);
	if (before?.equals(contents)) continue;
	await writeFile(`${path}.${process.pid}`, contents, { mode: basename(path) === "cli.js" ? 0o755 : 0o644 });
	await rename(`${path}.${process.pid}`, path);
}
await cp("demo", "dist/demo", { recursive: true, filter: (path) => !path.endsWith(".md") });
for (const name of await readdir("dist")) {
	if (!kept.has(name) && !/\.\d+$/.test(name)) await rm(`dist/${name}`, { recursive: true });
}
