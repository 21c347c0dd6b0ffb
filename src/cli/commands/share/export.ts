import { mkdir } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { isDirectory } from "../../../app/world/effects/find-program.ts";
import { type SaveTarget, type ShareFormat, saveShare, sharePieces } from "../../../app/world/effects/masked-share.ts";
import { runsIn } from "../../../catalog/model/session-links.ts";
import { splitPlaced } from "../../../catalog/places/place.ts";
import { plainLine } from "../../../conversation/markdown/plain-text.ts";
import type { PreparedShare } from "../../../conversation/share/prepare-share.ts";
import { explain } from "../../../store/files/store-error.ts";
import { fieldsOf, textOf } from "../../../store/format/fields.ts";
import { formatSize } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import type { Given } from "../../arguments/arguments.ts";
import { findTarget, placedIn, type ReadTarget, readTarget, type Target } from "../../find/find-target.ts";
import type { OpenPlaces } from "../../find/open-places.ts";
import type { PlacedTarget } from "../../find/placed-target.ts";
import {
	EXIT,
	failWith,
	type Mistake,
	note,
	noteMistake,
	printJsonList,
	printPath,
	printPieces,
	remark,
	withProgressNote,
} from "../../print/output.ts";
import { FamilyPages, pathsBelow } from "./family-pages.ts";
import { type Allowed, allowedKinds, findingsJson, noteRemote, printShareNotes, shareOf } from "./share-target.ts";

/** The value of `--out` that means stdout. */
const STDOUT = "-";

/** Saves sessions as Markdown or HTML pages, with private data masked; returns the exit code. */
export async function exportSessions(given: Given): Promise<number> {
	const allowed = allowedKinds(given.allow);
	if ("mistake" in allowed) return failWith(allowed);
	// What talks to other machines is loaded for that alone.
	if (!given.words.some((word) => splitPlaced(word))) return save(given, allowed);
	const { withPlaces } = await import("../../find/open-places.ts");
	const targets = await Promise.all(given.words.map(placedIn));
	const named = new Map(targets.flatMap((target) => (target ? [[target.place.name, target.place]] : [])));
	const code = await withPlaces([...named.values()], (places) => save(given, allowed, places));
	return typeof code === "number" ? code : failWith(code);
}

/** Saves them; `places`: stay connected meanwhile. */
async function save(given: Given, allowed: Allowed, places?: OpenPlaces): Promise<number> {
	const { out = ".", json = false } = given;
	const family = given.runs ? new FamilyPages() : undefined;
	const words = await wordsOf(given, family, places);
	if ("mistake" in words) return failWith(words);
	const mistake = checkOut({ ...given, words });
	if (mistake !== undefined) return failWith({ mistake });
	const format: ShareFormat = given.html || /\.html?$/i.test(out) ? "html" : "markdown";
	const pages = format === "html" && words.length > 1 ? family : undefined;
	const saving = { allowed, format, isSeveral: words.length > 1, family, pages };
	// All names come first: a page names those that are written after it.
	for (const word of pages === undefined ? [] : words) {
		const read = await readTarget(word, given, { places });
		const prepared = "mistake" in read ? read : await shareOf(read, given, allowed, titled(family, read));
		if (!("mistake" in read) && !("mistake" in prepared)) pages?.name(read.path, prepared.title, out);
	}
	const written: object[] = [];
	let failures = 0;
	for (const word of words) {
		const saved = await saveOne(await readTarget(word, given, { places }), given, saving);
		if (saved === undefined) failures++;
		else if (saved !== STDOUT) {
			written.push(saved);
			if (!json) await printPath(saved.path);
		}
	}
	if (json) await printJsonList(written);
	return failures === 0 ? EXIT.ok : EXIT.failed;
}

interface Saving {
	readonly allowed: Allowed;
	readonly format: ShareFormat;
	readonly isSeveral: boolean;
	/** The sessions and their runs, with `--runs`. */
	readonly family: FamilyPages | undefined;
	/** The same if their pages name each other. */
	readonly pages: FamilyPages | undefined;
}

/** The title of a run is its agent and its task. */
function titled(family: FamilyPages | undefined, { path }: ReadTarget): { readonly title?: string } {
	const title = family?.titleOf(path);
	return title === undefined ? {} : { title: plainLine(title) };
}

function failed(mistake: Mistake): undefined {
	noteMistake(mistake);
}

