/**
 * Where a worker's program is: beside this module, as `.ts` when run from the sources, as `.js` in the bundle, where all
 * programs and chunks lie in one directory.
 */
export function workerUrl(name: "scan-worker" | "scan-helper" | "search-worker"): URL {
	return new URL(import.meta.url.endsWith(".ts") ? `./${name}.ts` : `./${name}.js`, import.meta.url);
}
