/** How many random cases a property test tries: `short` in the test command, many more in `npm run test:long`. */
export function caseCount(short: number): number {
	const factor = Number(process.env.PI_GROVE_CASES ?? 1);
	return Math.max(1, Math.round(short * factor));
}
