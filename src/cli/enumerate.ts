/** Names joined for a sentence: "list", "list and search", "list, search and stats". */
export function enumerate(names: readonly string[]): string {
	return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
