// Builds dist/ : the command, the library, the worker, and the demo sessions. Run by `npm run build`.
import { createHash } from "node:crypto";
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
		// Only the version is read of our own.
		const own = join(import.meta.dirname, "package.json");
		bundler.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
			if (path !== own) return undefined;
			const { version } = JSON.parse(await readFile(path, "utf8"));
			return { contents: JSON.stringify({ version }), loader: "json" };
		});
		bundler.onLoad({ filter: /[\\/]globby[\\/]index\.js$/ }, () => ({ contents: "export const globby = undefined;" }));
		bundler.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
			contents: 'export { default as en } from "./en.js";',
		}));
	},
};

/** An `import` of one of Node's own modules, as esbuild writes it. */
const BUILTIN =
	/(?<=^|[;}\n])import\s*(?:([\w$]+)|\*\s*as ([\w$]+)|(?:([\w$]+),)?\s*\{([^{}"']*)\})\s*from\s*"(node:[\w/]+)";/g;

/** Modules of Node that take milliseconds to load, and that most commands have but do not call. */
const RARE = new Set(["node:crypto", "node:fs/promises", "node:v8", "node:vm", "node:zlib"]);

/** What is imported of such a module, `name` or `name:local`, as a function that loads the module when it is called. */
function onFirstCall(module, field) {
	const [name, local = name] = field.split(":");
	const taking = `process.getBuiltinModule("${module}")`;
	// A class must be called with `new`, and a value is not called.
	const isFunction = /^[a-z]/.test(name) && typeof process.getBuiltinModule(module)[name] === "function";
	return isFunction ? `${local}=(...given)=>${taking}.${name}(...given)` : `{${name}:${local}}=${taking}`;
}

/**
 * Takes what is imported of Node's own modules from the modules themselves. An `import` of `node:fs` first asks it for everything
 * that it exports, and so loads what is behind getters: `fs.promises`, `util.diff`, streams of several kinds. Together that is a
 * tenth of what a short command costs. Those that are loaded on demand (`import()`) stay as they are.
 */
function withoutFacades(code) {
	const taken = [];
	const rest = code.replace(BUILTIN, (_, whole, all, beside, names, module) => {
		const taking = `process.getBuiltinModule("${module}")`;
		for (const name of [whole, all, beside]) if (name) taken.push(`${name}=${taking}`);
		if (names?.trim()) {
			const fields = names.replaceAll(/\s+as\s+/g, ":");
			if (/\bdefault:/.test(fields)) throw new Error(`${module} is imported in a form that is not expected: ${names}`);
			if (RARE.has(module)) taken.push(...fields.split(",").map((field) => onFirstCall(module, field.trim())));
			else taken.push(`{${fields}}=${taking}`);
		}
		return "";
	});
	if (/(?<=^|[;}\n])import[^(]*"node:/.test(rest)) throw new Error("an import of a module of Node was not recognized");
	return taken.length === 0 ? code : `const ${taken.join(",")};${rest}`;
}

/*
 * No module of ours does anything by being imported, and `sideEffects` in package.json says so: what a program needs nothing of is left
 * out of it. A module that is imported only for what it does would be left out, too.
 */
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
	// Its main file is a module of another kind, which cannot be bundled.
	alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
	// Yoga looks whether there is a `fetch`, for which Node loads its whole HTTP client: 9 ms of every start.
	define: { "process.env.NODE_ENV": '"production"', fetch: "undefined" },
	banner: { js: 'const require=process.getBuiltinModule("node:module").createRequire(import.meta.url);' },
	plugins: [fitted, inkPatchesForEsbuild],
};

// What starts by itself is built by itself, and so is each group of commands that have much in common with each other and little
// with the rest: a file that is loaded takes a millisecond or two.
const groups = {
	browser: ["browser/browse", "commands/pick"],
	changes: [
		"commands/resume",
		...["single-changes", "move", "bring", "delete", "take-back"].map((name) => `commands/change/${name}`),
		"commands/history",
		"commands/tidy",
	],
	show: ["commands/show/show", "commands/show/diff", "commands/share/export", "commands/review"],
	list: ["commands/list"],
	search: ["commands/search"],
	completion: ["completion/stubs", "completion/candidates", "../catalog/query/complete"],
	checkout: ["commands/checkout", "commands/put"],
	help: ["help/help"],
	blame: ["commands/blame/blame", "commands/blame/files"],
	places: ["commands/places", "commands/serve"],
	uses: ["commands/path", "commands/uses", "commands/stats", "commands/standup", "commands/doctor"],
};

/** The file of a module of a group. */
const sourceOf = (module) => join("src/cli", `${module}.ts`).replaceAll("\\", "/");
/** Only to learn what modules export. */
const listing = { bundle: false, write: false, outdir: "dist", format: "esm", metafile: true };

/** Builds a group as one script: only of a script does Node let us keep the compiled code (src/cli/find/compiled-code.ts). */
async function buildProgram([name, modules]) {
	const { outputFiles, metafile } = await build({
		...settings,
		stdin: {
			contents: modules
				.map((module, index) => `export const m${index} = () => import("./src/cli/${module}.ts");`)
				.join("\n"),
			resolveDir: ".",
		},
		splitting: false,
		banner: {},
		// Ink looks for React's developer tools, if it is being developed.
		define: { ...settings.define, "import.meta.url": "moduleUrl", "import.meta.resolve": "undefined" },
	});
	const code = outputFiles.find(({ path }) => path.endsWith(".js"))?.text ?? "";
	const text = asScript(withoutFacades(code));
	const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
	const outputs = Object.values((await build({ entryPoints: modules.map(sourceOf), ...listing })).metafile.outputs);
	const exportsOf = (module) => outputs.find(({ entryPoint }) => entryPoint === sourceOf(module)).exports;
	const file = `${name}-${hash}.js`;
	return {
		metafile,
		outputFiles: [{ path: join(import.meta.dirname, "dist", file), contents: Buffer.from(text) }],
		modules: modules.map((module, index) => [module, { file, index, exports: exportsOf(module) }]),
	};
}

/** A module as the script that `loadProgram` of src/cli/find/compiled-code.ts runs. */
function asScript(code) {
	const exported = /export\s*\{([^}]*)\};?\s*(?:\/\*[^*]*\*\/\s*)?$/.exec(code);
	if (exported === null) throw new Error("the exports of a program were not recognized");
	const fields = exported[1].split(",").map((one) =>
		one
			.trim()
			.split(/\s+as\s+/)
			.reverse()
			.join(":"),
	);
	const body = code.slice(0, exported.index).replaceAll(/\bimport\(/g, "importModule(");
	if (/\bimport\.meta\b/.test(body)) throw new Error("a program uses import.meta for something else than its URL");
	return `(async function(require,moduleUrl,importModule){"use strict";${body}\nreturn{${fields.join()}}})`;
}

/** In the program that chooses the command, each command is loaded from the program of its group. */
const apart = (programs) => ({
	name: "apart",
	setup(bundler) {
		const moduleAt = (path, resolveDir) =>
			relative(join(import.meta.dirname, "src/cli"), join(resolveDir, path))
				.replaceAll("\\", "/")
				.replace(/\.ts$/, "");
		bundler.onResolve({ filter: /^\.\.?\/[a-z./-]+\.ts$/ }, ({ path, kind, resolveDir }) => {
			const module = moduleAt(path, resolveDir);
			if (kind !== "dynamic-import") return undefined;
			if (module === "main") return { path: "./main.js", external: true };
			return programs.has(module) ? { path: module, namespace: "program" } : undefined;
		});
		bundler.onLoad({ filter: /./, namespace: "program" }, ({ path }) => {
			const { file, index, exports } = programs.get(path);
			return {
				contents: `import { loadProgram } from "./src/cli/find/compiled-code.ts";
					const { m${index}: load } = await loadProgram("${file}");
					export const { ${exports.join(", ")} } = await load();`,
				resolveDir: ".",
			};
		});
	},
});

/**
 * What few people need, and several programs load when it is: what reads the reports of subagents, and what asks other places. As a
 * part of each program, everything that it has in common with the rest would be further files to load at every start.
 */
const reports = { "reports-in": "src/catalog/families/reports-in.ts" };
const otherPlaces = {
	"open-places": "src/cli/find/open-places.ts",
	"placed-sessions": "src/cli/find/placed-sessions.ts",
	"placed-target": "src/cli/find/placed-target.ts",
};
const laterModules = {
	name: "later",
	setup(bundler) {
		bundler.onResolve(
			{ filter: /\/(?:reports-in|open-places|placed-sessions|placed-target)\.ts$/ },
			({ path, kind }) =>
				kind === "dynamic-import" ? { path: `./${basename(path, ".ts")}.js`, external: true } : undefined,
		);
	},
};
settings.plugins.push(laterModules);

const programs = await Promise.all(Object.entries(groups).map(buildProgram));
const commands = new Map(programs.flatMap(({ modules }) => modules));
const built = await Promise.all([
	build({ ...settings, entryPoints: reports }),
	build({ ...settings, entryPoints: otherPlaces }),
	// Without `require`, which an old Node could not make, and nothing in there needs.
	build({
		...settings,
		entryPoints: { cli: "src/cli.ts" },
		plugins: [...settings.plugins, apart(commands)],
		banner: {},
	}),
	build({
		...settings,
		entryPoints: { main: "src/cli/main.ts" },
		plugins: [...settings.plugins, apart(commands)],
		splitting: false,
		banner: {},
	}),
	// The schemas that the library exports are of the zod that its types name.
	build({ ...settings, entryPoints: { index: "src/index.ts" }, external: [...settings.external, "zod"] }),
	...Object.entries(workerEntryPoints(".")).map(([name, module]) =>
		build({ ...settings, entryPoints: { [name]: module } }),
	),
]);
const outputFiles = [
	...programs.flatMap((program) => program.outputFiles),
	...built
		.flatMap((program) => program.outputFiles)
		.map(({ path, contents, text }) => ({
			path,
			contents: path.endsWith(".js") ? Buffer.from(withoutFacades(text)) : contents,
		})),
];

// Only what has changed is written, each file in one step, and what is old goes last: a program that runs from here
// while it is built again must go on finding its parts.
const inputs = [...programs, ...built].flatMap(({ metafile }) => Object.keys(metafile.inputs));
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
