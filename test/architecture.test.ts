import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

/** The rules that docs/architecture.md states. Cycles between files are Biome's (`noImportCycles`). */

const root = join(import.meta.dirname, "..");

/** What each layer may import, besides itself. A file belongs to the first layer whose folder it is in. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
	"src/shared": [],
	"src/ui": ["src/shared"],
	"src/store": ["src/shared"],
	"src/catalog": ["src/store", "src/shared"],
	"src/conversation": ["src/ui", "src/catalog", "src/store", "src/shared"],
	"src/edits": ["src/conversation", "src/ui", "src/catalog", "src/store", "src/shared"],
	"src/changes": ["src/edits", "src/conversation", "src/ui", "src/catalog", "src/store", "src/shared"],
	"src/app": ["src/changes", "src/edits", "src/conversation", "src/ui", "src/catalog", "src/store", "src/shared"],
	"src/terminal": ["src/shared"],
	hooks: ["src/app", "src/terminal", "src/ui", "src/shared"],
	components: ["hooks", "src/app", "src/ui"],
	"src/cli": [
		"components",
		"hooks",
		"src/terminal",
		"src/app",
		"src/changes",
		"src/edits",
		"src/conversation",
		"src/ui",
		"src/catalog",
		"src/store",
		"src/shared",
	],
	src: ["src/cli", "src/app", "src/edits", "src/conversation", "src/catalog", "src/store", "src/shared"],
};

const DRAWING = /^(?:react|ink|fullscreen-ink|ink-select-input)(?:\/|$)/;
const DRAWS = ["components", "hooks", "src/cli/browser/mount.tsx"];

const OUTSIDE = /^node:(?:fs|child_process|sqlite|worker_threads)(?:\/|$)/;
/** Starts every thread, beside the list of them. */
const STARTS_THREADS = "src/shared/v8-settings.ts";
const REACHES_OUTSIDE = [
	...["src/store", "src/catalog", "src/edits", "src/changes", "src/terminal", "src/cli"],
	STARTS_THREADS,
];

/** What the app does outside is in folders of this name. */
const EFFECTS = /^src\/app\/(?:[\w-]+\/)*effects\//;

/** The files of sessions, for the shell: who wrote them, and how they were. */
const BLAMES = [
	"src/edits",
	"src/cli/commands/blame",
	"src/cli/commands/show/show-file.ts",
	"src/cli/commands/show/diff.ts",
];

/** The rooms of the app, from below. */
const ROOMS = ["src/app/world", "src/app/features", "src/app/core"];

interface Import {
	readonly from: string;
	/** Path of a file of this project from its root, or the name of a package. */
	readonly to: string;
	/** Whether it is only an import of types. */
	readonly isType: boolean;
}

const files = globSync("{src,components,hooks}/**/*.{ts,tsx}", { cwd: root });
const imports = files.flatMap(importsOf);

