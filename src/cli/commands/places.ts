import { homedir } from "node:os";
import packageFile from "../../../package.json" with { type: "json" };
import { defaultCacheDir } from "../../catalog/model/session-roots.ts";
import { forgetKept, type Place } from "../../catalog/places/place.ts";
import { addPlace, placeOf, placesPath, removePlace } from "../../catalog/places/places-file.ts";
import { StoreError } from "../../store/files/store-error.ts";
import { formatCounted, shortenHome } from "../../ui/text/format.ts";
import { span } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, padText, textWidth } from "../../ui/text/width.ts";
import type { Given } from "../arguments/arguments.ts";
import { knownPlaces, withPlaces } from "../find/open-places.ts";
import { EXIT, failWith, type Mistake, printJsonList, remark, withProgressNote } from "../print/output.ts";
import { printListing, type Table } from "../print/table.ts";

/** Lists, adds, removes or checks places; returns the exit code. */
export async function places(given: Given): Promise<number> {
	const [verb = "list", name] = given.words;
	try {
		if (verb === "add") return add(name, given);
		if (verb === "remove") return await remove(name);
		return await (verb === "check" ? check(name, given) : list(given));
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		return failWith({ mistake: error.message });
	}
}

function add(name: string | undefined, given: Given): number {
	const place = placeGiven(name, given);
	if ("mistake" in place) return failWith(place);
	addPlace(ownFile(), place);
	remark(`${place.name} is ${whereOf(place)}; pi-grove places check ${place.name} tries it`);
	return EXIT.ok;
}

function placeGiven(name: string | undefined, { dir, ssh, command }: Given): Place | Mistake {
	if (name === undefined || (dir === undefined) === (ssh === undefined))
		return {
			mistake: "a place needs a name and either a directory or a host: pi-grove places add NAME --dir DIR | --ssh HOST",
		};
	if (dir !== undefined && command !== undefined)
		return { mistake: "--command belongs to --ssh: a directory is read by this pi-grove" };
	const place = placeOf({ name, dir, ssh, command }, homedir(), process.cwd());
	return typeof place === "string" ? { mistake: place } : place;
}

async function remove(name: string | undefined): Promise<number> {
	if (name === undefined) return failWith({ mistake: "which place? pi-grove places remove NAME" });
	if (removePlace(ownFile(), name)) {
		await forgetKept(defaultCacheDir(), name);
		return EXIT.ok;
	}
	return failWith({ mistake: `there is no place ${name} in ${ownFile()}` });
}

function ownFile(): string {
	return placesPath(process.env, homedir());
}

async function list(given: Given): Promise<number> {
	const known = knownPlaces();
	if (given.json) await printJsonList(known, placeJson);
	else
		await print(
			known.map((place) => [cleanText(place.name), whereOf(place)]),
			["name", "where"],
			given,
		);
	if (known.length === 0) remark("no place besides this machine; pi-grove places --help says how to add one");
	return EXIT.ok;
}

interface Checked {
	readonly place: Place;
	/** Of pi-grove there. */
	readonly version?: string;
	readonly sessions?: number;
	/** Where they are there. */
	readonly root?: string;
	/** Until everything was listed, in milliseconds. */
	readonly listedMs?: number;
	readonly error?: string;
}

async function check(name: string | undefined, given: Given): Promise<number> {
	const known = knownPlaces();
	const asked = name === undefined ? known : known.filter((place) => place.name === name);
	if (asked.length === 0 && name !== undefined)
		return failWith({ mistake: `there is no place ${name} in ${ownFile()}` });
	const checked = await withProgressNote(Promise.all(asked.map(checkPlace)), () => "Connecting …");
	if (given.json) await printJsonList(checked, ({ place, ...rest }) => ({ ...placeJson(place), ...rest }));
	else
		await print(
			checked.map((one) => [cleanText(one.place.name), outcomeOf(one)]),
			["name", "outcome"],
			given,
		);
	return checked.some(({ error }) => error !== undefined) ? EXIT.nothing : EXIT.ok;
}

async function checkPlace(place: Place): Promise<Checked> {
	const began = performance.now();
	const found = await withPlaces([place], async ({ catalog, rows }) => {
		const own = { version: packageFile.version, sessions: whereOf(place) };
		const { version, sessions: root } = catalog.helloOf(place.name) ?? own;
		return { place, version, root, sessions: rows.size, listedMs: Math.round(performance.now() - began) };
	});
	return "mistake" in found ? { place, error: found.mistake } : found;
}

function outcomeOf({ error, version = "", sessions = 0, root = "", listedMs = 0 }: Checked): CleanText {
	if (error !== undefined) return sanitizeLine(error);
	return sanitizeLine(
		`pi-grove ${version}, ${formatCounted(sessions, "session")} in ${root}, listed in ${listedMs} ms`,
	);
}

function whereOf(place: Place): CleanText {
	if (place.kind === "dir") return sanitizeLine(shortenHome(place.path, homedir()));
	return sanitizeLine(`ssh ${place.host}${place.command === undefined ? "" : `, ${place.command}`}`);
}

function placeJson(place: Place): object {
	const { kind, name, ...rest } = place;
	return { name, kind, ...rest };
}

function print(
	lines: readonly (readonly [name: CleanText, text: CleanText])[],
	names: Table<unknown>["names"],
	given: Given,
): Promise<void> {
	const width = Math.max(0, ...lines.map(([name]) => textWidth(name)));
	return printListing(lines, { names, fieldsOf: (line) => line }, given.header, (columns) =>
		lines.map(([name, text]) => cutLine([span(padText(name, width), "accent"), span(cleanText(`  ${text}`))], columns)),
	);
}
