/** The programs of the threads by name, and the modules they start with, as seen from this folder. */
export const WORKERS = {
	"scan-worker": "../sync/scan-worker.ts",
	"scan-helper": "../sync/scan-helper.ts",
	"search-worker": "../search/search-worker.ts",
} as const;

/** Where a thread's program is: its module when run from the sources; in the bundle all lie in one directory. */
export function workerUrl(name: keyof typeof WORKERS): URL {
	return new URL(import.meta.url.endsWith(".ts") ? WORKERS[name] : `./${name}.js`, import.meta.url);
}

/** The entry points of the threads for a bundler, by the name of the program; `root`: directory of the project. */
export function workerEntryPoints(root: string): Record<string, string> {
	const folder = `${root}/src/catalog/worker`;
	return Object.fromEntries(Object.entries(WORKERS).map(([name, module]) => [name, `${folder}/${module}`]));
}
