/** The line of a JSON syntax error that `JSON.parse` has thrown for this text, from 1. */
export function lineOfMistake(json: string, error: unknown): number {
	// An unexpected end is reported after the last character.
	return lineAt(json, Math.min(mistakeAt(json, error), json.trimEnd().length));
}

/** The line of a position in a text, from 1. */
function lineAt(text: string, position: number): number {
	return text.slice(0, position).split("\n").length;
}

/** V8 reports positions except for unexpected tokens: such a token ends the shortest prefix of the text that has the error. */
function mistakeAt(json: string, error: unknown): number {
	const position = /at position (\d+)/.exec(String(error))?.[1];
	if (position !== undefined) return Number(position);
	if (!hasUnexpectedToken(json)) return json.length;
	let [good, bad] = [0, json.length];
	while (bad - good > 1) {
		const middle = (good + bad) >> 1;
		if (hasUnexpectedToken(json.slice(0, middle))) bad = middle;
		else good = middle;
	}
	return good;
}

function hasUnexpectedToken(json: string): boolean {
	try {
		JSON.parse(json);
		return false;
	} catch (error) {
		return String(error).includes("Unexpected token");
	}
}

/** Where an element of a list is written, and its fields, if it is an object; lines from 1. */
export interface ElementPlace {
	readonly line: number;
	readonly fields: ReadonlyMap<string, number>;
}

/** Strings, and the characters that make the structure. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs;

/** The places of the elements of a list, for a text that is known to be the JSON of one. */
export function elementPlaces(json: string): readonly ElementPlace[] {
	const places: { line: number; fields: Map<string, number> }[] = [];
	let [depth, line, at] = [0, 1, 0];
	let isNext = false;
	let before = "";
	for (const { 0: token, index } of json.matchAll(TOKEN)) {
		for (; at < index; at++) if (json[at] === "\n") line += 1;
		if (isNext && token !== "]") places.push({ line, fields: new Map() });
		isNext = depth === 1 && token === ",";
		if (token === "[" || token === "{") {
			if (depth === 0) isNext = true;
			depth += 1;
		} else if (token === "]" || token === "}") depth -= 1;
		else if (depth === 2 && token.startsWith('"') && (before === "{" || before === ","))
			places.at(-1)?.fields.set(JSON.parse(token), line);
		before = token;
	}
	return places;
}
