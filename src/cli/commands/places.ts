import { homedir } from "node:os";
import packageFile from "../../../package.json" with { type: "json" };
import { defaultCacheDir } from "../../catalog/model/session-roots.ts";
import { forgetKept, type SessionsPlace } from "../../catalog/places/place.ts";
import { addPlace, parsePlace, placesPath, removePlace } from "../../catalog/places/places-file.ts";
import { StoreError } from "../../store/files/store-error.ts";
import { formatCounted, shortenHome } from "../../ui/text/format.ts";
import { span } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine, padText, textWidth } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { knownPlaces, withPlaces } from "../find/open-places.ts";
import { EXIT, isMistake, Mistake, orMistake, printJsonList, remark, withProgressNote } from "../print/output.ts";
import { printListing } from "../print/table.ts";

export async function places(args: Arguments): Promise<number> {
	return orMistake(run(args), StoreError);
}

async function run(args: Arguments): Promise<number> {
	const [verb = "list", name] = args.words;
	if (verb === "add") return add(name, args);
	if (verb === "remove") return remove(name);
	return verb === "check" ? check(name, args) : list(args);
}

function add(name: string | undefined, args: Arguments): number {
	const place = placeGiven(name, args);
	addPlace(ownFile(), place);
	remark(`${place.name} is ${whereOf(place)}; pi-grove places check ${place.name} tries it`);
	return EXIT.ok;
}

function placeGiven(name: string | undefined, { dir, ssh, command }: Arguments): SessionsPlace {
	if (name === undefined || (dir === undefined) === (ssh === undefined))
		throw new Mistake(
			"a place needs a name and either a directory or a host: pi-grove places add NAME --dir DIR | --ssh HOST",
		);
	if (dir !== undefined && command !== undefined)
		throw new Mistake("--command belongs to --ssh: a directory is read by this pi-grove");
	const place = parsePlace({ name, dir, ssh, command }, homedir(), process.cwd());
	if (typeof place === "string") throw new Mistake(place);
	return place;
}

async function remove(name: string | undefined): Promise<number> {
	if (name === undefined) throw new Mistake("which place? pi-grove places remove NAME");
	if (!removePlace(ownFile(), name)) throw new Mistake(`there is no place ${name} in ${ownFile()}`);
	await forgetKept(defaultCacheDir(), name);
	return EXIT.ok;
}

function ownFile(): string {
	return placesPath(process.env, homedir());
}

async function list(args: Arguments): Promise<number> {
	const places = knownPlaces();
	const lines = places.map((place): PlaceLine => [cleanText(place.name), whereOf(place)]);
	await print(lines, ["name", "where"], () => printJsonList(places, placeJson), args);
	if (places.length === 0) remark("no place besides this machine; pi-grove places --help says how to add one");
	return EXIT.ok;
}

interface CheckedPlace {
	readonly place: SessionsPlace;
	/** Of pi-grove there. */
	readonly version?: string;
	readonly sessions?: number;
	/** Where they are there. */
	readonly root?: string;
	/** Until everything was listed, in milliseconds. */
	readonly listedMs?: number;
	readonly error?: string;
}

async function check(name: string | undefined, args: Arguments): Promise<number> {
	const chosen = knownPlaces().filter((place) => name === undefined || place.name === name);
	if (chosen.length === 0 && name !== undefined) throw new Mistake(`there is no place ${name} in ${ownFile()}`);
	const checked = await withProgressNote(Promise.all(chosen.map(checkPlace)), () => "Connecting …");
	const lines = checked.map((one): PlaceLine => [cleanText(one.place.name), outcomeOf(one)]);
	const printJson = () => printJsonList(checked, ({ place, ...rest }) => ({ ...placeJson(place), ...rest }));
	await print(lines, ["name", "outcome"], printJson, args);
	return checked.some(({ error }) => error !== undefined) ? EXIT.nothing : EXIT.ok;
}

async function checkPlace(place: SessionsPlace): Promise<CheckedPlace> {
	const began = performance.now();
	try {
		return await withPlaces([place], async ({ catalog, rows }) => {
			const hello = catalog.helloOf(place.name) ?? { version: packageFile.version, sessions: whereOf(place) };
			const listedMs = Math.round(performance.now() - began);
			return { place, version: hello.version, root: hello.sessions, sessions: rows.size, listedMs };
		});
	} catch (error) {
		if (!isMistake(error)) throw error;
		return { place, error: error.message };
	}
}

function outcomeOf({ error, version = "", sessions = 0, root = "", listedMs = 0 }: CheckedPlace): CleanText {
	if (error !== undefined) return sanitizeLine(error);
	return sanitizeLine(
		`pi-grove ${version}, ${formatCounted(sessions, "session")} in ${root}, listed in ${listedMs} ms`,
	);
}

function whereOf(place: SessionsPlace): CleanText {
	if (place.kind === "dir") return sanitizeLine(shortenHome(place.path, homedir()));
	return sanitizeLine(`ssh ${place.host}${place.command === undefined ? "" : `, ${place.command}`}`);
}

function placeJson(place: SessionsPlace): object {
	const { kind, name, ...rest } = place;
	return { name, kind, ...rest };
}

type PlaceLine = readonly [name: CleanText, text: CleanText];

function print(
	values: readonly PlaceLine[],
	names: readonly string[],
	printJson: () => Promise<void>,
	args: Arguments,
): Promise<void> {
	const width = Math.max(0, ...values.map(([name]) => textWidth(name)));
	const lineOf = ([name, text]: PlaceLine) => [span(padText(name, width), "accent"), span(cleanText(`  ${text}`))];
	const linesOf = (columns: number) => values.map((value) => cutLine(lineOf(value), columns));
	return printListing({ values, table: { names, fieldsOf: (line) => line }, linesOf, printJson }, args);
}
