/** Joins names for a sentence: "list, search and stats". Only here is the format created: it takes 10 ms of a start. */
export function enumerate(names: readonly string[]): string {
	return new Intl.ListFormat("en-GB").format(names);
}
