import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The licenses of all packages with code in the bundle, as one text, by name. `inputs`: the files that it is made from, as
 * esbuild's metafile names them (relative to `root`). Rejects for a package without the text of its license, unless that is known here.
 */
export async function bundledLicenses(inputs: Iterable<string>, root: string): Promise<string> {
	const directories = new Set<string>();
	for (const input of inputs) {
		const directory = packageOf(input);
		if (directory !== undefined) directories.add(directory);
	}
	const texts = await Promise.all([...directories].map((directory) => licenseOf(join(root, directory))));
	return [...new Set(texts)].sort().join(`\n${"-".repeat(80)}\n\n`);
}

/** The directory of the package that a file belongs to; the innermost one, if a package has packages of its own. */
function packageOf(input: string): string | undefined {
	return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
}

async function licenseOf(directory: string): Promise<string> {
	const { name, version, license } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
	const file = (await readdir(directory)).find((one) => /^licen[cs]e/i.test(one));
	const text =
		file === undefined ? WITHOUT_FILE.get(`${name} ${license}`) : await readFile(join(directory, file), "utf8");
	if (text === undefined)
		throw new Error(
			`${name} (${license}) comes without the text of its license: add that to scripts/bundled-licenses.ts`,
		);
	return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/** https://spdx.org/licenses/MIT.html, behind the line that says whose copyright it is. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** By name and license: packages that name their license in package.json, and whose copyright stands only in their sources. */
const WITHOUT_FILE: ReadonlyMap<string, string> = new Map([
	["yoga-layout MIT", `MIT License\n\nCopyright (c) Meta Platforms, Inc. and affiliates.\n\n${MIT}`],
]);