function importsOf(from: string): Import[] {
	const source = readFileSync(join(root, from), "utf8");
	const statement = /^(?:import|export)\s(?:(type)\s)?(?:([^;"]*?)\bfrom\s)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;
	return [...source.matchAll(statement)].map(([, type, names = "", name, dynamic]) => {
		const target = name ?? dynamic ?? "";
		const to = target.startsWith(".") ? relative(root, join(root, dirname(from), target)) : target;
		const isType = type !== undefined || /^\{(?:\s*type\s[^,}]+,?)+\s*\}\s*$/.test(names);
		return { from, to, isType };
	});
}

function isIn(file: string, folders: readonly string[]): boolean {
	return folders.some((folder) => file === folder || file.startsWith(`${folder}/`));
}

function layerOf(file: string): string {
	return Object.keys(LAYERS).find((layer) => isIn(file, [layer])) ?? "";
}

test("imports go down the layers only", () => {
	const between = imports.filter(({ to }) => layerOf(to) !== "" && !to.startsWith("node:"));
	expect(between.length).toBeGreaterThan(files.length);
	const wrong = between.filter(({ from, to }) => {
		const [layer, target] = [layerOf(from), layerOf(to)];
		return target !== layer && !LAYERS[layer]?.includes(target);
	});
	expect(wrong).toEqual([]);
});

test("only the layers that draw import React and Ink, and only those that may touch the disk and processes do", () => {
	expect(imports.filter(({ from, to }) => DRAWING.test(to) && !isIn(from, DRAWS))).toEqual([]);
	const isAllowed = (file: string): boolean => isIn(file, REACHES_OUTSIDE) || EFFECTS.test(file);
	expect(imports.filter(({ from, to }) => OUTSIDE.test(to) && !isAllowed(from))).toEqual([]);
	expect(filesWith(/\bnew Worker\(/)).toEqual([STARTS_THREADS]);
	const starting = imports.filter(({ to }) => to === STARTS_THREADS).map(({ from }) => from);
	expect(starting.filter((file) => !isAllowed(file))).toEqual([]);
});

test("what all features share knows none of them, no feature knows the core or another feature, the shell knows none, types included", () => {
	const roomOf = (file: string): number => ROOMS.findIndex((room) => isIn(file, [room]));
	const featureOf = (file: string): string | undefined => /^src\/app\/features\/([\w-]+)\//.exec(file)?.[1];
	const between = imports.filter(({ from, to }) => roomOf(from) !== -1 && roomOf(to) !== -1);
	expect(between.length).toBeGreaterThan(500);
	expect(between.filter(({ from, to }) => roomOf(to) > roomOf(from))).toEqual([]);
	const features = between.filter(({ from, to }) => featureOf(from) !== undefined && featureOf(to) !== undefined);
	expect(features.filter(({ from, to }) => featureOf(from) !== featureOf(to))).toEqual([]);
	// What the shell prints as the browser draws it is below both; what blames needs nothing of the app.
	expect(imports.filter(({ from, to }) => isIn(from, ["src/cli"]) && isIn(to, ["src/app/features"]))).toEqual([]);
	expect(imports.filter(({ from, to }) => isIn(from, BLAMES) && isIn(to, ["src/app"]))).toEqual([]);
});

test("what pi loads needs nothing but Node and pi: a pi that is one file has no packages of ours", () => {
	const loaded = globSync("extensions/**/*.ts", { cwd: root })
		.flatMap(importsOf)
		.filter(({ isType }) => !isType);
	expect(loaded.length).toBeGreaterThan(10);
	const allowed = /^(?:node:|extensions\/|@earendil-works\/pi-)/;
	expect(loaded.filter(({ to }) => !allowed.test(to))).toEqual([]);
});

test("files are renamed and removed only with the patience that Windows needs", () => {
	const impatient = /^import \{[^}]*\b(?:rename|rm|unlink)(?:Sync)?\b[^}]*\} from "node:fs/m;
	expect(filesWith(impatient)).toEqual(["src/store/files/while-busy.ts"]);
});

/** Files in whose source a pattern is found. */
function filesWith(pattern: RegExp): string[] {
	return files.filter((file) => pattern.test(readFileSync(join(root, file), "utf8"))).toSorted();
}

test("a local is named after what it is, never by a participle or another word that is no noun", () => {
	const words = "found known shown said gone taken made seen asked told wanted kept left own others before after";
	const declared = new RegExp(`\\b(?:const|let) (?:${words.replaceAll(" ", "|")})(?:: | =\\s| of |;)`);
	expect(filesWith(declared)).toEqual([]);
});

/** Names that pi gave, or that a person types as a command. */
const SHARED_NAMES = ["Message", "list"];

test("a name that src exports has one definition, so that one finds it by its name", () => {
	const definition = /^export (?:async |abstract )*(?:function\*?|const|class|interface|type) (\w+)/gm;
	const definitions = files
		// What the library exports is named as what it wraps.
		.filter((file) => isIn(file, ["src"]) && file !== "src/library.ts")
		.flatMap((file) => {
			const source = readFileSync(join(root, file), "utf8");
			const names = new Set(Array.from(source.matchAll(definition), ([, name = ""]) => name));
			return [...names].map((name) => ({ name, file }));
		});
	const ambiguous = [...Map.groupBy(definitions, ({ name }) => name)].flatMap(([name, places]) =>
		places.length === 1 || SHARED_NAMES.includes(name) ? [] : [`${name}: ${places.map(({ file }) => file).join(", ")}`],
	);
	expect(ambiguous).toEqual([]);
});

test("the size of a terminal is read by one function: a terminal that says 0 is not drawn in 0 columns", () => {
	const reading =
		/\b(?:std(?:out|err)|output|terminal|stream)\.(?:columns|rows)\b|\} = process\.std(?:out|err)|getWindowSize/;
	expect(filesWith(reading)).toEqual([]);
	expect(filesWith(/\bterminalSize\(|\bcolumnsOf\(/)).toContain("src/terminal/terminal.ts");
});

test("text that is drawn or printed is cleaned by one function: only it makes the type that views and output take", () => {
	expect(filesWith(/\bas (?:unknown as )?CleanText\b/)).toEqual(["src/ui/text/sanitize.ts"]);
	expect(filesWith(/\bas (?:unknown as )?JsonText\b/)).toEqual(["src/cli/print/json.ts"]);
	// The terminal's modes, and the clipboard, are no text; the version of Node is looked at before anything is loaded.
	const printing = filesWith(/\b(?:(?:stdout|stderr|output)\.write|console\.\w+)\(/);
	expect(printing).toEqual([
		// JSON for another pi-grove.
		"src/catalog/places/serve.ts",
		"src/cli.ts",
		"src/cli/browser/open-browser.ts",
		"src/cli/browser/run-in-terminal.ts",
		"src/cli/print/output.ts",
		"src/terminal/restore-terminal.ts",
	]);
	// A component draws a string of its own or what a view gives it, all of whose texts are clean by their type.
	expect(filesWith(/readonly (?:text|position|title|label|items): (?:readonly )?string/)).not.toContain(
		"src/ui/view.ts",
	);
});

test("what depends on the system asks it: one file knows the platform, one the paths of this machine, and none joins them by hand", () => {
	expect(filesWith(/\bprocess\.platform\b/)).toEqual(["src/shared/system.ts"]);
	const users = imports.filter(({ to }) => /^(?:node:)?path(?:\/|$)/.test(to)).map(({ from }) => from);
	expect([...new Set(users)].toSorted()).toEqual(["src/shared/paths.ts", "src/shared/system.ts"]);
	const directory = "(?:[cC]wd|[dD]ir|[dD]irectory|[rR]oot|[tT]op|[hH]ome|[bB]ase|[pP]arent|[fF]older|[iI]nto)";
	// An address has slashes on every system.
	expect(filesWith(new RegExp(`\\$\\{[^}]*${directory}\\}[/\\\\]|${directory} \\+ ["\`][/\\\\]`))).toEqual([
		"src/shared/worker-url.ts",
	]);
});

/** What can be reached from each, by way of others. */
function circlesIn(needs: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
	const reached = new Map<string, ReadonlySet<string>>();
	for (const start of needs.keys()) {
		const found = new Set<string>();
		const left = [...(needs.get(start) ?? [])];
		for (let next = left.pop(); next !== undefined; next = left.pop()) {
			if (found.has(next)) continue;
			found.add(next);
			left.push(...(needs.get(next) ?? []));
		}
		reached.set(start, found);
	}
	const circleOf = (one: string): string[] =>
		[...needs.keys()].filter((other) => reached.get(one)?.has(other) && reached.get(other)?.has(one)).toSorted();
	const circles = [...needs.keys()].map(circleOf).filter((circle) => circle.length > 0);
	return [...new Map(circles.map((circle) => [circle.join("\n"), circle])).values()];
}

function needsOf(nameOf: (file: string) => string): Map<string, Set<string>> {
	const needs = new Map<string, Set<string>>();
	for (const { from, to } of imports) {
		const [name, other] = [nameOf(from), nameOf(to)];
		if (!files.includes(to) || name === other) continue;
		needs.set(name, (needs.get(name) ?? new Set()).add(other));
	}
	return needs;
}

test("no folder depends on itself through others, types included", () => {
	const needs = needsOf(dirname);
	expect(needs.size).toBeGreaterThan(50);
	expect(circlesIn(needs)).toEqual([]);
});

/** The list of the kinds of changes, and the kinds: what one can be made again as may be any of them. */
const REGISTRY = /^src\/changes\/kinds\//;

test("at most three files make a circle, types included: what belongs together is small, or in one file", () => {
	const needs = needsOf((file) => file);
	const circles = circlesIn(needs).filter((circle) => !circle.every((file) => REGISTRY.test(file)));
	expect(needs.size).toBeGreaterThan(500);
	expect(circles.filter((circle) => circle.length > 3)).toEqual([]);
});
