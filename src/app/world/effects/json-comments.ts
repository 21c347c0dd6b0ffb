/** JSON as pi allows it in `models.json`, with comments and commas at the ends of lists, as plain JSON. */
export function withoutComments(json: string): string {
	return withoutMatches(withoutMatches(json, /"(?:\\.|[^"\\])*"|\/\/[^\n]*/g), /"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g);
}

/** A text without what matches, but for strings, in which anything may stand. */
function withoutMatches(json: string, pattern: RegExp): string {
	return json.replace(pattern, (part) => (part.startsWith('"') ? part : ""));
}
