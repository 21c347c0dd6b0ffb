import type { Tone } from "../../ui/text/line.ts";

/** The tones of highlight.js's scopes, by their names or the beginnings of their names up to a dot. */
const TONES: ReadonlyMap<string, Tone | undefined> = new Map<string, Tone | undefined>([
	["addition", "added"],
	["attr", "name"],
	["attribute", "name"],
	["built_in", "type"],
	["bullet", "keyword"],
	["code", "code"],
	["comment", "comment"],
	["deletion", "removed"],
	["doctag", "keyword"],
	["formula", "code"],
	["keyword", "keyword"],
	["link", "link"],
	["literal", "number"],
	["meta", "comment"],
	["meta.keyword", "keyword"],
	["meta.string", "string"],
	["name", "keyword"],
	["number", "number"],
	["property", "name"],
	["quote", "comment"],
	["regexp", "string"],
	["section", "heading"],
	["selector-attr", "name"],
	["selector-class", "name"],
	["selector-id", "name"],
	["selector-pseudo", "name"],
	["selector-tag", "keyword"],
	["string", "string"],
	["subst", undefined],
	["symbol", "number"],
	["template-tag", "keyword"],
	["template-variable", "name"],
	["title", "name"],
	["title.class", "type"],
	["type", "type"],
	["variable.constant", "number"],
	["variable.language", "keyword"],
]);

/** The tone of code in these nested scopes, the outermost first: that of the innermost scope that has one. */
export function toneOfScope(scopes: readonly string[]): Tone | undefined {
	for (const scope of scopes.toReversed()) {
		for (let name = scope; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
			if (TONES.has(name)) return TONES.get(name);
		}
	}
	return undefined;
}
