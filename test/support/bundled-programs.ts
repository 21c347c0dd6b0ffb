import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { WORKERS } from "../../src/shared/worker-url.ts";

/** Where `bundle-programs.ts` puts them: below node_modules, so that they find the packages that are not bundled. */
export const BUNDLED_PROGRAMS = join(import.meta.dirname, "../../node_modules/.cache/pi-grove/test-programs");

/** Takes the place of `src/shared/worker-url.ts` in tests: the same threads, from their bundles. */
export function workerUrl(name: keyof typeof WORKERS): URL {
	return pathToFileURL(join(BUNDLED_PROGRAMS, `${name}.js`));
}

/** The name, in `BUNDLED_PROGRAMS` and without extension, of a program that tests run: "journal-append-child". */
export function bundledName(source: string): string {
	return `${basename(dirname(source))}-${basename(source, ".ts")}`;
}

/** The bundle of a program that tests run in a process of its own; `source`: its path, absolute or relative. */
export function childProgram(source: string): string {
	return join(BUNDLED_PROGRAMS, `${bundledName(source)}.js`);
}
