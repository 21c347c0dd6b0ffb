import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findNode } from "./find-node.ts";

const PROGRAM = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

/** The command line of pi-grove, without its arguments. Rejects with what to do where it was not built, or there is no Node. */
export async function findProgram(): Promise<readonly string[]> {
	if (!existsSync(PROGRAM)) {
		const folder = fileURLToPath(new URL("..", import.meta.url));
		throw new Error(`${PROGRAM} is missing: this pi-grove is not built. Run "npm ci && npm run build" in ${folder}.`);
	}
	return [await findNode(), PROGRAM];
}

/** The directory that pi was told to keep sessions in, as an argument; all other ways to name one are known to pi-grove, too. */
export function sessionDirArguments(argv: readonly string[] = process.argv): readonly string[] {
	const index = argv.indexOf("--session-dir");
	const directory = index === -1 ? undefined : argv[index + 1];
	return directory === undefined ? [] : ["--session-dir", directory];
}