/** Saves a session, and says where it was saved; undefined if that failed, which is reported. */
async function saveOne(
	read: ReadTarget | Mistake,
	given: Given,
	{ allowed, format, isSeveral, family, pages }: Saving,
): Promise<typeof STDOUT | (object & { readonly path: string }) | undefined> {
	const { out = "." } = given;
	if ("mistake" in read) return failed(read);
	const linked = pages === undefined ? {} : { family: pages.familyOf(read) };
	const prepared = await shareOf(read, given, allowed, { ...titled(family, read), ...linked });
	if ("mistake" in prepared) return failed(prepared);
	if (isSeveral) remark(`${quote(prepared.title)}:`);
	printShareNotes(prepared, format);
	noteRemote(read);
	const saved = await write(prepared, format, out, { isSeveral, name: pages?.nameOf(read.path) });
	if (saved === undefined || saved === STDOUT) return saved;
	remark(`Saved ${quote(prepared.title)} (${formatSize(saved.bytes)})`);
	return { ...shareJson(prepared, read.path, format), ...saved };
}

/** The words that name the sessions, each of which exists; with `--runs` followed by the paths of all runs below them. */
async function wordsOf(
	given: Given,
	family: FamilyPages | undefined,
	places: OpenPlaces | undefined,
): Promise<readonly string[] | Mistake> {
	const { words, runs = false } = given;
	const targets: Target[] = [];
	const placed: PlacedTarget[] = [];
	for (const word of words) {
		const there = await placedIn(word);
		const found = there ?? (await findTarget(word, given, { archived: true }));
		if ("mistake" in found) return found;
		if ("place" in found) placed.push(found);
		else targets.push(found);
	}
	if (targets.length > 0) await family?.find(targets, given);
	const below = family?.pathsBelow(targets.map(({ path }) => path)) ?? [];
	if (places === undefined || placed.length === 0) return [...words, ...below];
	const { findInPlace } = await import("../../find/placed-target.ts");
	const paths: string[] = [];
	for (const target of placed) {
		const row = findInPlace(target, places);
		if ("mistake" in row) return row;
		paths.push(row.path);
	}
	const all = [...new Set(placed.map(({ place }) => place.name))].flatMap((name) => places.catalog.rowsOf(name));
	return [...words, ...below, ...(runs ? pathsBelow(paths, runsIn(all)) : [])];
}

function checkOut({ out, words, json }: Pick<Given, "out" | "words" | "json">): string | undefined {
	if (out !== STDOUT) return undefined;
	if (json) return "--json says where files were written: it does not go with --out -";
	return words.length > 1 ? "only one session can be written to stdout: --out - goes with one SESSION" : undefined;
}

/** Returns where it was saved; undefined if that failed, which is reported. */
async function write(
	prepared: PreparedShare,
	format: ShareFormat,
	out: string,
	{ isSeveral, name }: { readonly isSeveral: boolean; readonly name: string | undefined },
) {
	const pieces = await sharePieces(prepared, format);
	if (out === STDOUT) {
		await printPieces(pieces());
		return STDOUT;
	}
	let target: SaveTarget | undefined;
	try {
		target = await saveTarget(out, format, isSeveral);
		if (name !== undefined) target = { ...target, name };
		const { title, shared } = prepared;
		const saving = saveShare({ of: "branch", ...shared }, { title, pieces }, target);
		const { path, size } = await withProgressNote(saving, () => `Writing ${quote(title)} …`);
		return { path, bytes: size };
	} catch (error) {
		note(`cannot write ${target === undefined ? out : targetPath(target)}: ${explain(error)}`);
		return undefined;
	}
}

function shareJson(prepared: PreparedShare, path: string, format: ShareFormat): object {
	const { shared, title, survey, groups } = prepared;
	return {
		session: path,
		id: textOf(fieldsOf(shared.session.header).id),
		title,
		format,
		entries: survey.entries,
		leftOut: { branches: survey.leftOutBranches, entries: survey.leftOutEntries },
		pictures: survey.images,
		findings: groups.flatMap(findingsJson),
	};
}

/** Reads the value of `--out`: a file, or a directory, which is created if it ends in a slash or several files go into it. */
async function saveTarget(out: string, format: ShareFormat, isSeveral: boolean): Promise<SaveTarget> {
	const path = resolve(out);
	const ending = format === "html" ? "html" : "md";
	if (await isDirectory(path)) return { directory: path, ending };
	if (isSeveral || /[/\\]$/.test(out)) {
		await mkdir(path, { recursive: true, mode: 0o700 });
		return { directory: path, ending };
	}
	if (!(await isDirectory(dirname(path)))) throw new Error(`there is no directory ${dirname(path)}`);
	const extension = extname(path);
	return { directory: dirname(path), name: basename(path, extension), ending: extension.slice(1) || ending };
}

function targetPath({ directory, name, ending }: SaveTarget): string {
	return name === undefined ? directory : join(directory, `${name}.${ending}`);
}
