/** The worker threads by name, with their entry modules relative to this folder. */
export const WORKERS = {
	"scan-worker": "../catalog/sync/scan-worker.ts",
	"search-worker": "../catalog/search-thread/search-worker.ts",
	"store-worker": "../changes/store-thread/store-worker.ts",
} as const;

/** URL of a worker thread's program: its module when run from sources; in the bundle all are in one directory. */
export function workerUrl(name: keyof typeof WORKERS): URL {
	return new URL(import.meta.url.endsWith(".ts") ? WORKERS[name] : `./${name}.js`, import.meta.url);
}

/** The worker threads as entry points for a bundler, by program name; `root`: directory of the project. */
export function workerEntryPoints(root: string): Record<string, string> {
	return Object.fromEntries(Object.entries(WORKERS).map(([name, module]) => [name, `${root}/src/shared/${module}`]));
}
