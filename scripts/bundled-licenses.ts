import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * The licenses of all packages with code in the bundle, as one text, by name. `inputs`: the files that it is made from, as
 * esbuild's metafile names them (relative to `root`). A package without a license file is named with the license in its
 * package.json.
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
	const text = file === undefined ? "" : `\n${(await readFile(join(directory, file), "utf8")).trim()}\n`;
	return `${name} ${version} (${license})\n${text}`;
}
