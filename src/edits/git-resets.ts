/** In longer command lines, in UTF-16 units, any mention of Git counts. */
const LONGEST = 10_000;

/**
 * Whether a command line has Git put files back to what a commit has: as a whole, or those that it names. Another branch that is checked out
 * keeps what was changed.
 */
export function putsBack(line: string): boolean {
	if (line.length > LONGEST) return line.includes("git");
	return /\bgit\s+(?:-C\s+\S+\s+)?(?:reset\s[^;&|]*--hard|checkout\s[^;&|]*(?:--|\.)(?=\s|$)|restore\s(?!-S|--staged))/.test(
		line,
	);
}
