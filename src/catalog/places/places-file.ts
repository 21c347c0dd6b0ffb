import { mkdirSync, writeFileSync } from "node:fs";
import { applyEdits, modify, type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { isObject, lineAt } from "../../shared/json.ts";
import { dirname, join, resolvePath } from "../../shared/paths.ts";
import { type Env, xdgDir } from "../../shared/system.ts";
import { readTextFile } from "../../store/files/open-file.ts";
import { errorCode, explain, storeError } from "../../store/files/store-error.ts";
import { renamePathSync } from "../../store/files/while-busy.ts";
import { HERE } from "../model/row.ts";
import type { SessionsPlace } from "./place.ts";

export interface ReadPlaces {
	readonly places: readonly SessionsPlace[];
	/** What is wrong with the file, one sentence each; what can be read is among the places. */
	readonly problems: readonly string[];
}

/** `$XDG_CONFIG_HOME/pi-grove/places.json`: a list of `{ name, dir }` and `{ name, ssh, command? }`, with comments. */
export function placesPath(env: Env, home: string): string {
	return join(xdgDir("XDG_CONFIG_HOME", env, home), "pi-grove", "places.json");
}

/** Reads the file; a missing or empty one has no places. Never throws. `home`: for paths that begin with "~/". */
export function readPlaces(path: string, home: string): ReadPlaces {
	try {
		const text = readText(path);
		return text === "" ? NO_PLACES : parsePlaces(text, path, home);
	} catch (error) {
		return { places: [], problems: [`places.json cannot be read: ${explain(error)}. Path: ${path}`] };
	}
}

export const NO_PLACES: ReadPlaces = { places: [], problems: [] };

/** "" if the file is missing or empty. */
function readText(path: string): string {
	try {
		const text = readTextFile(path).replace(/^\uFEFF/, "");
		return text.trim() === "" ? "" : text;
	} catch (error) {
		if (errorCode(error) === "ENOENT") return "";
		throw error;
	}
}

const FORGIVING = { allowTrailingComma: true } as const;

function parsePlaces(text: string, path: string, home: string): ReadPlaces {
	const errors: ParseError[] = [];
	const value: unknown = parse(text, errors, FORGIVING);
	const problems = errors.map(({ error, offset }) => {
		return `places.json is not valid JSON in line ${lineAt(text, offset)} (${printParseErrorCode(error)}). Path: ${path}`;
	});
	if (!Array.isArray(value))
		return { places: [], problems: [...problems, `places.json is not a list of places. Path: ${path}`] };
	const places: SessionsPlace[] = [];
	for (const [index, one] of value.entries()) {
		const read = parsePlace(one, home, dirname(path));
		const isTaken = typeof read !== "string" && places.some(({ name }) => name === read.name);
		const place = isTaken ? `the name ${read.name} is taken` : read;
		if (typeof place === "string") problems.push(`Place ${index + 1} in places.json: ${place}. Path: ${path}`);
		else places.push(place);
	}
	return { places, problems };
}

/** The place that a value of the file describes, or its mistake. A directory is relative to `directory`. */
export function parsePlace(value: unknown, home: string, directory: string): SessionsPlace | string {
	if (!isObject(value)) return "it is not an object";
	const { name, dir, ssh, command } = value;
	if (typeof name !== "string") return "it has no name";
	if (name === HERE || name === "all") return `the name ${name} is taken`;
	// One letter would look like a drive of Windows.
	if (!/^[a-z0-9][a-z0-9._-]{1,39}$/i.test(name))
		return "a name has 2 to 40 letters, digits, dots, hyphens and underscores, and begins with a letter or digit";
	if (typeof dir === "string" && dir !== "" && ssh === undefined)
		return { kind: "dir", name, path: resolvePath(dir, directory, home) };
	if (typeof ssh !== "string" || dir !== undefined) return `${name} needs either a directory (dir) or a host (ssh)`;
	// ssh would read a host that begins with a hyphen as an option.
	if (!/^[^\s\p{C}-][^\s\p{C}]*$/u.test(ssh)) return `${ssh} is not a host for ssh`;
	if (command === undefined) return { kind: "ssh", name, host: ssh };
	return typeof command === "string" && command.trim() !== ""
		? { kind: "ssh", name, host: ssh, command }
		: `the command of ${name} is not a text`;
}

function storedPlace(place: SessionsPlace): object {
	if (place.kind === "dir") return { name: place.name, dir: place.path };
	const { name, host, command } = place;
	return { name, ssh: host, ...(command !== undefined && { command }) };
}

/**
 * Adds a place at the end of the file, or replaces the one of this name; comments stay. Throws a `StoreError` if the file is
 * damaged or cannot be written: it is never overwritten with less than it had.
 */
export function addPlace(path: string, place: SessionsPlace): void {
	editPlaces(path, (list) => {
		const index = list.findIndex((one) => isObject(one) && one.name === place.name);
		return { index, value: storedPlace(place) };
	});
}

/** Removes the place of this name, if there is one; returns whether there was. Throws as `addPlace` does. */
export function removePlace(path: string, name: string): boolean {
	return editPlaces(path, (list) => {
		const index = list.findIndex((one) => isObject(one) && one.name === name);
		return index === -1 ? undefined : { index, value: undefined };
	});
}

/** A change of an item of the list: index -1 appends a new item, and no value removes the item. */
interface PlaceEdit {
	readonly index: number;
	readonly value: object | undefined;
}

const LAYOUT = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" } } as const;

function editPlaces(path: string, editOf: (list: readonly unknown[]) => PlaceEdit | undefined): boolean {
	try {
		const text = readText(path) || "[]\n";
		const errors: ParseError[] = [];
		const value: unknown = parse(text, errors, FORGIVING);
		const [error] = errors;
		if (error !== undefined || !Array.isArray(value))
			throw new Error(`the file is damaged in line ${lineAt(text, error?.offset ?? 0)}; correct it first`);
		const edit = editOf(value);
		if (edit === undefined) return false;
		const changed = applyEdits(text, modify(text, [edit.index], edit.value, LAYOUT));
		mkdirSync(dirname(path), { recursive: true });
		const temporary = `${path}.${process.pid}.tmp`;
		writeFileSync(temporary, changed, { flag: "wx" });
		renamePathSync(temporary, path);
		return true;
	} catch (error) {
		throw storeError(path, "change the places", error);
	}
}
