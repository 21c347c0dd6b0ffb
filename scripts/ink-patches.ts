/**
 * Edits of Ink's own files: for speed, and so that it measures text as we do. The bundle (esbuild.config.mjs) and the tests (test/support/patch-ink.ts) apply the
 * same ones, so what is tested is what runs. They are applied to the source as it is loaded, not to node_modules, so
 * nothing runs at installation.
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
	/** Text put at the end of the file. Default: none. */
	readonly addition?: string;
}

/** Stands for the path of `MEASURE` in a patch. */
const MEASURE_PATH = "src/shared/styled-width.ts";
/**
 * Ink measures graphemes, we measure code points: a row that we have cut to size must not be wider for Ink, which would
 * cut it again, with the border after it.
 */
const MEASURE = new URL(`../${MEASURE_PATH}`, import.meta.url);

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
		replacement: `import { widestRow as measure } from '${MEASURE_PATH}';\n`,
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
	{
		file: "ink/build/output.js",
		find: "import stringWidth from 'string-width';\n",
		replacement: `import { styledWidth as stringWidth } from '${MEASURE_PATH}';\n`,
	},
	{
		// What is drawn over a part of a character takes all of it away. Ink does so for characters of two cells, but the
		// letters of some scripts are joined to clusters of more.
		file: "ink/build/output.js",
		find: `                    if (currentLine[offsetX]?.value === '' &&
                        offsetX > 0 &&
                        this.caches.getStringWidth(currentLine[offsetX - 1]?.value ?? '') >
                            1) {
                        currentLine[offsetX - 1] = spaceCell;
                    }
`,
		replacement: `                    let first = offsetX;
                    while (first > 0 && currentLine[first]?.value === '')
                        first--;
                    for (; first < offsetX; first++)
                        currentLine[first] = spaceCell;
`,
	},
	{
		file: "ink/build/output.js",
		find: `                    if (currentLine[offsetX]?.value === '') {
                        currentLine[offsetX] = spaceCell;
                    }
`,
		replacement: `                    for (; currentLine[offsetX]?.value === ''; offsetX++)
                        currentLine[offsetX] = spaceCell;
`,
	},
	{
		file: "ink/build/measure-text.js",
		find: "import widestLine from 'widest-line';\n",
		replacement: `import { widestRow as widestLine } from '${MEASURE_PATH}';\n`,
	},
];

const INK_FILE = /[\\/]node_modules[\\/]ink[\\/]build[\\/][^\\/]+\.js$/;

/**
 * The source with its patches, or undefined when the file has none. Throws when one does not fit. `measure` is how the
 * module that measures is imported.
 */
export function patchInk(path: string, source: string, measure = MEASURE.href): string | undefined {
	const patches = PATCHES.filter(({ file }) => path.replaceAll("\\", "/").endsWith(`/node_modules/${file}`));
	if (patches.length === 0) return undefined;
	return patches.reduce((text, patch) => {
		if (text.split(patch.find).length !== 2) {
			throw new Error(`${path} does not contain ${JSON.stringify(patch.find)} once: adapt scripts/ink-patches.ts.`);
		}
		const replacement = patch.replacement.replace(MEASURE_PATH, () => measure);
		return text.replace(patch.find, () => replacement) + (patch.addition ?? "");
	}, source);
}

/** Patches Ink in the bundle. */
export const inkPatchesForEsbuild: Plugin = {
	name: "ink-patches",
	setup(bundler) {
		bundler.onLoad({ filter: INK_FILE }, async ({ path }) => {
			const contents = patchInk(path, await readFile(path, "utf8"), fileURLToPath(MEASURE).replaceAll("\\", "/"));
			return contents === undefined ? undefined : { contents, loader: "js" };
		});
	},
};
