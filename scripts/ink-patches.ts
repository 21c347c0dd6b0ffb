/**
 * Edits of Ink's own files: for speed, and so that it measures text as we do. The bundle (esbuild.config.mjs) and the
 * tests (test/support/patch-ink.ts) apply the same ones, so what is tested is what runs. They are applied to the source as
 * it is loaded, not to node_modules, so nothing runs at installation.
 *
 * When Ink is updated and an edit no longer fits, the build and the tests fail and name the file.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

interface Patch {
	/** File of the ink package, with forward slashes. */
	readonly file: string;
	/** Text that is in the file exactly once. */
	readonly find: string;
	readonly replacement: string;
}

/** Modules of ours that Ink gets to import, as their paths stand in the patches. */
const OURS = ["src/shared/cell-width.ts", "src/terminal/row-output.ts"] as const;

const PATCHES: readonly Patch[] = [
	{
		// https://github.com/vadimdemedes/ink/issues/560
		// Ink takes every text on the screen apart into characters and makes an object for each cell, for each frame.
		file: "ink/build/renderer.js",
		find: "import Output from './output.js';\n",
		replacement: "import { RowOutput as Output } from 'src/terminal/row-output.ts';\n",
	},
	{
		// https://github.com/vadimdemedes/ink/issues/362
		// Ink looks at every character for sequences that it does not draw. All that we draw is clean, with our own styles.
		file: "ink/build/squash-text-nodes.js",
		find: "import sanitizeAnsi from './sanitize-ansi.js';\n",
		replacement: "const sanitizeAnsi = (text) => text;\n",
	},
	{
		// https://github.com/vadimdemedes/ink/issues/733
		// Ink measures every text on the screen again for each frame, and graphemes where we measure code points: a row that we
		// have cut to size must not be wider for Ink, which would cut it again, with the border after it.
		file: "ink/build/render-node-to-output.js",
		find: "import widestLine from 'widest-line';\n",
		replacement: "import { widestRow as widestLine } from 'src/shared/cell-width.ts';\n",
	},
	{
		file: "ink/build/measure-text.js",
		find: "import widestLine from 'widest-line';\n",
		replacement: "import { widestRow as widestLine } from 'src/shared/cell-width.ts';\n",
	},
	{
		// https://github.com/vadimdemedes/ink/issues/986
		// Since version 8 Ink keeps only the last 4,096 to 8,192 texts that it has measured; ours are whole panes, and 1,400 rows of
		// the list, one after the other, were 40 MB.
		file: "ink/build/measure-text.js",
		find: "    cache.set(text, dimensions);\n",
		replacement: "",
	},
];

const INK_FILE = /[\\/]node_modules[\\/]ink[\\/]build[\\/][^\\/]+\.js$/;

/**
 * The source with its patches, or undefined when the file has none. Throws when one does not fit. `nameOf`: how a file
 * of ours is imported; default: by its URL.
 */
export function patchInk(path: string, source: string, nameOf = (file: URL): string => file.href): string | undefined {
	const patches = PATCHES.filter(({ file }) => path.replaceAll("\\", "/").endsWith(`/node_modules/${file}`));
	if (patches.length === 0) return undefined;
	return patches.reduce((text, { find, replacement }) => {
		if (text.split(find).length !== 2) {
			throw new Error(`${path} does not contain ${JSON.stringify(find)} once: adapt scripts/ink-patches.ts.`);
		}
		const named = OURS.reduce(
			(line, file) => line.replace(file, () => nameOf(new URL(`../${file}`, import.meta.url))),
			replacement,
		);
		return text.replace(find, () => named);
	}, source);
}

/** Patches Ink in the bundle. */
export const inkPatchesForEsbuild: Plugin = {
	name: "ink-patches",
	setup(bundler) {
		bundler.onLoad({ filter: INK_FILE }, async ({ path }) => {
			const source = await readFile(path, "utf8");
			const contents = patchInk(path, source, (file) => fileURLToPath(file).replaceAll("\\", "/"));
			return contents === undefined ? undefined : { contents, loader: "js" };
		});
	},
};
