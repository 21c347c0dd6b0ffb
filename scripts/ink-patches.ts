/**
 * Edits of Ink's own files, for speed. The bundle (esbuild.config.mjs) and the tests (test/support/patch-ink.ts) apply the
 * same ones, so what is tested is what runs. They are applied to the source as it is loaded, not to node_modules, so
 * nothing runs at installation.
 *
 * When Ink is updated and an edit no longer fits, the build and the tests fail and name the file.
 */
import { readFile } from "node:fs/promises";
import type { Plugin } from "esbuild";

interface Patch {
	/** File of the ink package, with forward slashes. */
	readonly file: string;
	/** Text that is in the file exactly once. */
	readonly find: string;
	readonly replacement: string;
	/** Text put at the end of the file. */
	readonly addition: string;
}

const PATCHES: readonly Patch[] = [
	{
		// https://github.com/vadimdemedes/ink/blob/v7.1.1/src/output.ts
		// Ink creates a new cache of measured and tokenized text for each frame (since
		// https://github.com/vadimdemedes/ink/pull/835), so every character on the screen is segmented again at each key.
		// One cache for all frames saves more than half of that time.
		file: "ink/build/output.js",
		find: "    caches = new OutputCaches();\n",
		replacement: "    caches = sharedCaches();\n",
		addition: `
let shared = new OutputCaches();
function sharedCaches() {
	if (shared.styledChars.size > 5000 || shared.widths.size > 20000) shared = new OutputCaches();
	return shared;
}
`,
	},
	{
		// https://github.com/vadimdemedes/ink/blob/v7.1.1/src/render-node-to-output.ts
		// Ink measures every text on the screen again for each frame.
		file: "ink/build/render-node-to-output.js",
		find: "import widestLine from 'widest-line';\n",
		replacement: "import measure from 'widest-line';\n",
		addition: `
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
`,
	},
];

const INK_FILE = /[\\/]node_modules[\\/]ink[\\/]build[\\/][^\\/]+\.js$/;

/** The source with its patch, or undefined when the file has none. Throws when the patch does not fit. */
export function patchInk(path: string, source: string): string | undefined {
	const patch = PATCHES.find(({ file }) => path.replaceAll("\\", "/").endsWith(`/node_modules/${file}`));
	if (!patch) return undefined;
	if (source.split(patch.find).length !== 2) {
		throw new Error(`${path} does not contain ${JSON.stringify(patch.find)} once: adapt scripts/ink-patches.ts.`);
	}
	return source.replace(patch.find, () => patch.replacement) + patch.addition;
}

/** Patches Ink in the bundle. */
export const inkPatchesForEsbuild: Plugin = {
	name: "ink-patches",
	setup(bundler) {
		bundler.onLoad({ filter: INK_FILE }, async ({ path }) => {
			const contents = patchInk(path, await readFile(path, "utf8"));
			return contents === undefined ? undefined : { contents, loader: "js" };
		});
	},
};
