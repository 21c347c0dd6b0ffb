/**
 * Processor time that some work takes this thread, in ms: the least of `tries` runs, so that garbage collections, the first
 * run of a function and other programs on the machine do not count. It tells whether work is of another order than it should
 * be; how fast something is, `bench/` measures.
 */
export function leastCpuMs(work: () => unknown, tries = 5): number {
	return Math.min(...Array.from({ length: tries }, () => timed(work)));
}

function timed(work: () => unknown): number {
	const before = busyMs();
	work();
	return busyMs() - before;
}

/** The same for work that ends later. */
export async function leastCpuMsOf(work: () => Promise<unknown>, tries = 5): Promise<number> {
	let least = Number.POSITIVE_INFINITY;
	for (let left = tries; left > 0; left--) {
		const before = busyMs();
		await work();
		least = Math.min(least, busyMs() - before);
	}
	return least;
}

/** Of the thread, where Node can tell (from 23.9 on), else of the process. */
function busyMs(): number {
	const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
	return (user + system) / 1000;
}
