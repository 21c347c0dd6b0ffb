/**
 * What this process has been on a processor for, in ms. Two of these tell whether work is of another order than it should be,
 * also on a machine that does much else; how fast something is, `bench/` measures.
 */
export function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}
